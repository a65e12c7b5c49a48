import TestSupport
import Testing

@testable import DocumentModel

@Suite("Reused encoders")
struct EncoderStackTests {
    private enum Names: CodingKey { case name, extra, children }

    /// A list where values put their encoders.
    private final class Shelf: @unchecked Sendable {
        var encoders: [any Encoder] = []
    }

    /// Puts its encoder on a shelf.
    private struct Shelved: Encodable {
        let name: Int
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            shelf.encoders.append(encoder)
            var container = encoder.container(keyedBy: Names.self)
            try container.encode(name, forKey: .name)
        }
    }

    /// Fills objects through the encoders that its elements put on a shelf.
    private struct Shelving: Encodable {
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            // It may be encoded more than once.
            shelf.encoders = []
            var container = encoder.container(keyedBy: Names.self)
            try container.encode((0..<5).map { Shelved(name: $0, shelf: shelf) }, forKey: .children)
            for (index, encoder) in shelf.encoders.enumerated() {
                var container = encoder.container(keyedBy: Names.self)
                try container.encode(-index, forKey: .extra)
            }
        }
    }

    @Test("encoders that elements keep each fill their own object")
    func filledLater() throws {
        let elements = (0..<5).map { #"{"name":\#($0),"extra":\#(-$0)}"# }.joined(separator: ",")
        for _ in 0..<3 {
            let document = try DocumentEncoder().encode(Shelving(shelf: Shelf()))
            #expect(JSONWriter().string(document.root) == #"{"children":[\#(elements)]}"#)
        }
    }

    /// Writes a member into the object of the previous element, in the middle of its own object.
    private struct Meddling: Encodable {
        let name: Int
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Names.self)
            try container.encode(name, forKey: .name)
            if let other = shelf.encoders.last {
                var container = other.container(keyedBy: Names.self)
                try container.encode(name, forKey: .extra)
            }
            try container.encode(true, forKey: .children)
            shelf.encoders = [encoder]
        }
    }

    private struct MeddlingRow: Encodable {
        let shelf = Shelf()

        func encode(to encoder: any Encoder) throws {
            // It may be encoded more than once.
            shelf.encoders = []
            var container = encoder.singleValueContainer()
            try container.encode((0..<5).map { Meddling(name: $0, shelf: shelf) })
        }
    }

    @Test("an encoder that an element keeps stays at its object while the next element is encoded")
    func usedMeanwhile() throws {
        for _ in 0..<3 {
            let document = try DocumentEncoder().encode(MeddlingRow())
            let elements = (0..<5).map { #"{"name":\#($0),"children":true\#($0 < 4 ? ",\"extra\":\($0 + 1)" : "")}"# }
            #expect(document == (try Document(json: "[\(elements.joined(separator: ","))]")))
        }
    }

    @Test("an encoder that is kept after its encoding changes no other document, and still answers")
    func usedWhenItIsOver() throws {
        let shelf = Shelf()
        for name in 0..<20 {
            let document = try DocumentEncoder().encode([Shelved(name: name, shelf: shelf)])
            for encoder in shelf.encoders {
                var object = encoder.container(keyedBy: Names.self)
                try? object.encode("later", forKey: .extra)
                var array = encoder.unkeyedContainer()
                try? array.encode("later")
                var single = encoder.singleValueContainer()
                try? single.encode("later")
                _ = encoder.codingPath
                #expect(encoder.userInfo.isEmpty)
            }
            #expect(JSONWriter().string(document.root) == #"[{"name":\#(name)}]"#)
        }
    }

    @Test("an encoding is released with the encoder that keeps it, whatever was encoded meanwhile")
    func released() throws {
        let shelf = Shelf()
        let witness = try EncodingWitness(encoding: Shelved(name: 1, shelf: shelf))
        #expect(witness.isKept)
        for name in 0..<3 { _ = try DocumentEncoder().encode(Shelved(name: name, shelf: Shelf())) }
        #expect(shelf.encoders.allSatisfy { $0.userInfo.count == 1 })
        #expect(witness.isKept)
        shelf.encoders = []
        #expect(!witness.isKept)
    }

    /// Encodes itself as an array with another nest in it twice, or as null.
    private indirect enum Nest: Encodable {
        case last
        case around(Nest, Shelf?)

        func encode(to encoder: any Encoder) throws {
            guard case .around(let inner, let shelf) = self else { return try Optional<Int>.none.encode(to: encoder) }
            shelf?.encoders.append(encoder)
            var container = encoder.unkeyedContainer()
            try container.encode(inner)
            try container.encode(inner)
        }

        static func nested(_ depth: Int, keeping kept: Set<Int> = [], on shelf: Shelf = Shelf()) -> Nest {
            (0..<depth).reduce(.last) { nest, depth in .around(nest, kept.contains(depth) ? shelf : nil) }
        }

        static func text(_ depth: Int) -> String {
            (0..<depth).reduce("null") { text, _ in "[\(text),\(text)]" }
        }
    }

    @Test("nested values have separate encoders at any depth, even if some are kept", arguments: [1, 8, 9, 12])
    func deep(depth: Int) throws {
        for kept in [[], [0], [depth - 1], Set(0..<depth)] {
            let shelf = Shelf()
            let document = try DocumentEncoder().encode(Nest.nested(depth, keeping: kept, on: shelf))
            #expect(JSONWriter().string(document.root) == Nest.text(depth))
            #expect(shelf.encoders.isEmpty == kept.isEmpty)
        }
    }

    @Test("a value that throws does not affect the values after it")
    func thrown() throws {
        struct Refusal: Error {}
        struct Refusing: Encodable {
            let shelf: Shelf?
            func encode(to encoder: any Encoder) throws {
                shelf?.encoders.append(encoder)
                throw Refusal()
            }
        }
        // Repeated, so that an encoder that is not given back would show.
        for shelf in [Shelf?](repeating: nil, count: 20) + [Shelf()] {
            #expect(throws: Refusal.self) { try DocumentEncoder().encode([[Refusing(shelf: shelf)]]) }
            let document = try DocumentEncoder().encode(Nest.nested(3))
            #expect(JSONWriter().string(document.root) == Nest.text(3))
        }
    }
}
