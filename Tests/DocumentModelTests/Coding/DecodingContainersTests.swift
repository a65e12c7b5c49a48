import Foundation
import Testing

@testable import DocumentModel

@Suite("Containers of a decoding")
struct DecodingContainersTests {
    private enum Names: String, CodingKey { case a, b, inner, text }
    private enum Others: String, CodingKey { case a, b }

    /// Keeps its container, to be read later.
    private struct Keeping: Decodable {
        let container: KeyedDecodingContainer<Names>

        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Names.self) }

        func sum() throws -> Int {
            let inner = try container.nestedContainer(keyedBy: Others.self, forKey: .inner)
            return try container.decode(Int.self, forKey: .a) + inner.decode(Int.self, forKey: .b)
        }
    }

    private func keeping(_ a: Int, _ b: Int) throws -> Keeping {
        try DocumentDecoder().decode(
            Keeping.self, from: Document(json: #"{"a":\#(a),"inner":{"b":\#(b)}}"#).root)
    }

    @Test("a kept container can be read after its decoding, and after other decodings")
    func kept() throws {
        let all = try (0..<100).map { try keeping($0, 1000 * $0) }
        for (index, keeping) in all.enumerated() { #expect(try keeping.sum() == 1001 * index) }
    }

    /// Decodes the document in one of its strings while it is decoded itself.
    private struct Outer: Decodable {
        let values: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            let text = try container.decode(String.self, forKey: .text)
            let inner = try DocumentDecoder().decode([String: Int].self, from: Document(json: text).root)
            let same = try DocumentDecoder().decode(Keeping.self, from: Document(json: text).root)
            let beside = try container.nestedContainer(keyedBy: Others.self, forKey: .inner)
            values = [
                inner["a"] ?? 0, try same.container.decode(Int.self, forKey: .a),
                try beside.decode(Int.self, forKey: .b), try container.decode(Int.self, forKey: .a),
            ]
        }
    }

    @Test("a type may decode another document while it is decoded")
    func nested() throws {
        let document = try Document(json: #"{"text":"{\"a\":1}","inner":{"b":2},"a":3}"#)
        #expect(try DocumentDecoder().decode(Outer.self, from: document.root).values == [1, 1, 2, 3])
    }

    /// Names whose type is different for each `Tag`.
    private enum Tagged<Tag>: String, CodingKey { case b }

    /// Has its members read by several threads at once, each with names of more types than are searched through. If
    /// the threads shared what is known about types, they would write to it at the same time.
    private struct Parallel: Decodable {
        static let typeCount = 20
        let sums: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            let sums = Locked([Int](repeating: 0, count: 64))
            nonisolated(unsafe) let shared = container
            DispatchQueue.concurrentPerform(iterations: 64) { index in
                let a = (try? shared.decode(Int.self, forKey: .a)) ?? -1
                let b = Self.sum(shared, tag: Int.self, count: Self.typeCount)
                sums.withLock { $0[index] = a + b + index }
            }
            self.sums = sums.withLock(\.self)
        }

        /// Returns the sum of the inner member, read with names of `count` types.
        private static func sum<Tag>(_ container: KeyedDecodingContainer<Names>, tag: Tag.Type, count: Int) -> Int {
            if count == 0 { return 0 }
            let inner = try? container.nestedContainer(keyedBy: Tagged<Tag>.self, forKey: .inner)
            let b = (try? inner?.decode(Int.self, forKey: .b)) ?? -1
            return b + sum(container, tag: Tag?.self, count: count - 1)
        }
    }

    @Test("several threads may read a container at the same time")
    func threads() throws {
        let document = try Document(json: #"{"a":1,"inner":{"b":2}}"#)
        for _ in 0..<5 {
            let sums = try DocumentDecoder().decode(Parallel.self, from: document.root).sums
            #expect(sums == (0..<64).map { $0 + 1 + 2 * Parallel.typeCount })
        }
    }
}
