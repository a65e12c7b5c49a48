import Foundation

/// A document embedded in a value of another one: JSON, JSON5 or a property list in a string, in the data of a property
/// list, or in a string in base64. It must be an object or an array.
package struct HeldDocument: Sendable {
    /// The embedded document.
    package let document: Document
    package let form: EmbeddedForm

    /// Returns the value that embeds `document` in the same form.
    ///
    /// - Parameter text: The text of the document; nil to write the document again.
    /// - Throws: ``PropertyListWritingError``.
    package func holding(
        _ document: Document, text: [UInt8]? = nil
    ) throws(PropertyListWritingError) -> Document {
        let writer = PropertyListWriter(format: self.document.format)
        let written: Data? = if let text { Data(text) } else { try writer?.data(document.root) }
        let bytes = written ?? JSONWriter().data(document.root)
        var builder = DocumentBuilder()
        switch form {
        case .text: builder.string(String(decoding: bytes, as: UTF8.self))
        case .data: builder.data(bytes)
        case .base64(let spelling): builder.string(spelling.text(of: bytes))
        }
        return builder.finish(format: form == .data ? .plistBinary : .json)
    }
}

extension DocumentNode {
    /// The document embedded in this value, or nil if there is none.
    package var held: HeldDocument? {
        switch kind {
        case .string:
            // The first characters rule out nearly all strings.
            guard let head = beginning(limit: 64)?.text.drop(while: \.isWhitespace), let first = head.first else {
                return nil
            }
            if "{[</".contains(first) {
                return string.flatMap { Document(held: SourceBytes($0)) }.map {
                    HeldDocument(document: $0, form: .text)
                }
            }
            guard let byte = Base64Spelling.firstByte(of: head.utf8), Self.firstBytes.contains(byte),
                let (data, spelling) = string.flatMap(Base64Spelling.read)
            else { return nil }
            return Document(held: SourceBytes(data)).flatMap { document in
                // Short words are base64 of an empty object or array, too.
                if !spelling.isPadded, document.root.isEmpty { return nil }
                return HeldDocument(document: document, form: .base64(spelling))
            }
        case .data:
            return data.flatMap { Document(held: SourceBytes($0)) }.map { HeldDocument(document: $0, form: .data) }
        default: return nil
        }
    }

    /// Whether the value appears to contain an embedded document. For long text or data, only the beginning and the end
    /// are checked, which is fast enough to do for every row of a screen.
    package var seemsToHoldDocument: Bool {
        guard kind == .string || kind == .data else { return false }
        let node = tapeNode
        guard node.range.count > Self.longestReadWhole else { return held != nil }
        let range = node.unquotedRange
        let bytes = document.storage.text.data(in: range.lowerBound..<range.lowerBound + 64)
        let end = document.storage.text.data(in: range.upperBound - 64..<range.upperBound)
        if kind == .data, bytes.starts(with: "bplist".utf8) { return true }
        let last = String(decoding: end, as: UTF8.self).last { !$0.isWhitespace && $0 != "n" && $0 != "\\" }
        switch String(decoding: bytes, as: UTF8.self).first(where: { !$0.isWhitespace }) {
        case "{": return last == "}"
        case "[": return last == "]"
        case "<": return last == ">"
        default: return false
        }
    }

    /// Parsing longer text would take too long for a row.
    private static var longestReadWhole: Int { 20_000 }

    /// The object or array in a string of JSON, or nil for anything else.
    package var heldJSON: Document? {
        guard let held, held.form == .text, held.document.format == .json else { return nil }
        return held.document
    }

    /// The first bytes of JSON, JSON5, and property lists, including whitespace and a byte order mark.
    private static let firstBytes = Array("{[/<b \t\r\n".utf8) + [0xEF]
}

extension Document {
    /// Parses bytes inside another document, or returns nil if they aren't an object or array.
    fileprivate init?(held bytes: SourceBytes) {
        guard let document = try? Document(parsing: bytes, allowsJSON5: true), document.root.kind.isContainer else {
            return nil
        }
        self = document
    }

    /// Whether this was written by NSKeyedArchiver: objects that refer to one another by number.
    package var isKeyedArchive: Bool { format.isPropertyList && root.isKeyedArchive }

    /// The class of the root object of a keyed archive, or nil if the archive doesn't contain it.
    package var archivedClass: String? { isKeyedArchive ? root.archivedClass : nil }
}

extension DocumentNode {
    /// The values inside this one that contain a keyed archive, and the archives.
    package var keyedArchivesInside: [(node: DocumentNode, archive: Document)] {
        let view = TapeView(document)
        var found: [(node: DocumentNode, archive: Document)] = []
        for index in index..<endIndex {
            let value = view[index]
            switch value.kind {
            case .data: break
            // The first characters rule out nearly all strings.
            case .string where Self.archiveBeginnings.contains { view.unquotedText(of: value).starts(with: $0.utf8) }:
                break
            default: continue
            }
            let node = document.node(at: index)
            if let archive = node.held?.document, archive.isKeyedArchive { found.append((node, archive)) }
        }
        return found
    }

    /// The base64 of `bplist` and of `<?xml`, and that text itself.
    private static let archiveBeginnings = ["YnBsaXN0", "PD94bWw", "<?xml"]

    /// Whether the value of a property list was written by NSKeyedArchiver.
    package var isKeyedArchive: Bool {
        kind == .object && self["$archiver"] != nil && self["$objects"]?.kind == .array
    }

    /// The class of the root object of such an archive, or nil if the archive doesn't contain it.
    package var archivedClass: String? {
        guard let objects = self["$objects"] else { return nil }
        func object(_ reference: DocumentNode?) -> DocumentNode? {
            reference.flatMap(KeyedArchiveIdentifier.value).flatMap { objects[Int($0)] }
        }
        return object(object(self["$top"]?.firstChild?.value)?["$class"])?["$classname"]?.string
    }
}
