import TestSupport
import Testing

@testable import DocumentModel

@Suite("Differences of large documents")
struct LargeDifferenceTests {
    @Test("the difference of two documents of a hundred thousand values has every change, and its patch applies")
    func largeDocuments() throws {
        func record(_ id: Int, _ note: String) -> String {
            #"{"id":\#(id),"name":"name \#(id)","note":"\#(note)","lines":[\#(id * 7),{"sum":\#(id).5}]}"#
        }
        let ids = Array(0..<10_000)
        let old = try Document(json: "[" + ids.map { record($0, "note \($0)") }.joined(separator: ",") + "]")
        // Every third one changes, one moves to the front, and every hundredth is removed.
        let news = [5_001] + ids.filter { $0 != 5_001 && $0 % 100 != 50 }
        let new = try Document(
            json: "[" + news.map { record($0, $0 % 3 == 1 ? "new \($0)" : "note \($0)") }.joined(separator: ",") + "]")
        #expect(old.nodeCount > 100_000)

        let difference = DocumentDifference(old: old.root, new: new.root)
        let kinds = Dictionary(grouping: difference.changes, by: \.kind).mapValues(\.count)
        #expect(kinds == [.removed: 100, .changed: news.count { $0 % 3 == 1 }, .moved: 1])
        #expect(try difference.patch.applied(to: old.root) == new)
    }

    @Test("elements nested as deeply as a document may be are compared")
    func deepElements() throws {
        func nested(_ depth: Int, _ value: Int) -> String {
            String(repeating: #"{"a":["#, count: depth / 2) + "\(value)" + String(repeating: "]}", count: depth / 2)
        }
        let depth = Document.deepestNesting - 2
        let old = try Document(json: "[" + (0..<200).map { nested(depth, $0) }.joined(separator: ",") + "]")
        let new = try Document(json: "[" + (0..<200).map { nested(depth, -$0 - 1) }.joined(separator: ",") + "]")
        let difference = DocumentDifference(old: old.root, new: new.root)
        #expect(difference.changes.map(\.kind) == Array(repeating: .changed, count: 200))
    }

    @Test("an error thrown by the checkpoint ends a comparison, whenever it is thrown")
    func cancelling() throws {
        struct Ended: Error {}
        let records = (0..<20_000).map { #"{"id":\#($0),"text":"text \#($0)"}"# }
        let old = try Document(json: "[" + records.joined(separator: ",") + "]")
        let new = try Document(
            json: "[0," + records.map { $0.replacing("text\"", with: "words\"") }.joined(separator: ",") + "]")
        var count = 0
        _ = DocumentDifference(old: old.root, new: new.root, checkpoint: { count += 1 })
        for limit in [1, count / 2, count - 1] {
            var rest = limit
            #expect(throws: Ended.self) {
                try DocumentDifference(
                    old: old.root, new: new.root,
                    checkpoint: {
                        rest -= 1
                        if rest == 0 { throw Ended() }
                    })
            }
        }
    }
}
