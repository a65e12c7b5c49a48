import DocumentModel
import Foundation

/// The name of a file or folder as the system has it: bytes, which are nearly always UTF-8, though nothing promises
/// that.
///
/// Names go from the command line or a folder to the system's calls as they are. What is not UTF-8 in them is seen in
/// ``description``, where every such byte is written as `\xE9`, and found again by ``init(described:)``, as are the
/// escapes that reports print for control characters.
public struct FilePath: Hashable, Sendable {
    /// The bytes, and a zero behind them.
    let cString: [CChar]

    /// The bytes.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    private func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        cString.withUnsafeBufferPointer { text in
            text.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer(rebasing: $0.dropLast())) }
        }
    }

    /// The name with these bytes, up to the first zero among them.
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

    /// The name that is spelled like that.
    public init(_ text: String) { self.init(text.utf8) }

    /// The bytes at an address, up to the zero behind them.
    public init(cString: UnsafePointer<CChar>) {
        self.cString = Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
    }

    /// The name that reports print like that; nil where no byte of it is printed as an escape: `\xE9` for what is not
    /// UTF-8 (``description``), and Swift's own escapes for what cannot be seen, such as `\n` and `\u{202E}`.
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

    /// The bytes that the escape at the beginning of `text` stands for, and how long it is; nil where there is none.
    private static func escape(at text: Substring) -> (bytes: [UInt8], length: Int)? {
        // A mark that stands behind an escape is no part of it, though it may be of the same character.
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

    /// The folder that the program runs in.
    static let currentFolder: FilePath = "."
}

extension FilePath: ExpressibleByStringLiteral {
    /// The name that is spelled like that.
    public init(stringLiteral text: String) { self.init(text) }
}

extension FilePath: CustomStringConvertible {
    /// The name for people: bytes that are not UTF-8 are written as `\xE9`.
    public var description: String {
        let plain = withBytes { bytes in
            bytes.contains(UInt8(ascii: "\\")) ? nil : String(validating: bytes, as: UTF8.self)
        }
        if let plain { return plain }
        let bytes = bytes
        let text = Self.text(of: bytes, backslash: "\\")
        // A name that looks like one with escapes is told from it.
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

    /// Whether the way begins at the root of all files.
    var isAbsolute: Bool { cString.first == Self.slash }

    /// What stands behind the name of a file that was replaced.
    public static var backupEnding: String { ".bak" }

    /// The file of which this is a backup, by its name; nil for one that is none.
    var backedUp: FilePath? {
        let (name, ending) = (bytes, Array(Self.backupEnding.utf8))
        return name.count > ending.count && name.suffix(ending.count).elementsEqual(ending)
            ? FilePath(name.dropLast(ending.count)) : nil
    }

    /// Makes the folders on the way to the file, where they are missing.
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

    /// The folder that the file lies in, with its slash; empty for a file of the current folder.
    var folder: FilePath {
        FilePath(bytes.prefix((cString.lastIndex(of: Self.slash) ?? -1) + 1))
    }

    /// The folder above, without a slash at its end; the current folder, or the root, where none is named.
    public var parent: FilePath {
        var rest = folder.bytes[...]
        while rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        return rest.isEmpty ? (isAbsolute ? "/" : Self.currentFolder) : FilePath(rest)
    }

    /// The name behind the last slash, slashes at the end aside; the whole where nothing else is there.
    public var lastComponent: FilePath {
        bytes.split(separator: UInt8(ascii: "/")).last.map { FilePath($0) } ?? self
    }

    /// The file of that name in this folder.
    public func appending(_ name: FilePath) -> FilePath {
        let needsSlash = cString.count > 1 && cString[cString.count - 2] != Self.slash
        return FilePath(bytes + (needsSlash ? [UInt8(ascii: "/")] : []) + name.bytes)
    }

    /// The name with `text` behind it.
    public static func + (path: FilePath, text: String) -> FilePath { FilePath(path.bytes + Array(text.utf8)) }

    /// Whether the name ends in `suffix`, letter case of ASCII aside.
    package func hasSuffix(_ suffix: String) -> Bool {
        bytes.suffix(suffix.utf8.count).map(\.foldingASCII).elementsEqual(suffix.utf8.map(\.foldingASCII))
    }

    /// The name without `count` bytes at its end.
    func dropLast(_ count: Int) -> FilePath { FilePath(bytes.dropLast(count)) }

    /// The file's absolute path without symbolic links; nil with `errno` set where there is no such file.
    public var resolved: FilePath? {
        guard let real = realpath(cString, nil) else { return nil }
        defer { free(real) }
        return FilePath(cString: real)
    }
}
