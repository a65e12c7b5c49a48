import Foundation

extension Document {
    /// Returns the document with changes made in its text, which keeps its layout and comments around them. Returns nil
    /// for a document without text in UTF-8, if a change isn't possible, and for a new root.
    package func splicing(_ edits: [DocumentEdit]) -> Document? {
        guard encoding == .utf8 else { return nil }
        var document = self
        for edit in edits {
            guard !edit.path.isRoot, let direct = try? edit.direct(in: document.root),
                let text = direct.spliced(into: document).map({ SourceBytes(Data($0)) }),
                let changed = try? document.format == .json5 ? Document(json5: text) : Document(parsing: text)
            else { return nil }
            document = changed
        }
        return document
    }
}

extension DocumentEdit {
    /// Returns the text of a document in which only this change is made: everything else stays as it is written, with
    /// its spaces and comments. Returns nil if the document has no text (a binary property list), or the change isn't
    /// possible.
    ///
    /// A member or element of JSON is removed together with the separator, and with comments between it and the next
    /// one.
    func spliced(into document: Document) -> [UInt8]? {
        guard let source = document.source, let node = try? changedNode(in: document.root),
            let replacements = document.format.isPropertyList ? xmlReplacements(in: node) : replacements(in: node)
        else { return nil }
        var text: [UInt8] = []
        var end = 0
        for (range, bytes) in replacements {
            text += source.data(in: end..<range.lowerBound)
            text += bytes
            end = range.upperBound
        }
        return text + source.data(in: end..<source.count)
    }

    /// Returns the ranges of the source that this change replaces, in order, and the text for each. `node` is the value
    /// to set, or else the container.
    private func replacements(in node: DocumentNode) -> [(range: Range<Int>, text: [UInt8])]? {
        guard let whole = node.sourceRange else { return nil }
        let places = node.children.compactMap { child in
            child.value.sourceRange.map { value in
                let key = child.key?.sourceRange
                return Place(
                    start: key?.lowerBound ?? value.lowerBound, key: key, value: value.lowerBound, end: value.upperBound
                )
            }
        }
        let isMeant = meaning(in: node)
        let meant = node.children.enumerated().filter { isMeant($0.element) }.map(\.offset)
        switch self {
        case .set(_, let value): return [(whole, JSONWriter().bytes(value.root))]
        case .rename(_, let name):
            return meant.compactMap { index in places[index].key.map { ($0, Self.quoted(name)) } }
        case .remove:
            let kept = places.indices.filter { !meant.contains($0) }
            // A comma may follow the last member.
            guard let last = kept.last else { return [(whole.lowerBound + 1..<whole.upperBound - 1, [])] }
            let between = meant.filter { $0 < last }.map { places[$0].start..<places[$0 + 1].start }
            let atEnd = last + 1 < places.count ? [places[last].end..<places[places.count - 1].end] : []
            return (between + atEnd).map { ($0, []) }
        case .add(let path, let value):
            let value = JSONWriter().bytes(value.root)
            let source = node.document.source
            let added = path.lastKey.map {
                Self.quoted($0) + (places.last?.colon(in: source) ?? Array(": ".utf8)) + value
            }
            if let next = meant.first.map({ places[$0] }) {
                return [(next.start..<next.start, (added ?? value) + Array(",".utf8) + next.space(in: source))]
            }
            guard let last = places.last else { return [(whole.lowerBound + 1..<whole.lowerBound + 1, added ?? value)] }
            return [(last.end..<last.end, Array(",".utf8) + last.space(in: source) + (added ?? value))]
        }
    }

    /// The offsets of a member or element in the source.
    private struct Place {
        let start: Int
        let key: Range<Int>?
        let value: Int
        let end: Int

        /// Returns the line break and the indentation before the member or element, or a space if it doesn't begin a
        /// line.
        func space(in source: SourceBytes?) -> [UInt8] {
            guard let source else { return Array(" ".utf8) }
            var first = start
            while first > 0, " \t\r\n".utf8.contains(source[first - 1]) { first -= 1 }
            let space = Array(source.data(in: first..<start))
            let line = space.lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            guard let line else { return Array(" ".utf8) }
            let isPair = line > 0 && space[line - 1] == UInt8(ascii: "\r") && space[line] == UInt8(ascii: "\n")
            return Array(space[(isPair ? line - 1 : line)...])
        }

        /// Returns what is between the name and the value, or nil if that includes a comment.
        func colon(in source: SourceBytes?) -> [UInt8]? {
            guard let source, let key else { return nil }
            let colon = Array(source.data(in: key.upperBound..<value))
            return colon.allSatisfy(" :".utf8.contains) ? colon : nil
        }
    }

    private static func quoted(_ name: String) -> [UInt8] { JSONWriter().bytes(Document(text: name).root) }
}
