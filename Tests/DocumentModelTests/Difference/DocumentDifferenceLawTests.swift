import DocumentModel
import Testing

@Suite("The laws of a difference, on random documents")
struct DocumentDifferenceLawTests {
    @Test(
        "the patch turns the old document into the new one, and there is none exactly where they are equal",
        arguments: [false, true])
    func patchAppliedToOldGivesNew(withDuplicateNames duplicates: Bool) throws {
        for seed in 0..<2000 as Range<UInt64> {
            let pair = RandomPair(seed: seed, duplicates: duplicates)
            let (old, new) = (try Document(json: pair.old), try Document(json: pair.new))
            let difference = DocumentDifference(old: old.root, new: new.root)
            let patch = difference.patch
            let isEqual = old == new
            try #require(difference.isEmpty == isEqual, "\(pair)")
            try #require(difference.changes.isEmpty == isEqual, "\(pair)")
            try #require(patch.isEmpty == isEqual, "\(pair)")
            let patched = try patch.applied(to: old.root)
            try #require(patched == new, "\(pair) \(JSONWriter().string(patch.document.root))")
            let read = try JSONPatch(Document(json: JSONWriter().string(patch.document.root)).root)
            try #require(try read.applied(to: old.root) == new, "\(pair)")
        }
    }

    @Test("what the tree and the changes say is what the documents say at those paths", arguments: [false, true])
    func valuesStandAtTheirPaths(withDuplicateNames duplicates: Bool) throws {
        for seed in 10_000..<11_000 as Range<UInt64> {
            let pair = RandomPair(seed: seed, duplicates: duplicates)
            let (old, new) = (try Document(json: pair.old), try Document(json: pair.new))
            let difference = DocumentDifference(old: old.root, new: new.root)
            for id in 0..<difference.nodeCount {
                let node = difference[id]
                try #require((node.old == nil) == (node.kind == .added), "\(pair)")
                try #require((node.new == nil) == (node.kind == .removed), "\(pair)")
                if let value = node.old {
                    let path = try #require(node.oldPath)
                    try #require(old.root.descendant(at: path)?.index == value.index, "\(pair) \(path)")
                }
                if let value = node.new {
                    let path = try #require(node.newPath)
                    try #require(new.root.descendant(at: path)?.index == value.index, "\(pair) \(path)")
                }
                if let left = node.old, let right = node.new, node.kind == .unchanged || node.kind == .changed {
                    try #require(left.isEqual(to: right) == (node.kind == .unchanged), "\(pair)")
                }
                try #require(node.counterpart?.counterpart?.id == node.counterpart.map { _ in node.id }, "\(pair)")
            }
            for change in difference.changes {
                let (value, path) = (change.kind == .removed ? change.old : change.new, change.path)
                let document = change.kind == .removed ? old : new
                try #require(document.root.descendant(at: path)?.index == value?.index, "\(pair) \(path)")
                try #require((change.from != nil) == (change.kind == .moved), "\(pair)")
            }
        }
    }
}
