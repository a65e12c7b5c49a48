import DocumentModel
import Foundation

let editTarget = FuzzTarget(
    name: "edit", summary: "changes of a document, as JSON; reached: one was made, and is what the new document says"
) { Edits() }

/// The length of a document in four bytes, the document, and edits of it as JSON.
private struct Edits: FuzzSubject {
    func input(_ random: inout SplitMix64) -> [UInt8] {
        let isPropertyList = random.below(4) == 0
        let bytes =
            isPropertyList ? PropertyLists.bytes(.binary, &random) : Array(RandomJSON.text(depth: 5, &random).utf8)
        var edits: [DocumentEdit] = []
        if let document = try? Document(parsing: SourceBytes(Data(bytes))) {
            for _ in 0...random.below(3) { edits.append(Self.edit(of: document, &random)) }
        }
        var text = Array(((try? JSONWriter(layout: .compact).data(DocumentEncoder().encode(edits).root)) ?? Data()))
        if random.below(4) == 0 { Mutator.json.mutate(&text, times: 1, &random) }
        var size = UInt32(bytes.count)
        return withUnsafeBytes(of: &size) { Array($0) } + bytes + text
    }

    private static func edit(of document: Document, _ random: inout SplitMix64) -> DocumentEdit {
        let nodes = document.root.nodes
        let node = nodes[nodes.index(nodes.startIndex, offsetBy: random.below(nodes.count))]
        let name = random.one(of: RandomJSON.names)
        let value = (try? Document(json: RandomJSON.text(depth: 2, &random))) ?? document
        return switch random.below(6) {
        case 0, 1: .set(node.path, value)
        case 2: .remove(node.path)
        case 3: .rename(node.path, to: name)
        case 4: .add(node.path.appending(key: name), value)
        default: .add(node.path.appending(index: random.below(3)), value)
        }
    }

    func run(_ input: [UInt8]) throws -> Depth {
        guard input.count > 4 else { return .refused }
        let size = Int(input.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) })
        guard input.count >= 4 + size, let document = try? Document(parsing: SourceBytes(Data(input[4..<4 + size]))),
            let text = try? Document(parsing: SourceBytes(Data(input[(4 + size)...]))),
            let edits = try? DocumentDecoder().decode([DocumentEdit].self, from: text.root)
        else { return .refused }
        let again = try DocumentDecoder().decode([DocumentEdit].self, from: DocumentEncoder().encode(edits).root)
        try Broken.unless(again == edits, "written and read again they are other changes")
        var (changed, depth) = (document, Depth.parsed)
        for edit in edits {
            guard let next = try? changed.applying([edit]) else { return depth }
            try check(edit, of: changed, makes: next)
            (changed, depth) = (next, .reached)
        }
        try Broken.unless(try document.applying(edits) == changed, "all at once they make another document")
        if document.format == .json {
            let read = try Document(parsing: SourceBytes(JSONWriter(layout: .compact).data(changed.root)))
            try Broken.unless(read == changed, "written and read again it is another document")
        } else if let data = try? PropertyListWriter(format: document.format)?.data(changed.root) {
            _ = try Document(parsing: SourceBytes(data))
        }
        return depth
    }

    private func check(_ edit: DocumentEdit, of old: Document, makes new: Document) throws {
        let (path, isJSON) = (edit.path, old.format == .json)
        // A name that stands for a position in an array is followed by edits, but not by `descendant(at:)`.
        let namesPosition = path.components.indices.contains { depth in
            let container = old.root.descendant(at: DocumentPath(Array(path.components[..<depth])))
            return container?.kind == .array && path.components[depth].name != nil
        }
        if namesPosition { return }
        // If the edit is inside a document that a string or data holds, that value changes.
        let isSet = if case .set = edit { true } else { false }
        guard let place = old.root.descendant(at: isSet ? path : path.parent ?? path), isSet || place.kind.isContainer
        else { return }
        let found = new.root.descendant(at: path)
        switch edit {
        case .set(_, let value), .add(_, let value):
            // A property list writes some values differently.
            try Broken.unless(isJSON ? found?.isEqual(to: value.root) == true : found != nil, "the value is not there")
        case .remove:
            guard let parent = path.parent, let before = old.root.descendant(at: parent) else { break }
            // All members with the name, unless the path names a single one.
            let count =
                if case .key(let key)? = path.components.last {
                    before.members.count { Array($0.name.utf8) == Array(key.utf8) }
                } else { 1 }
            let after = new.root.descendant(at: parent)?.count
            try Broken.unless(after == before.count - count, "\(before.count - (after ?? 0)) are gone, not \(count)")
        case .rename(_, let name):
            let container = path.parent.flatMap(new.root.descendant)
            let renamed = container?.members.filter { Array($0.name.utf8) == Array(name.utf8) }.map(\.value) ?? []
            // If several members have the name, another one takes its place.
            let isOneOfSeveral = if case .laterKey? = path.components.last { true } else { false }
            let isThere = old.root.descendant(at: path).map { before in renamed.contains { before.isEqual(to: $0) } }
            let isGone = found == nil || isOneOfSeveral
            try Broken.unless(isGone && isThere == true, "the value is not under its new name")
        }
    }
}
