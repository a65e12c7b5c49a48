import DocumentModel
import Foundation

/// The path of a file or folder as the system stores it: bytes, which are almost always UTF-8, but not necessarily.
///
/// Paths are passed unchanged from the command line or a folder to system calls. ``description`` writes every byte that
/// is not UTF-8 as an escape such as `\xE9`. ``init(described:)`` reads those escapes, and those that reports print for
/// control characters.
public struct FilePath: Hashable, Sendable {
    /// The bytes, followed by a zero.
    let cString: [CChar]

    /// The bytes.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        cString.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer(rebasing: $0.dropLast())) }
        }
    }

    /// Creates a path from bytes, up to the first zero among them.
    public init(_ bytes: some Sequence<UInt8>) {
        cString =
            bytes.withContiguousStorageIfAvailable { Self.cString(of: $0) }
            ?? Array(bytes).withUnsafeBufferPointer { Self.cString(of: $0) }
    }

    private static func cString(of bytes: UnsafeBufferPointer<UInt8>) -> [CChar] {
        let count = bytes.firstIndex(of: 0) ?? bytes.count
        return Array(unsafeUninitializedCapacity: count + 1) { memory, initializedCount in
            for index in 0..<count { memory.initializeElement(at: index, to: CChar(bitPattern: bytes[index])) }
            memory.initializeElement(at: count, to: 0)
            initializedCount = count + 1
        }
    }

    /// Creates a path from text.
    public init(_ text: String) { self.init(text.utf8) }

    /// Creates a path from the bytes at an address, up to the terminating zero.
    public init(cString: UnsafePointer<CChar>) {
        self.cString = Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
    }

    /// Creates a path from its form in reports, or returns nil if `text` contains no escapes: `\xE9` for a byte that is
    /// not UTF-8 (``description``), and Swift's own escapes for invisible characters, such as `\n` and `\u{202E}`.
    public init?(described text: String) {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(text)
        var hasEscapes = false
        while let character = rest.unicodeScalars.first {
            if character == "\\", let (escaped, length) = Self.escape(at: rest) {
                bytes += escaped
                rest = Substring(rest.unicodeScalars.dropFirst(length))
                hasEscapes = true
            } else {
                bytes += Array(String(character).utf8)
                rest.unicodeScalars.removeFirst()
            }
        }
        guard hasEscapes else { return nil }
        self.init(bytes)
    }

    /// Returns the bytes that the escape at the beginning of `text` stands for and the escape's length, or nil if there
    /// is no escape.
    private static func escape(at text: Substring) -> (bytes: [UInt8], length: Int)? {
        // Match scalars: a combining mark after an escape isn't part of it, even if they form one character.
        if let match = text.prefixMatch(of: /\\x([0-9A-Fa-f]{2})/.matchingSemantics(.unicodeScalar)),
            let byte = UInt8(match.1, radix: 16)
        {
            return byte >= 0x80 || byte == UInt8(ascii: "\\") ? ([byte], 4) : nil
        }
        if let match = text.prefixMatch(of: /\\u\{([0-9A-Fa-f]{1,6})\}/.matchingSemantics(.unicodeScalar)) {
            guard let scalar = UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init), scalar != "\0" else {
                return nil
            }
            return (Array(String(scalar).utf8), match.0.unicodeScalars.count)
        }
        let short: [Substring: UInt8] = ["\\t": 9, "\\n": 10, "\\r": 13]
        return short[Substring(text.unicodeScalars.prefix(2))].map { ([$0], 2) }
    }

    /// The current folder of the program.
    static let currentFolder: FilePath = "."
}

extension FilePath: ExpressibleByStringLiteral {
    /// Creates a path from text.
    public init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: CustomStringConvertible {
    /// The path as text, with bytes that are not UTF-8 written as escapes such as `\xE9`.
    public var description: String {
        let plain = withBytes { bytes in
            bytes.contains(UInt8(ascii: "\\")) ? nil : String(validating: bytes, as: UTF8.self)
        }
        if let plain { return plain }
        let bytes = bytes
        let text = Self.text(of: bytes, backslash: "\\")
        // If the text would be read as one with escapes, escape its backslashes too.
        return (FilePath(described: text) ?? FilePath(text)) == self ? text : Self.text(of: bytes, backslash: "\\x5C")
    }

    private static func text(of bytes: [UInt8], backslash: String) -> String {
        var text = ""
        var offset = 0
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar == "\\" { text += backslash } else { text.unicodeScalars.append(scalar) }
                offset += encoded.count
            case .error(let length):
                for byte in bytes[offset..<offset + length] { text += "\\x" + String(byte, radix: 16, uppercase: true) }
                offset += length
            case .emptyInput: return text
            }
        }
    }
}

// MARK: - Parts

extension FilePath {
    private static let slash = CChar(bitPattern: UInt8(ascii: "/"))

    /// Whether the path begins at the root folder.
    var isAbsolute: Bool { cString.first == Self.slash }

    /// The suffix that is appended to the name of a replaced file.
    public static var backupEnding: String { ".bak" }

    /// The file that this is a backup of, judging by its name, or nil if the name isn't that of a backup.
    var backedUp: FilePath? {
        let (name, ending) = (bytes, Array(Self.backupEnding.utf8))
        return name.count > ending.count && name.suffix(ending.count).elementsEqual(ending)
            ? FilePath(name.dropLast(ending.count)) : nil
    }

    /// Creates the missing folders on the path to the file.
    ///
    /// - Throws: ``SourceError``.
    public func makeFolders() throws(SourceError) {
        let path = bytes
        for end in path.indices where path[end] == UInt8(ascii: "/") && end > 0 {
            let folder = FilePath(path[..<end])
            guard mkdir(folder.cString, 0o777) != 0, errno != EEXIST || FileStatus(path: folder)?.isFolder != true
            else {
                continue
            }
            throw SourceError(folder, errno: errno == EEXIST ? ENOTDIR : errno)
        }
    }

    /// The folder of the file, including the slash at its end; empty for a file in the current folder.
    var folder: FilePath {
        FilePath(bytes.prefix((cString.lastIndex(of: Self.slash) ?? -1) + 1))
    }

    /// The parent folder, without a slash at its end. If the path doesn't name one, it is the current folder or the
    /// root folder.
    public var parent: FilePath {
        var rest = folder.bytes[...]
        while rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return rest.isEmpty ? (isAbsolute ? "/" : Self.currentFolder) : FilePath(rest)
    }

    /// The name after the last slash, ignoring slashes at the end; the whole path if there is nothing else.
    public var lastComponent: FilePath {
        bytes.split(separator: UInt8(ascii: "/")).last.map { FilePath($0) } ?? self
    }

    /// Returns the path of a file in this folder.
    public func appending(_ name: FilePath) -> FilePath {
        let needsSlash = cString.count > 1 && cString[cString.count - 2] != Self.slash
        return FilePath(bytes + (needsSlash ? [UInt8(ascii: "/")] : []) + name.bytes)
    }

    /// Returns the path with `text` appended.
    public static func + (path: FilePath, text: String) -> FilePath { FilePath(path.bytes + Array(text.utf8)) }

    /// Returns whether the path ends with `suffix`, ignoring the case of ASCII letters.
    package func hasSuffix(_ suffix: String) -> Bool {
        bytes.suffix(suffix.utf8.count).map(\.foldingASCII).elementsEqual(suffix.utf8.map(\.foldingASCII))
    }

    /// Returns the path without its last `count` bytes.
    func dropLast(_ count: Int) -> FilePath { FilePath(bytes.dropLast(count)) }

    /// The file's absolute path without symbolic links, or nil with `errno` set if the file doesn't exist.
    public var resolved: FilePath? {
        guard let real = realpath(cString, nil) else { return nil }
        defer { free(real) }
        return FilePath(cString: real)
    }
}
