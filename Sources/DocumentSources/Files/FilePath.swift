import DocumentModel
import Foundation

/// The name of a file or folder as the system has it: bytes, which are nearly always UTF-8, though nothing promises
/// that.
///
/// Names go from the command line or a folder to the system's calls as they are. What is not UTF-8 in them is seen in
/// ``description``, where every such byte is written as `\xE9`, and found again by ``init(described:)``.
public struct FilePath: Hashable, Sendable {
    /// The bytes, and a zero behind them.
    let cString: [CChar]

    /// The bytes.
    public var bytes: [UInt8] { cString.dropLast().map { UInt8(bitPattern: $0) } }

    /// The name with these bytes, up to the first zero among them.
    public init(_ bytes: some Sequence<UInt8>) {
        cString = bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
    }

    /// The name that is spelled like that.
    public init(_ text: String) { self.init(text.utf8) }

    /// The bytes at an address, up to the zero behind them.
    public init(cString: UnsafePointer<CChar>) {
        self.cString = Array(UnsafeBufferPointer(start: cString, count: strlen(cString) + 1))
    }

    /// The name that ``description`` shows with bytes that are not UTF-8; nil where no byte is shown so.
    public init?(described text: String) {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        var hasEscapes = false
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count > 2,
                let escaped = UInt8(Substring(rest.dropFirst().prefix(2)), radix: 16),
                escaped >= 0x80 || escaped == UInt8(ascii: "\\")
            {
                bytes.append(escaped)
                rest.removeFirst(3)
                hasEscapes = true
            } else {
                bytes.append(byte)
            }
        }
        guard hasEscapes else { return nil }
        self.init(bytes)
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
        let bytes = bytes
        if let text = String(validating: bytes, as: UTF8.self) {
            // A name that looks like one with such bytes is told from it.
            return FilePath(described: text) == nil ? text : text.replacing("\\x", with: "\\x5Cx")
        }
        var text = ""
        var offset = 0
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
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

    /// The folder that the file lies in, with its slash; empty for a file of the current folder.
    var folder: FilePath {
        FilePath(bytes.prefix((cString.lastIndex(of: Self.slash) ?? -1) + 1))
    }

    /// The name behind the last slash, slashes at the end aside; the whole where nothing else is there.
    public var lastComponent: FilePath {
        bytes.split(separator: UInt8(ascii: "/")).last.map { FilePath($0) } ?? self
    }

    /// The file of that name in this folder.
    func appending(_ name: FilePath) -> FilePath {
        let needsSlash = cString.count > 1 && cString[cString.count - 2] != Self.slash
        return FilePath(bytes + (needsSlash ? [UInt8(ascii: "/")] : []) + name.bytes)
    }

    /// The name with `text` behind it.
    public static func + (path: FilePath, text: String) -> FilePath { FilePath(path.bytes + Array(text.utf8)) }

    /// Whether the name ends in `suffix`, letter case of ASCII aside.
    func hasSuffix(_ suffix: String) -> Bool {
        bytes.suffix(suffix.utf8.count).map(\.foldingASCII).elementsEqual(suffix.utf8.map(\.foldingASCII))
    }

    /// The name without `count` bytes at its end.
    func dropLast(_ count: Int) -> FilePath { FilePath(bytes.dropLast(count)) }

    /// The file's absolute path without symbolic links; nil with `errno` set where there is no such file.
    var resolved: FilePath? {
        guard let real = realpath(cString, nil) else { return nil }
        defer { free(real) }
        return FilePath(cString: real)
    }
}
