/// The form in which a document is stored.
public enum DocumentFormat: String, Sendable, Hashable, Codable, CaseIterable {
    /// JSON, RFC 8259.
    case json
    /// An XML property list.
    case plistXML = "plist-xml"
    /// A binary property list.
    case plistBinary = "plist-binary"

    /// Whether documents of this form are property lists.
    public var isPropertyList: Bool { self == .plistXML || self == .plistBinary }
}

/// What a document lies in that is not a file of its own.
public enum DocumentContainer: String, Sendable, Hashable, Codable, CaseIterable {
    /// A cell of a SQLite store.
    case sqlite
    /// A line of a JSON Lines file.
    case jsonl
}

extension DocumentFormat {
    /// How many bytes from the beginning of a file ``announced(by:)`` looks at.
    public static let headLength = 4096

    /// The form that the first bytes of a file announce, whether or not the rest keeps the promise: a binary or XML
    /// property list, or, where a `{` comes first behind white space, JSON.
    ///
    /// - Parameter head: The file, or at least its first ``headLength`` bytes.
    /// - Returns: nil for everything else, including JSON texts that are not objects: too much begins with `[` or a
    ///   digit.
    public static func announced(by head: SourceBytes) -> DocumentFormat? {
        if head.begins(with: "bplist") { return .plistBinary }
        let text = DocumentHead(head)
        if text.beginsAsPropertyList { return .plistXML }
        return text.first == UInt8(ascii: "{") ? .json : nil
    }
}

extension SourceBytes {
    /// Whether the first bytes are those of `text`.
    func begins(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && (0..<text.utf8CodeUnitCount).allSatisfy { base[$0] == text.utf8Start[$0] }
    }
}

/// The first characters of a text in whichever encoding: the ASCII ones as they are, all others as 0xFF.
struct DocumentHead {
    private var rest: ArraySlice<UInt8>

    /// Looks at the beginning of `bytes`, behind a byte order mark and white space.
    init(_ bytes: SourceBytes) {
        let (encoding, markLength) = TextEncoding.detect(in: bytes)
        let range = markLength..<max(markLength, min(bytes.count, DocumentFormat.headLength))
        rest = bytes.withBytes(in: range) { Self.ascii($0, encoding)[...] }
        skipWhitespace()
    }

    /// The first character; nil if there is none.
    var first: UInt8? { rest.first }

    /// Whether this is the beginning of an XML property list: `<plist` or its document type, behind what XML allows
    /// before them.
    var beginsAsPropertyList: Bool {
        var head = self
        while head.skipPart(from: "<?", to: "?>") || head.skipPart(from: "<!--", to: "-->") { head.skipWhitespace() }
        guard head.skip("<plist") || head.skip("<!DOCTYPE plist") else { return false }
        return head.first.map { Self.isWhitespace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/") } ?? true
    }

    private static func ascii(_ bytes: UnsafeRawBufferPointer, _ encoding: TextEncoding) -> [UInt8] {
        let width = encoding.unitLength
        let low = encoding.isBigEndian ? width - 1 : 0
        return stride(from: 0, to: bytes.count / width * width, by: width).map { unit in
            let isASCII = bytes[unit + low] < 0x80 && (0..<width).allSatisfy { $0 == low || bytes[unit + $0] == 0 }
            return isASCII ? bytes[unit + low] : 0xFF
        }
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func skipWhitespace() { rest = rest.drop(while: Self.isWhitespace) }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    private mutating func skipPart(from opening: String, to closing: String) -> Bool {
        guard skip(opening) else { return false }
        while !rest.isEmpty, !skip(closing) { rest.removeFirst() }
        return true
    }
}
