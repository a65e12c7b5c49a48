import DocumentModel
import TestSupport
import Testing

@Suite("Laws of differences on random documents")
struct DocumentDifferenceLawTests {
    @Test(
        "the patch turns the old document into the new one, and is empty only if they are equal",
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

    @Test(
        "the patch is right even if values were unwrapped, wrapped or renamed, and changed",
        arguments: [false, true], ["list", "rows"])
    func patchOfWhatWasWrappedAndChanged(isReversed: Bool, name: String) throws {
        var count = 0
        for seed in 30_000..<32_000 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            func random(_ depth: Int) -> RandomValue { .random(depth: depth, duplicates: false, using: &generator) }
            var (list, box) = (random(4), random(2).json)
            var texts = [#"{"wrap \#(seed % 3)":{"list":\#(list.json),"box":\#(box)},"x":\#(random(2).json)}"#]
            for _ in 0..<Int(seed % 5) { list = list.mutated(duplicates: false, using: &generator) }
            if generator.chance(50) { box = random(1).json }
            texts.append(#"{"wrap 1":1,"\#(name)":\#(list.json),"in":{"box":\#(box),"y":\#(random(2).json)}}"#)
            if isReversed { texts.reverse() }
            let (old, new) = (try Document(json: texts[0]), try Document(json: texts[1]))
            let difference = DocumentDifference(old: old.root, new: new.root)
            try #require(try difference.patch.applied(to: old.root) == new, "\(texts)")
            for change in difference.changes {
                let document = change.kind == .removed ? old : new
                let value = change.kind == .removed ? change.old : change.new
                try #require(document.root.descendant(at: change.path)?.id == value?.id, "\(texts) \(change.path)")
                guard let from = change.from else { continue }
                try #require(old.root.descendant(at: from)?.id == change.old?.id, "\(texts) \(from)")
                let ends = [from, change.path].map(\.description)
                if ends.allSatisfy({ $0.hasSuffix("list") || $0.hasSuffix(name) }), let value,
                    change.old?.isEqual(to: value) == false
                {
                    count += 1
                }
            }
        }
        #expect(count > (name == "list" ? 100 : 20))
    }

    @Test("trivial values move neither out of an array's element nor into one in random documents")
    func trivialValuesStayInTheirElements() throws {
        let trivial: Set = ["null", "true", "false", "0", "1", "2", "\"\"", "\"a\"", "\"x\"", "{}", "[]"]
        var count = 0
        for seed in 20_000..<22_000 as Range<UInt64> {
            let pair = RandomPair(seed: seed, duplicates: false)
            let (old, new) = (try Document(json: pair.old), try Document(json: pair.new))
            let difference = DocumentDifference(old: old.root, new: new.root)
            // The new paths of elements, by their old paths.
            var newPaths: [DocumentPath: DocumentPath] = [:]
            for id in 0..<difference.nodeCount {
                if let oldPath = difference[id].oldPath, let newPath = difference[id].newPath {
                    newPaths[oldPath] = newPath
                }
            }
            for change in difference.changes where change.kind == .moved {
                guard let value = change.old, trivial.contains(JSONWriter().string(value)), let from = change.from
                else {
                    continue
                }
                count += 1
                let (left, entered) = (from.enclosingElement, change.path.enclosingElement)
                let isInside = left.flatMap { newPaths[$0] } == entered && (left == nil) == (entered == nil)
                try #require(isInside, "\(pair) \(from) → \(change.path)")
            }
        }
        #expect(count > 20)
    }

    @Test("random changes include values taken out of elements that move")
    func generatorReachesMovingElements() throws {
        var count = 0
        for seed in 0..<2000 as Range<UInt64> {
            let pair = RandomPair(seed: seed, duplicates: false)
            let (old, new) = (try Document(json: pair.old), try Document(json: pair.new))
            let moves = DocumentDifference(old: old.root, new: new.root).changes.filter { $0.kind == .moved }
            let movedElements = Set(moves.compactMap(\.from))
            count += moves.contains { $0.from?.enclosingElement.map(movedElements.contains) ?? false } ? 1 : 0
        }
        #expect(count > 10)
    }

    @Test(
        "the values of the tree and of the changes are those of the documents at their paths", arguments: [false, true])
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
                    try #require(old.root.descendant(at: path)?.id == value.id, "\(pair) \(path)")
                }
                if let value = node.new {
                    let path = try #require(node.newPath)
                    try #require(new.root.descendant(at: path)?.id == value.id, "\(pair) \(path)")
                }
                if let left = node.old, let right = node.new, node.kind == .unchanged || node.kind == .changed {
                    try #require(left.isEqual(to: right) == (node.kind == .unchanged), "\(pair)")
                }
                try #require(node.counterpart?.counterpart?.id == node.counterpart.map { _ in node.id }, "\(pair)")
            }
            for change in difference.changes {
                let (value, path) = (change.kind == .removed ? change.old : change.new, change.path)
                let document = change.kind == .removed ? old : new
                try #require(document.root.descendant(at: path)?.id == value?.id, "\(pair) \(path)")
                try #require((change.from != nil) == (change.kind == .moved), "\(pair)")
            }
        }
    }
}

extension DocumentPath {
    /// The innermost array element that contains the value, other than the value itself.
    fileprivate var enclosingElement: DocumentPath? {
        var path = parent
        while let here = path {
            if case .index = here.components.last { return here }
            path = here.parent
        }
        return nil
    }
}
