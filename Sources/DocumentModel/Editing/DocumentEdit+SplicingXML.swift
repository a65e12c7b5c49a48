extension DocumentEdit {
    /// Returns the ranges of an XML property list in UTF-8 that this change replaces, in order, and the text for each.
    /// `node` is the value to set, or else the container. Returns nil if the document has no such text, or cannot
    /// contain the value.
    func xmlReplacements(in node: DocumentNode) -> [(range: Range<Int>, text: [UInt8])]? {
        guard node.document.encoding == .utf8, let source = node.document.source, let whole = node.sourceRange else {
            return nil
        }
        let isMeant = meaning(in: node)
        let places = node.children.compactMap { child in
            child.value.sourceRange.map { XMLPlace(key: child.key?.sourceRange, value: $0, isMeant: isMeant(child)) }
        }
        switch self {
        case .set(_, let value):
            return Self.xml(value, indentation: source.indentation(ofLineAt: whole.lowerBound)).map { [(whole, $0)] }
        case .rename(_, let name):
            return places.compactMap { place in
                place.isMeant ? place.key.map { ($0, XMLPropertyListWriter.key(name)) } : nil
            }
        case .remove:
            return places.filter(\.isMeant).map { place in
                (place.start - source.space(before: place.start).count..<place.value.upperBound, [])
            }
        case .add(let path, let value):
            guard let like = places.first(where: \.isMeant) ?? places.last else {
                let changed = Self.inPropertyList(value, named: path.lastKey)
                return Self.xml(changed, indentation: source.indentation(ofLineAt: whole.lowerBound)).map {
                    [(whole, $0)]
                }
            }
            let space = source.space(before: like.start)
            guard var text = Self.xml(value, indentation: source.indentation(ofLineAt: like.start)) else { return nil }
            if let name = path.lastKey {
                text = XMLPropertyListWriter.key(name) + source.space(before: like.value.lowerBound) + text
            }
            return like.isMeant
                ? [(like.start..<like.start, text + space)]
                : [(like.value.upperBound..<like.value.upperBound, space + text)]
        }
    }

    /// The ranges of a member or element in the source.
    private struct XMLPlace {
        let key: Range<Int>?
        let value: Range<Int>
        let isMeant: Bool

        var start: Int { key?.lowerBound ?? value.lowerBound }
    }

    /// Returns a document with a dictionary that contains only a value, or an array if there is no name.
    private static func inPropertyList(_ value: Document, named name: String?) -> Document {
        var builder = DocumentBuilder()
        if let name {
            builder.beginObject()
            builder.key(name)
        } else {
            builder.beginArray()
        }
        builder.append(wrapped: value.root, in: .plistXML)
        builder.end()
        return builder.finish(format: .plistXML)
    }

    private static func xml(_ value: Document, indentation: [UInt8]) -> [UInt8]? {
        var builder = DocumentBuilder()
        builder.append(wrapped: value.root, in: .plistXML)
        return try? XMLPropertyListWriter.element(builder.finish(format: .plistXML).root, indentation: indentation)
    }
}

extension SourceBytes {
    /// Returns the whitespace that ends at an offset.
    fileprivate func space(before end: Int) -> [UInt8] {
        var start = end
        while start > 0, self[start - 1].isWhitespace { start -= 1 }
        return Array(data(in: start..<end))
    }

    /// Returns the whitespace at the beginning of the line that contains an offset.
    fileprivate func indentation(ofLineAt offset: Int) -> [UInt8] {
        var start = offset
        while start > 0, self[start - 1] != UInt8(ascii: "\n"), self[start - 1] != UInt8(ascii: "\r") { start -= 1 }
        return (start..<offset).lazy.map { self[$0] }.prefix(while: \.isWhitespace).map { $0 }
    }
}
