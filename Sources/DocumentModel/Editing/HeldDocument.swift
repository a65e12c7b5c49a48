import Foundation

/// A document that is a value of another one: JSON, JSON5 or a property list in a string, in the data of a property list,
/// or in the base64 of a string. Only objects and arrays count.
package struct HeldDocument: Sendable {
    /// How the value holds it.
    package enum Form: Sendable {
        /// As the text of a string.
        case text
        /// As the bytes of data.
        case data
        /// As bytes, in the base64 of a string.
        case base64
    }

    /// The document inside.
    package let document: Document
    package let form: Form

    /// The value in place of the one that held the document, with `document` in it, in as few bytes as its form takes.
    ///
    /// - Throws: ``PropertyListWritingError``.
    package func holding(_ document: Document) throws(PropertyListWritingError) -> Document {
        let bytes = try PropertyListWriter(format: self.document.format)?.data(document.root)
        var builder = DocumentBuilder()
        switch form {
        case .text:
            builder.string(bytes.map { String(decoding: $0, as: UTF8.self) } ?? JSONWriter().string(document.root))
        case .data: builder.data(bytes ?? JSONWriter().data(document.root))
        case .base64: builder.string((bytes ?? JSONWriter().data(document.root)).base64EncodedString())
        }
        return builder.finish(format: form == .data ? .plistBinary : .json)
    }
}

extension DocumentNode {
    /// The document that this value holds; nil where it holds none.
    package var held: HeldDocument? {
        switch kind {
        case .string:
            // Nearly every string is known by its first characters to hold none.
            guard let head = beginning(limit: 64)?.text.drop(while: \.isWhitespace), let first = head.first else {
                return nil
            }
            if "{[</".contains(first) {
                return string.flatMap { Document(held: SourceBytes($0)) }.map {
                    HeldDocument(document: $0, form: .text)
                }
            }
            guard Self.base64Beginnings.contains(where: head.hasPrefix),
                let data = string.flatMap({ Data(base64Encoded: $0) })
            else { return nil }
            return Document(held: SourceBytes(data)).map { HeldDocument(document: $0, form: .base64) }
        case .data:
            return data.flatMap { Document(held: SourceBytes($0)) }.map { HeldDocument(document: $0, form: .data) }
        default: return nil
        }
    }

    /// Whether the value holds a document. Of a long text or long data only the beginning and the end are looked at, so
    /// that every row of a screen may ask.
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

    /// A longer text takes longer to parse than a row may take.
    private static var longestReadWhole: Int { 20_000 }

    /// The object or array that a string holds as JSON; nil for anything else.
    package var heldJSON: Document? {
        guard let held, held.form == .text, held.document.format == .json else { return nil }
        return held.document
    }

    /// The base64 of `{` with what follows it in JSON, of `[`, of `bplist`, and of what XML begins with.
    private static let base64Beginnings = [
        "ey", "ew", "e3", "eQ", "W", "YnBsaXN0", "PD94bWw", "PHBsaXN0", "PCFET0NUWVBF",
    ]
}

extension Document {
    /// The object or array that bytes inside another document are; nil for anything else.
    fileprivate init?(held bytes: SourceBytes) {
        guard let document = try? Document(parsing: bytes, allowsJSON5: true), document.root.kind.isContainer else {
            return nil
        }
        self = document
    }

    /// Whether this is what NSKeyedArchiver writes: objects that name one another by number.
    package var isKeyedArchive: Bool { format.isPropertyList && root.isKeyedArchive }

    /// The class of the outermost object of a keyed archive; nil where the archive does not say it.
    package var archivedClass: String? { isKeyedArchive ? root.archivedClass : nil }
}

extension DocumentNode {
    /// Whether the value of a property list is what NSKeyedArchiver writes.
    package var isKeyedArchive: Bool {
        kind == .object && self["$archiver"] != nil && self["$objects"]?.kind == .array
    }

    /// The class of the outermost object of such an archive; nil where the archive does not say it.
    package var archivedClass: String? {
        guard let objects = self["$objects"] else { return nil }
        func object(_ reference: DocumentNode?) -> DocumentNode? {
            reference.flatMap(KeyedArchiveIdentifier.value).flatMap { objects[Int($0)] }
        }
        return object(object(self["$top"]?.firstChild?.value)?["$class"])?["$classname"]?.string
    }
}
