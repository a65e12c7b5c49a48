import TestSupport
import Testing

@testable import DocumentModel

@Suite("Comparing in parts, several at once")
struct DifferenceInPartsTests {
    /// Returns the entries of a difference that was made in parts of about `partSize` values.
    private func places(_ old: Document, _ new: Document, partSize: Int) -> [DifferenceEntry] {
        DifferenceBuilder.build(old: old.root, new: new.root, except: [], partSize: partSize) {}
            .withElements(Array.init)
    }

    @Test("parts give the same entries as a comparison in order", arguments: [8, 24, 100])
    func partsGiveWhatTheWholeGives(partSize: Int) throws {
        for seed in 40_000..<41_000 as Range<UInt64> {
            let pair = RandomPair(seed: seed, duplicates: seed % 2 == 0)
            let (old, new) = (try Document(json: pair.old), try Document(json: pair.new))
            try #require(places(old, new, partSize: partSize) == places(old, new, partSize: .max), "\(pair)")
        }
    }

    @Test("parts give the same entries for lists of records that are changed, moved, renamed, wrapped and mixed")
    func partsOfLists() throws {
        for seed in 50_000..<50_030 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var list = RandomValue.array(
                (0..<60).map { _ in RandomValue.random(depth: 3, duplicates: false, using: &generator) })
            let old = try Document(json: #"{"list":\#(list.json),"other":[\#(list.json)]}"#)
            for _ in 0..<30 { list = list.mutated(duplicates: false, using: &generator) }
            let new = try Document(json: #"{"in":{"list":\#(list.json)},"other":[1,\#(list.json)]}"#)
            let whole = places(old, new, partSize: .max)
            for partSize in [8, 64, 500] {
                try #require(places(old, new, partSize: partSize) == whole, "seed \(seed), \(partSize)")
            }
        }
    }

    @Test("two documents of a hundred thousand values have the same difference in parts and as a whole")
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
        let places = places(old, new, partSize: .max)
        #expect(self.places(old, new, partSize: 1 << 14) == places)
        #expect(try difference.patch.applied(to: old.root) == new)
    }

    @Test("elements nested as deeply as a document may be are compared on any thread")
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

    @Test("an error thrown by the checkpoint ends a comparison in parts")
    func endsBetweenParts() throws {
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
