import DocumentModel
import Foundation
import TestSupport

let differenceTarget = FuzzTarget(
    name: "diff", summary: "two documents compared; reached: they differ, and every place says what the documents say"
) { Pairs { try $0.compare() } }

let patchTarget = FuzzTarget(
    name: "patch", summary: "the patch of two documents; reached: not empty, and it makes the one of the other"
) { Pairs { try $0.patch() } }

/// Two JSON texts, separated by a zero byte.
private struct Pairs: FuzzSubject {
    let check: (Pair) throws -> Bool

    func input(_ random: inout SplitMix64) -> [UInt8] {
        let old = RandomJSON.text(depth: 5, &random)
        var new = Array(old.utf8)
        if random.below(8) == 0 {
            new = Array(RandomJSON.text(&random).utf8)
        } else if let document = try? Document(json: old) {
            new = MutatedDocument.bytes(document, &random)
            for _ in 0..<random.below(3) {
                if let mutated = try? Document(parsing: SourceBytes(Data(new))) {
                    new = MutatedDocument.bytes(mutated, &random)
                }
            }
        }
        return Array(old.utf8) + [0] + new
    }

    func run(_ input: [UInt8]) throws -> Depth {
        let texts = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard texts.count == 2, let old = try? Document(parsing: SourceBytes(Data(texts[0]))),
            let new = try? Document(parsing: SourceBytes(Data(texts[1])))
        else { return .refused }
        return try check(Pair(old: old, new: new)) ? .reached : .parsed
    }
}

private struct Pair {
    let old: Document
    let new: Document

    func compare() throws -> Bool {
        let difference = DocumentDifference(old: old.root, new: new.root)
        try Broken.unless(difference.isEmpty == (old == new), "empty or not, against the documents")
        for id in 0..<difference.nodeCount {
            let node = difference[id]
            for (value, path, root) in [(node.old, node.oldPath, old.root), (node.new, node.newPath, new.root)] {
                guard let value else { continue }
                let found = path.flatMap { root.descendant(at: $0) }
                try Broken.unless(found?.id == value.id, "a value is not at its path \(path?.description ?? "")")
            }
            if let before = node.old?.string, let after = node.new?.string {
                let words = StringDifference(before, after)
                try Broken.unless(
                    words.oldSegments.map(\.text).joined() == before && words.newSegments.map(\.text).joined() == after,
                    "the segments of a string are not the string")
            }
        }
        for change in difference.changes { _ = change.path.description }
        return !difference.isEmpty
    }

    func patch() throws -> Bool {
        let patch = DocumentDifference(old: old.root, new: new.root).patch
        try Broken.unless(try patch.applied(to: old.root) == new, "the patch makes another document")
        let read = try JSONPatch(Document(json: JSONWriter().string(patch.document.root)).root)
        try Broken.unless(try read.applied(to: old.root) == new, "the patch, written and read, makes another document")
        return !patch.isEmpty
    }
}
