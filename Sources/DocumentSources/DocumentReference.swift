import DocumentModel
import Foundation

/// The name of one document: a file, or a part of a file that is a document of its own.
///
///     demo-data/poems/rating-9.json       a whole file
///     demo-data/letters.jsonl#L12         a line of a JSON Lines file
///     demo-data/books.sqlite#BOOK/3/META  a cell of a SQLite store
///     -                                   standard input
///
/// A reference is a name and nothing else: making one opens no file, and what it names may be gone by the time it is read.
public struct DocumentReference: Sendable {
    /// Which part of the file the document is.
    public enum Part: Sendable, Hashable {
        /// All of it.
        case whole
        /// The line of that number, from 1. Lines of a JSON Lines file end at LF, or CRLF.
        case line(Int)
        /// A cell of a SQLite store: the value of `column` in the row of `table` that `key` names.
        case cell(table: String, key: String, column: String)
    }

    /// The path of the file as it was given, joined with the walk; `-` for standard input.
    public let file: String

    /// Which part of the file the document is.
    public let part: Part

    /// Where a line stood in the file when it was found, in bytes; saves counting lines when it is read, and is checked then.
    let extent: Range<Int>?

    /// Names a part of a file.
    public init(file: String, part: Part = .whole) { self.init(file: file, part: part, extent: nil) }

    init(file: String, part: Part, extent: Range<Int>?) {
        self.file = file
        self.part = part
        self.extent = extent
    }

    /// Standard input.
    public static let standardInput = DocumentReference(file: "-")

    /// Whether this is standard input.
    public var isStandardInput: Bool { file == Self.standardInput.file }

    /// Whether there is a file of that name now; standard input always is there.
    public var exists: Bool { isStandardInput || FileStatus.exists(file) }

    /// Whether the document is the file at `path` or a part of it, whatever name either goes by.
    public func isPart(ofFileAt path: String) -> Bool {
        guard !isStandardInput, let own = FileStatus(path: file), let other = FileStatus(path: path) else {
            return false
        }
        return own.identity == other.identity
    }

    /// The name of the document in reports: the path, and behind `#` the part of the file.
    public var name: String { file + partSuffix }

    /// The name for a list: the last component of the path, and the part of the file.
    public var displayName: String {
        if isStandardInput { return "standard input" }
        let component = file.split(separator: "/").last.map(String.init) ?? file
        return component + partSuffix
    }

    private var partSuffix: String {
        switch part {
        case .whole: ""
        case .line(let number): "#L\(number)"
        case .cell(let table, let key, let column):
            "#\(Self.escaped(table))/\(key)/\(Self.escaped(column))"
        }
    }

    /// A table's or column's name with `/`, `#` and `%` percent-encoded, so that the slashes around the key can be found again.
    private static func escaped(_ name: String) -> String {
        // Scalar by scalar: a combining mark behind one of them would hide it from a search for characters.
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "%": text += "%25"
            case "/": text += "%2F"
            case "#": text += "%23"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}

extension DocumentReference: Hashable {
    /// Whether two references name the same document; where a line was found does not matter.
    public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
        left.name.isExactly(right.name)
    }

    /// Feeds the name to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(name))
    }
}

extension DocumentReference: CustomStringConvertible {
    /// The same as ``name``.
    public var description: String { name }
}

// MARK: - Names on the command line

extension DocumentReference {
    /// The document that a name from the command line or a report means: an existing file of exactly that name; failing that, a part
    /// of an existing file; failing that, the file of that name, which does not exist.
    public init(resolving name: String) {
        self = Self.partOfExistingFile(name) ?? DocumentReference(file: name)
    }

    private static func partOfExistingFile(_ name: String) -> DocumentReference? {
        guard name != standardInput.file, !FileStatus.exists(name) else { return nil }
        // A path may contain `#`, and so may a key: the longest file that exists is the one meant.
        let scalars = name.unicodeScalars
        var end = scalars.endIndex
        while let mark = scalars[..<end].lastIndex(of: "#") {
            let file = String(scalars[..<mark])
            if FileStatus.exists(file), let part = part(named: scalars[scalars.index(after: mark)...]) {
                return DocumentReference(file: file, part: part)
            }
            end = mark
        }
        return nil
    }

    private static func part(named text: Substring.UnicodeScalarView) -> Part? {
        let digits = String(text.dropFirst())
        if text.first == "L", let number = Int(digits), number > 0, String(number) == digits { return .line(number) }
        guard let first = text.firstIndex(of: "/"), let last = text.lastIndex(of: "/"), first < last,
            let table = String(text[..<first]).removingPercentEncoding,
            let column = String(text[text.index(after: last)...]).removingPercentEncoding
        else { return nil }
        return .cell(table: table, key: String(text[text.index(after: first)..<last]), column: column)
    }
}
