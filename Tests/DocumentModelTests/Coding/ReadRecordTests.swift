import Foundation
import Testing

@testable import DocumentModel

@Suite("Read records")
struct ReadRecordTests {
    private func dropped<T: Decodable>(
        _ type: T.Type, _ text: String, strategies: DecodingStrategies = DecodingStrategies()
    ) throws -> [String] {
        let document = try Document(json: text)
        let record = ReadRecord()
        _ = try? DocumentDecoder(strategies: strategies).decode(type, from: document.root, recording: record)
        let paths = record.droppedPaths(in: document.root)
        // Both answers agree: every dropped value has a path, and there are no other paths.
        let exact = record.droppedNodes(in: document.root).map(\.path)
        #expect(Set(exact.map(\.foldingIndices)) == Set(paths.map(\.foldingIndices)))
        #expect(paths.allSatisfy { $0.components.contains(.everyElement) || exact.contains($0) })
        return paths.map(\.description)
    }

    struct Poem: Decodable {
        var author: Author
        var lines: [Line]
        var note: String?

        struct Author: Decodable { var name: String }
        struct Line: Decodable { var text: String }
    }

    @Test("a field that no type reads is dropped as one path, with everything inside it")
    func topmost() throws {
        #expect(
            try dropped(
                Poem.self,
                #"{"author":{"name":"A","born":{"year":1}},"lines":[{"text":"x"}],"mood":[1,{"a":2}],"note":null}"#)
                == ["$.author.born", "$.mood"])
    }

    @Test("a field dropped in all elements is one path, and one dropped in some is a path for each, in document order")
    func folded() throws {
        #expect(
            try dropped(
                Poem.self,
                #"{"z":0,"author":{"name":"A"},"lines":[{"text":"x","n":1},{"m":2,"text":"y","n":3},{"text":"z","n":4}]}"#
            )
                == ["$.z", "$.lines[*].n", "$.lines[1].m"])
    }

    @Test("a document that is read completely has no dropped values")
    func whole() throws {
        #expect(try dropped([String: [Int?]].self, #"{"a":[1,null],"b":[]}"#).isEmpty)
        #expect(try dropped(Document.self, #"{"a":[1,{"b":null}]}"#).isEmpty)
        #expect(try dropped([String: Document].self, #"{"a":[1,{"b":null}],"b":7}"#).isEmpty)
    }

    @Test("checking whether a key exists or is null reads its value, but nothing inside it")
    func askedFor() throws {
        struct Asking: Decodable {
            enum Keys: String, CodingKey { case a, b, c, d, e }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                _ = container.contains(.a)
                _ = try container.decodeNil(forKey: .b)
                _ = try container.decodeIfPresent(String.self, forKey: .c)
                _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .d)
                _ = try container.superDecoder(forKey: .e)
            }
        }
        #expect(
            try dropped(Asking.self, #"{"a":{"x":1},"b":2,"c":null,"d":{"y":3},"e":4,"f":5}"#)
                == ["$.a.x", "$.d.y", "$.f"])
    }

    @Test("elements are read when they are decoded")
    func elements() throws {
        struct First: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
            }
        }
        #expect(try dropped(First.self, "[1,2,3]") == ["$[1]", "$[2]"])
    }

    @Test("a member that does not count, because another has the same name, is not read")
    func duplicates() throws {
        let document = try Document(json: #"{"a":1,"a":2}"#)
        let record = ReadRecord()
        _ = try DocumentDecoder().decode([String: Int].self, from: document.root, recording: record)
        #expect(record.droppedNodes(in: document.root).map(\.numberText) == ["2"])
    }

    @Test("a member of a dictionary that does not count is not read with a key strategy either")
    func duplicatesWithStrategy() throws {
        let document = try Document(json: #"{"a":{"x":1},"a":{"x":2}}"#)
        let record = ReadRecord()
        let decoder = DocumentDecoder(strategies: DecodingStrategies(keys: .convertFromSnakeCase))
        _ = try decoder.decode([String: [String: Int]].self, from: document.root, recording: record)
        #expect(record.droppedNodes(in: document.root).map { JSONWriter().string($0) } == [#"{"x":2}"#])
    }

    @Test("a document that fails is read as far as its decoding got")
    func failure() throws {
        #expect(
            try dropped(Poem.self, #"{"author":{"name":7},"lines":[]}"#) == ["$.lines"])
    }

    @Test("the dropped members are the same with a key strategy")
    func strategies() throws {
        let strategies = DecodingStrategies(keys: .convertFromSnakeCase)
        #expect(
            try dropped(
                SnakePerson.self,
                #"{"first_name":"A","children":{"a_b":1},"last_name":"B","matrix":[{"m":[{"x":1}]}]}"#,
                strategies: strategies) == ["$.last_name", "$.matrix[*].m[*].x"])
    }

    @Test("an error that many elements share is kept once")
    func repeatedErrors() throws {
        struct Lenient: Decodable {
            init(from decoder: any Decoder) throws { _ = try? decoder.singleValueContainer().decode(Int.self) }
        }
        let document = try Document(json: #"["a", "b", {}, "c", {}]"#)
        let record = ReadRecord()
        _ = try DocumentDecoder().decode([Lenient].self, from: document.root, recording: record)
        #expect(record.errors.map { DocumentPath(codingPath: $0.codingPath).description } == ["$[0]", "$[2]"])
    }

    @Test("paths begin at the value that was decoded")
    func inside() throws {
        struct A: Decodable { var a: Int }
        let document = try Document(json: #"{"x":1,"poem":{"a":1,"b":{"c":2}}}"#)
        let poem = try #require(document.root["poem"])
        let record = ReadRecord()
        _ = try DocumentDecoder().decode(A.self, from: poem, recording: record)
        #expect(record.droppedPaths(in: poem).map(\.description) == ["$.b"])
        #expect(record.contains(poem))
        #expect(!record.contains(document.root))
    }

    @Test("reading along a path reports whether the value at its end had been read before")
    func alongPath() throws {
        let root = try Document(json: #"{"a":{"b":[1]},"c":2}"#).root
        let record = ReadRecord()
        let path = try #require(DocumentPath("$.a.b"))
        #expect(!record.insert(path, in: root))
        #expect(record.insert(path, in: root))
        // Something on the path was read, but not its end.
        #expect(!record.insert(try #require(DocumentPath("$.a.b[0]")), in: root))
        #expect(!record.insert(try #require(DocumentPath("$.a.x")), in: root))
        #expect(!record.insert(try #require(DocumentPath("$.a.x")), in: root))
        #expect(record.droppedPaths(in: root).map(\.description) == ["$.c"])
    }

    // MARK: - Missing names

    /// Returns the missing names that a decoding looked for in an object with a member `a`, or nil if it learned
    /// anything else about the object.
    private func missed<T: Decodable>(_ type: T.Type, _ text: String = #"{"a":{"x":1}}"#) throws -> [String]? {
        let record = ReadRecord(notesMissedNames: true)
        _ = try? DocumentDecoder().decode(type, from: try Document(json: text).root, recording: record)
        return record.namesMissedOnly
    }

    /// Does something with a container, then refuses.
    private struct Refusal<Look: Looking>: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: PathCodingKey.self)
            _ = try container.decodeIfPresent(Int.self, forKey: PathCodingKey("first"))
            try Look.look(decoder, container)
            _ = try container.decode(Int.self, forKey: PathCodingKey("last"))
        }
    }

    @Test("missing names are noted as long as nothing else is learned about a document")
    func missedNames() throws {
        struct Nothing: Looking {}
        struct Missing: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) throws {
                #expect(!container.contains(PathCodingKey("b")))
                #expect(throws: DecodingError.self) { try container.decodeNil(forKey: PathCodingKey("c")) }
                _ = try container.superDecoder()
            }
        }
        #expect(try missed(Refusal<Nothing>.self) == ["first", "last"])
        #expect(try missed(Refusal<Missing>.self) == ["first", "b", "c", "super", "last"])
        #expect(try missed(Poem.self, "{}") == ["author"])
        #expect(try missed(Poem.self, "[]") == [])
        let unasked = ReadRecord()
        _ = try? DocumentDecoder().decode(Poem.self, from: try Document(json: "{}").root, recording: unasked)
        #expect(unasked.namesMissedOnly == nil)
    }

    @Test("a document about which more is learned than its missing names has no such names")
    func learnedMore() throws {
        struct Present: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) {
                _ = container.contains(PathCodingKey("a"))
            }
        }
        struct Inside: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) throws {
                _ = try container.nestedContainer(keyedBy: PathCodingKey.self, forKey: PathCodingKey("a"))
            }
        }
        struct Names: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) { _ = container.allKeys }
        }
        struct Node: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) { _ = decoder.documentNode }
        }
        struct Record: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) { _ = decoder.readRecord }
        }
        struct OtherThread: Looking {
            static func look(_ decoder: any Decoder, _ container: Container) {
                nonisolated(unsafe) let container = container
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    _ = container.contains(PathCodingKey("b"))
                    done.signal()
                }
                done.wait()
            }
        }
        #expect(try missed(Refusal<Present>.self) == nil)
        #expect(try missed(Refusal<Inside>.self) == nil)
        #expect(try missed(Refusal<Names>.self) == nil)
        #expect(try missed(Refusal<Node>.self) == nil)
        #expect(try missed(Refusal<Record>.self) == nil)
        #expect(try missed(Refusal<OtherThread>.self) == nil)
        #expect(try missed([String: Int].self) == nil)
        // Documents with any number of nodes, including those that fill the words of the record.
        for count in 0..<140 {
            let text = "{\"a\":[\(Array(repeating: "0", count: count).joined(separator: ","))]}"
            #expect(try missed(Refusal<Names>.self, text) == nil)
            #expect(try missed(Refusal<Present>.self, text) == nil)
            #expect(try missed([Int].self, text) == [])
        }
    }

    @Test("values that were read and then forgotten still count as learned")
    func forgottenNames() throws {
        let root = try Document(json: #"{"a":1}"#).root
        let record = ReadRecord(notesMissedNames: true)
        record.insert(root)
        let mark = record.mark(in: root)
        record.note(missing: "b")
        #expect(record.namesMissedOnly == ["b"])
        record.insert(try #require(root["a"]))
        record.forget(since: mark)
        #expect(record.namesMissedOnly == nil)
    }
}

/// The way in which a type uses the container of a document before it refuses the document.
private protocol Looking {
    typealias Container = KeyedDecodingContainer<PathCodingKey>

    static func look(_ decoder: any Decoder, _ container: Container) throws
}

extension Looking {
    static func look(_ decoder: any Decoder, _ container: Container) throws {}
}

extension ReadRecord {
    /// Returns the unread values inside `root` in document order, without those inside one another.
    func droppedNodes(in root: DocumentNode) -> [DocumentNode] {
        var end = root.id
        return root.nodes.filter { node in
            guard node.id >= end, node.kind != .key, !contains(node) else { return false }
            end = node.nodes.endIndex
            return true
        }
    }
}
