import Foundation
import TestSupport
import Testing

@testable import DocumentModel

/// A keyed container is given out again when nobody has it. That must not be seen.
@Suite("Containers that are given out again")
struct ContainerPoolTests {
    private enum Names: String, CodingKey { case name, children, extra }

    /// Many of a kind, within each other and side by side.
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

    @Test("values within values of their own type are coded, however deep", arguments: [(2, 3), (9, 2), (40, 1)])
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

    /// Reads its members when it is asked for them.
    private struct Lazy: Decodable {
        let container: KeyedDecodingContainer<Names>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Names.self) }

        var name: Int { get throws { try container.decode(Int.self, forKey: .name) } }
    }

    /// Elements that read their members when all of them are there, while the decoding goes on.
    private struct Waiting: Decodable {
        let names: [Int]
        let lazy: [Lazy]

        init(from decoder: any Decoder) throws {
            lazy = try decoder.container(keyedBy: Names.self).decode([Lazy].self, forKey: .children)
            names = try lazy.map { try $0.name }
        }
    }

    @Test("those that elements keep are each at their own object, during the decoding and behind it")
    func keptByElements() throws {
        let elements = (0..<50).map { #"{"name":\#($0)}"# }.joined(separator: ",")
        let document = try Document(json: #"{"children":[\#(elements)]}"#)
        let kept = try (0..<3).map { _ in try DocumentDecoder().decode(Waiting.self, from: document.root) }
        for waiting in kept {
            #expect(waiting.names == Array(0..<50))
            #expect(try waiting.lazy.map { try $0.name } == Array(0..<50))
        }
    }

    /// Of a class and its superclass, through a decoder that nobody keeps.
    private class Base: Decodable {
        let name: Int
        /// Where the name's decoder was.
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
            // Has been given out for the same names.
            _ = try container.decode(Lazy.self, forKey: .extra)
            kept = try container.superDecoder().container(keyedBy: Names.self)
            try super.init(from: container.superDecoder())
        }
    }

    @Test("one whose decoder is gone is read")
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

    /// Has its key strategy decode another object by names of the same type.
    @Test("an app's key strategy may decode on its way")
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

    /// Takes the container of each element before it lets go of the one before.
    private struct HandOverHand: Decodable {
        let names: [Int]
        /// How many containers there were.
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

    @Test("a type that holds some of the last takes no more for it, however many elements there are")
    func handOverHand() throws {
        let elements = (0..<2000).map { #"{"name":\#($0)}"# }.joined(separator: ",")
        let found = try DocumentDecoder().decode(HandOverHand.self, from: Document(json: "[\(elements)]").root)
        #expect(found.names == Array(0..<2000))
        // Others may have left room for some.
        #expect(found.count < 200)
    }

    /// A key that runs the app's code when it is let go of.
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

    /// Whose keys have another container made when they are let go of.
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

    @Test("a key that decodes when it is let go of gets a container of its own")
    func noisyKeys() throws {
        let document = try Document(json: #"{"other":{"name":100},"a":{"name":1},"b":{"name":2},"c":{"name":3}}"#)
        let noisy = try DocumentDecoder().decode(Noisy.self, from: document.root)
        #expect(noisy.names == [1, 2, 3])
        #expect(!noisy.others.isEmpty)
        #expect(noisy.others.allSatisfy { $0 == 100 })
    }

    @Test("of an object that is decoded no names are kept")
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

    /// Fills the object around it, behind its own name.
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

    @Test("a value may fill the object around it before it has begun itself", arguments: [0, 1, 62, 63, 64, 100])
    func outward(count: Int) throws {
        let document = try DocumentEncoder().encode(Outward(count: count))
        #expect(document == (try Document(parsing: SourceBytes(JSONEncoder().encode(Outward(count: count))))))
    }

    /// Where values put their containers.
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

    /// Goes on filling what its elements have put on a shelf.
    private struct Shelving: Encodable {
        let shelf: Shelf

        func encode(to encoder: any Encoder) throws {
            // It may be encoded once more.
            shelf.containers = []
            var container = encoder.container(keyedBy: Names.self)
            try container.encode((0..<5).map { Shelved(name: $0, shelf: shelf) }, forKey: .children)
            for index in shelf.containers.indices { try shelf.containers[index].encode(-index, forKey: .extra) }
        }
    }

    @Test("those that elements keep fill each its own object")
    func filledLater() throws {
        let elements = (0..<5).map { #"{"name":\#($0),"extra":\#(-$0)}"# }.joined(separator: ",")
        for _ in 0..<3 {
            let document = try DocumentEncoder().encode(Shelving(shelf: Shelf()))
            #expect(document == (try Document(json: #"{"children":[\#(elements)]}"#)))
        }
    }

    @Test("one that is kept when its encoding is over changes no other")
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

    @Test("nothing is kept of a coding that is over")
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

    @Test("what is kept of a decoding is let go of with the container, whatever it was used for meanwhile")
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

    @Test("what is kept of an encoding is let go of with the container, whatever it was used for meanwhile")
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
