import Foundation
import TestSupport
import Testing

@testable import DocumentModel

/// A keyed container is reused when it is no longer in use. That must not be observable.
@Suite("Reused containers")
struct ContainerPoolTests {
    private enum Names: String, CodingKey { case name, children, extra }

    /// Values of one type, nested and side by side.
    private struct Tree: Codable, Equatable {
        var name: Int
        var children: [Tree]

        static func tree(depth: Int, width: Int, _ name: Int = 1) -> Tree {
            Tree(
                name: name,
                children: depth == 0
                    ? [] : (0..<width).map { tree(depth: depth - 1, width: $0 == 0 ? width : 1, 10 * name + $0) })
        }
    }

    @Test("values nested in values of the same type are coded at any depth", arguments: [(2, 3), (9, 2), (40, 1)])
    func recursion(depth: Int, width: Int) throws {
        let tree = Tree.tree(depth: depth, width: width, 0)
        for _ in 0..<3 {
            let document = try DocumentEncoder().encode(tree)
            let coder = JSONEncoder()
            #expect(document == (try Document(parsing: SourceBytes(coder.encode(tree)))))
            #expect(try DocumentDecoder().decode(Tree.self, from: document.root) == tree)
        }
    }

    // MARK: - Decoding

    /// Reads its members on demand.
    private struct Lazy: Decodable {
        let container: KeyedDecodingContainer<Names>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Names.self) }

        var name: Int { get throws { try container.decode(Int.self, forKey: .name) } }
    }

    /// Elements whose members are read once all elements exist, while the decoding continues.
    private struct Waiting: Decodable {
        let names: [Int]
        let lazy: [Lazy]

        init(from decoder: any Decoder) throws {
            lazy = try decoder.container(keyedBy: Names.self).decode([Lazy].self, forKey: .children)
            names = try lazy.map { try $0.name }
        }
    }

    @Test("containers that elements keep stay at their own objects, during the decoding and after it")
    func keptByElements() throws {
        let elements = (0..<50).map { #"{"name":\#($0)}"# }.joined(separator: ",")
        let document = try Document(json: #"{"children":[\#(elements)]}"#)
        let kept = try (0..<3).map { _ in try DocumentDecoder().decode(Waiting.self, from: document.root) }
        for waiting in kept {
            #expect(waiting.names == Array(0..<50))
            #expect(try waiting.lazy.map { try $0.name } == Array(0..<50))
        }
    }

    /// A class and its superclass, decoded through a decoder that is not kept.
    private class Base: Decodable {
        let name: Int
        /// The coding path of the name's decoder.
        let path: [String]

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            name = try container.decode(Int.self, forKey: .name)
            path = try container.decode(Place.self, forKey: .name).path
        }
    }

    private struct Place: Decodable {
        let path: [String]

        init(from decoder: any Decoder) throws { path = decoder.codingPath.map(\.stringValue) }
    }

    private final class Derived: Base {
        let kept: KeyedDecodingContainer<Names>
        let own: Int

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            own = try container.decode(Int.self, forKey: .name)
            // Uses a container for the same names.
            _ = try container.decode(Lazy.self, forKey: .extra)
            kept = try container.superDecoder().container(keyedBy: Names.self)
            try super.init(from: container.superDecoder())
        }
    }

    @Test("a container whose decoder is gone can be read")
    func superDecoders() throws {
        let document = try Document(
            json: #"[{"name":1,"extra":{},"super":{"name":2}},{"name":3,"extra":{},"super":{"name":4}}]"#)
        let all = try DocumentDecoder().decode([Derived].self, from: document.root)
        #expect(all.map(\.own) == [1, 3])
        #expect(all.map(\.name) == [2, 4])
        #expect(all.map(\.path) == [["Index 0", "super", "name"], ["Index 1", "super", "name"]])
        #expect(try all.map { try $0.kept.decode(Int.self, forKey: .name) } == [2, 4])
        #expect(try all[1].kept.decode(Place.self, forKey: .name).path == ["Index 1", "super", "name"])
    }

    /// The key strategy decodes another object with names of the same type.
    @Test("an app's key strategy may decode another document")
    func keyStrategies() throws {
        var strategies = DecodingStrategies()
        let other = try Document(json: #"{"name":"name"}"#)
        strategies.keys = .custom { path in
            let name = try? DocumentDecoder().decode([String: String].self, from: other.root)["name"]
            let lazy = try? DocumentDecoder().decode(Tree.self, from: Document(json: #"{"name":7,"children":[]}"#).root)
            #expect(lazy?.name == 7)
            return path.last?.stringValue == "n" ? PathCodingKey(name ?? "") : path[path.count - 1]
        }
        let document = try Document(json: #"{"n":1,"children":[{"n":2,"children":[]}]}"#)
        #expect(
            try DocumentDecoder(strategies: strategies).decode(Tree.self, from: document.root)
                == Tree(name: 1, children: [Tree(name: 2, children: [])]))
    }

    /// Takes the container of each element before it releases the one before.
    private struct HandOverHand: Decodable {
        let names: [Int]
        /// The number of different containers.
        let count: Int

        init(from decoder: any Decoder) throws {
            var elements = try decoder.unkeyedContainer()
            var held: [KeyedDecodingContainer<Names>] = []
            var (names, boxes): ([Int], Set<UnsafeRawPointer>) = ([], [])
            while !elements.isAtEnd {
                held.append(try elements.nestedContainer(keyedBy: Names.self))
                if held.count > 3 { held.removeFirst() }
                names.append(try held[held.count - 1].decode(Int.self, forKey: .name))
                withUnsafeBytes(of: held[held.count - 1]) { _ = boxes.insert($0.load(as: UnsafeRawPointer.self)) }
            }
            (self.names, count) = (names, boxes.count)
        }
    }

    @Test("a type that holds a few containers at a time needs no more, however many elements there are")
    func handOverHand() throws {
        let elements = (0..<2000).map { #"{"name":\#($0)}"# }.joined(separator: ",")
        let found = try DocumentDecoder().decode(HandOverHand.self, from: Document(json: "[\(elements)]").root)
        #expect(found.names == Array(0..<2000))
        // Other decodings may have left some containers to reuse.
        #expect(found.count < 200)
    }

    /// A key that runs the app's code when it is released.
    private final class NoisyKey: CodingKey {
        let stringValue: String
        let onRelease: @Sendable () -> Void

        var intValue: Int? { nil }

        init(_ name: String, onRelease: @escaping @Sendable () -> Void) {
            (stringValue, self.onRelease) = (name, onRelease)
        }

        convenience init?(stringValue: String) { self.init(stringValue) {} }
        convenience init?(intValue: Int) { nil }

        deinit { onRelease() }
    }

    /// A type whose keys create another container when they are released.
    private struct Noisy: Decodable {
        struct Child: Decodable {
            let name: Int

            init(from decoder: any Decoder) throws {
                name = try decoder.container(keyedBy: Names.self).decode(Int.self, forKey: .name)
            }
        }

        let names: [Int]
        let others: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: NoisyKey.self)
            nonisolated(unsafe) let saved = try container.superDecoder(forKey: NoisyKey("other") {})
            nonisolated(unsafe) var kept: [KeyedDecodingContainer<Names>] = []
            names = try ["a", "b", "c"].map { name in
                let key = NoisyKey(name) {
                    if let container = try? saved.container(keyedBy: Names.self) { kept.append(container) }
                }
                return try container.decode(Child.self, forKey: key).name
            }
            others = try kept.map { try $0.decode(Int.self, forKey: .name) }
        }
    }

    @Test("a key that decodes while it is released gets a separate container")
    func noisyKeys() throws {
        let document = try Document(json: #"{"other":{"name":100},"a":{"name":1},"b":{"name":2},"c":{"name":3}}"#)
        let noisy = try DocumentDecoder().decode(Noisy.self, from: document.root)
        #expect(noisy.names == [1, 2, 3])
        #expect(!noisy.others.isEmpty)
        #expect(noisy.others.allSatisfy { $0 == 100 })
    }

    @Test("the names of a decoded object are not kept")
    func namesNotKept() throws {
        let document = try Document(json: #"{"name":1,"extra":2}"#)
        let session = DecodingSession(document, SharedSettings(DecodingStrategies()), companion: nil, record: nil)
        defer { session.end() }
        let decoder = NodeDecoder(session: session, index: 0, place: CodingPlace(nil))
        let object = OpenObject(decoder, at: 0, MemberTable(session, object: 0, at: decoder.place))
        #expect(object.names == ["name", "extra"])
        object.leave()
        #expect(object.names.isEmpty)
    }

    // MARK: - Encoding

    /// Fills the enclosing object, after its own name.
    private struct Outward: Encodable {
        struct Inner: Encodable {
            let outer: any Encoder
            let names: [String]

            func encode(to encoder: any Encoder) throws {
                var container = outer.container(keyedBy: PathCodingKey.self)
                for name in names { try container.encode(1, forKey: PathCodingKey(name)) }
            }
        }

        let count: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: PathCodingKey.self)
            for index in 0..<count { try container.encode(index, forKey: PathCodingKey("n\(index)")) }
            let inner = Inner(outer: encoder, names: (0..<200).map { "o\($0)" })
            try container.encode(inner, forKey: PathCodingKey("inner"))
        }
    }

    @Test("a value may fill the enclosing object before it has begun itself", arguments: [0, 1, 62, 63, 64, 100])
    func outward(count: Int) throws {
        let document = try DocumentEncoder().encode(Outward(count: count))
        #expect(document == (try Document(parsing: SourceBytes(JSONEncoder().encode(Outward(count: count))))))
    }

    /// A list where values put their containers.
    private final class Shelf: @unchecked Sendable {
        var containers: [KeyedEncodingContainer<Names>] = []
    }

    /// Puts its container on a shelf.
    private struct Shelved: Encodable {
        let name: Int
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Names.self)
            try container.encode(name, forKey: .name)
            shelf.containers.append(container)
        }
    }

    /// Continues to fill the containers that its elements put on a shelf.
    private struct Shelving: Encodable {
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            // It may be encoded more than once.
            shelf.containers = []
            var container = encoder.container(keyedBy: Names.self)
            try container.encode((0..<5).map { Shelved(name: $0, shelf: shelf) }, forKey: .children)
            for index in shelf.containers.indices { try shelf.containers[index].encode(-index, forKey: .extra) }
        }
    }

    @Test("containers that elements keep each fill their own object")
    func filledLater() throws {
        let elements = (0..<5).map { #"{"name":\#($0),"extra":\#(-$0)}"# }.joined(separator: ",")
        for _ in 0..<3 {
            let document = try DocumentEncoder().encode(Shelving(shelf: Shelf()))
            #expect(document == (try Document(json: #"{"children":[\#(elements)]}"#)))
        }
    }

    @Test("a container that is kept after its encoding changes no other document")
    func filledWhenItIsOver() throws {
        let shelf = Shelf()
        for name in 0..<20 {
            let document = try DocumentEncoder().encode(Shelved(name: name, shelf: shelf))
            for index in shelf.containers.indices { try? shelf.containers[index].encode("later", forKey: .extra) }
            for index in shelf.containers.indices {
                var nested = shelf.containers[index].nestedContainer(keyedBy: Names.self, forKey: .children)
                try? nested.encode("later", forKey: .name)
            }
            #expect(document == (try Document(json: #"{"name":\#(name)}"#)))
        }
    }

    @Test("a coding that is over keeps nothing alive")
    func nothingKept() throws {
        weak var document: Document.Storage?
        do {
            let source = try Document(json: #"{"name":7,"children":[{"name":8,"children":[]}]}"#)
            document = source.storage
            _ = try DocumentDecoder().decode(Tree.self, from: source.root)
            _ = try? DocumentDecoder().decode([Tree].self, from: source.root)
        }
        #expect(document == nil)
    }

    @Test("a decoded document is released with the container that keeps it, however that was used meanwhile")
    func decodingReleased() throws {
        weak var document: Document.Storage?
        var kept: Lazy?
        do {
            let source = try Document(json: #"{"name":1,"extra":{"name":2}}"#)
            document = source.storage
            kept = try DocumentDecoder().decode(Lazy.self, from: source.root)
            _ = try DocumentDecoder().decode(Tree.self, from: Document(json: #"{"name":7,"children":[]}"#).root)
        }
        #expect(document != nil)
        #expect(try kept?.name == 1)
        #expect(
            try kept?.container.nestedContainer(keyedBy: Names.self, forKey: .extra).decode(Int.self, forKey: .name)
                == 2)
        kept = nil
        #expect(document == nil)
    }

    @Test("an encoding is released with the container that keeps it, however that was used meanwhile")
    func encodingReleased() throws {
        let shelf = Shelf()
        let witness = try EncodingWitness(encoding: Shelved(name: 1, shelf: shelf))
        #expect(witness.isKept)
        var nested = shelf.containers[0].nestedContainer(keyedBy: Names.self, forKey: .extra)
        #expect(throws: (any Error).self) { try nested.encode(1, forKey: .name) }
        nested = shelf.containers[0]
        #expect(witness.isKept)
        shelf.containers = []
        _ = consume nested
        #expect(!witness.isKept)
    }
}
