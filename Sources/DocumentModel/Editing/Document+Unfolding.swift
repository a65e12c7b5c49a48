extension Document {
    /// Returns the document in which values along the paths are replaced by the documents embedded in them.
    ///
    /// Paths and source positions remain valid. `$.shortcut.key` leads to a value; its position is inside the string if
    /// the string spells the embedded text directly, or otherwise the whole value that contains the embedded document.
    package func unfolding(along paths: [DocumentPath]) -> Document {
        var document = self
        while true {
            var held: [DocumentNode.ID: HeldDocument] = [:]
            for path in paths {
                let (node, rest) = document.root.deepestDescendant(along: path)
                if !rest.isEmpty, let inside = node.held { held[node.id] = inside }
            }
            if held.isEmpty { return document }
            document = document.unfolding(held)
        }
    }

    /// Returns the value at the path, which may lead into embedded documents, or nil if there is none.
    package func value(at path: DocumentPath) -> DocumentNode? {
        root.descendant(at: path) ?? unfolding(along: [path]).root.descendant(at: path)
    }

    /// Returns the location of the value at the path, or of the innermost existing value along it. If that is in a
    /// document embedded as text in a string, the location is relative to that text, and ``SourceLocation/within`` is
    /// the path of the string.
    package func location(along path: DocumentPath) -> SourceLocation? {
        let (node, rest) = root.deepestDescendant(along: path)
        guard !rest.isEmpty, let held = node.held, held.form == .text,
            var location = held.document.location(along: DocumentPath(Array(rest)))
        else { return node.location }
        location.within = node.path.appending(location.within ?? .root)
        return location
    }

    /// Returns the document in which some values are replaced by the documents embedded in them.
    package func unfolding(_ held: [DocumentNode.ID: HeldDocument]) -> Document {
        var forms: [Int: EmbeddedForm] = [:]
        var ranges: [Range<UInt32>] = []
        let hasPlaces = root.sourceRange != nil
        var index = 0
        var count = 0
        while index < nodeCount {
            let node = node(at: index)
            guard let inside = held[node.id] else {
                if let form = storage.heldForms[index] { forms[count] = form }
                if hasPlaces { ranges.append(Self.range(node.sourceRange ?? 0..<0)) }
                (index, count) = (index + 1, count + 1)
                continue
            }
            forms[count] = inside.form
            if let range = node.sourceRange {
                let places = inside.form == .text ? node.placesOfText(in: range) : nil
                for inner in inside.document.root.nodes {
                    let place = places.flatMap { places in
                        inner.sourceRange.map { places[$0.lowerBound]..<places[$0.upperBound] }
                    }
                    ranges.append(place ?? Self.range(range))
                }
            }
            (index, count) = (node.endIndex, count + inside.document.nodeCount)
        }
        let places = held.keys.sorted()
        var builder = DocumentBuilder()
        builder.append(root) { node, builder in
            if let inside = held[node.id] {
                builder.append(inside.document.root)
                return true
            }
            let next = places.partitioningIndex { $0 >= node.id }
            if next < places.count, places[next].index < node.endIndex { return false }
            builder.append(node)
            return true
        }
        return builder.finish(
            format: format, source: source, sourceRanges: hasPlaces ? ranges : nil, encoding: encoding,
            markLength: storage.markLength, heldForms: forms)
    }

    private static func range(_ range: Range<Int>) -> Range<UInt32> {
        // Sources are shorter than 4 GiB.
        UInt32(range.lowerBound)..<UInt32(range.upperBound)
    }
}

extension DocumentNode {
    /// The document embedded in this value, at the same position of a document like the surrounding one; nil if no
    /// document is embedded.
    package var unfolded: DocumentNode? {
        held.map { document.unfolding([id: $0]).node(at: index) }
    }

    /// The form in which the document at this position of an unfolded document is embedded; nil for any other value.
    package var heldForm: EmbeddedForm? {
        // Few documents are unfolded.
        document.storage.heldForms.isEmpty ? nil : document.storage.heldForms[index]
    }

    /// Returns the source offset of each byte of a string's text, followed by the offset of its end, or nil if the
    /// source doesn't spell the text character by character.
    fileprivate func placesOfText(in range: Range<Int>) -> [UInt32]? {
        guard let source = document.source, let text = string.map({ Array($0.utf8) }) else { return nil }
        return source.withBytes(in: range) { spelling in
            let isElement = spelling.first == UInt8(ascii: "<")
            // After the quotation mark or the tag.
            guard
                var place = isElement
                    ? spelling.firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 }) : spelling.isEmpty ? nil : 1
            else { return nil }
            var places: [UInt32] = []
            places.reserveCapacity(text.count + 1)
            while places.count < text.count, place < spelling.count {
                let byte = text[places.count]
                var (length, bytes) = (1, 1)
                if spelling[place] == UInt8(ascii: isElement ? "&" : "\\") {
                    let rest = UnsafeRawBufferPointer(rebasing: spelling[place...])
                    let escape =
                        isElement
                        ? rest.firstIndex(of: UInt8(ascii: ";")).map { $0 + 1 } : JSONString.escapeLength(rest)
                    guard let escape else { return nil }
                    // An escape represents one scalar.
                    (length, bytes) = (escape, byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4)
                } else if spelling[place] != byte {
                    return nil
                }
                places += Array(repeating: UInt32(range.lowerBound + place), count: bytes)
                place += length
            }
            guard places.count == text.count else { return nil }
            return places + [UInt32(range.lowerBound + place)]
        }
    }
}
