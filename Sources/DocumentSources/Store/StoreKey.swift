import DisplayText
import DocumentModel
import Foundation

/// Names the rows of a table, and finds them by their names.
///
/// A row is named by its primary key: the one that the table declares (`Z_PK` in a store of Core Data), or the rowid if
/// it declares none or if it contains NULL, which SQLite permits.
///
///     1187                     an integer
///     en-GB                    text; % / # , and invisible characters are percent-encoded
///     0x8F3A                   a blob
///     dark,en-GB               a key of two columns
///
/// If text reads as a number or a blob, in a column where that makes a difference, its first character is
/// percent-encoded.
struct StoreKey: Sendable {
    /// The columns of the key. Empty if the table has no primary key and its columns hide all names of the rowid.
    let columns: [StoreTable.Column]

    /// The list of columns, as SQL.
    var list: String { columns.map(\.sql).joined(separator: ", ") }

    /// The condition that the columns have the values of a row's key, as SQL.
    var condition: String { columns.map { "\($0.sql) = ?" }.joined(separator: " AND ") }

    // MARK: - Names

    /// Returns the name of the row whose key has these values.
    func name(of values: [StoreValue]) -> String {
        zip(columns, values).map(Self.name).joined(separator: ",")
    }

    /// Returns the values that a name represents, or nil if it isn't a valid name for this table.
    func values(named name: String) -> [StoreValue]? {
        // Split by scalars: a combining mark after a comma would hide the comma from a search by characters.
        let parts = name.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == columns.count else { return nil }
        let values = zip(columns, parts).compactMap(Self.value)
        return values.count == columns.count ? values : nil
    }

    private static func name(of column: StoreTable.Column, _ value: StoreValue) -> String {
        switch value {
        // If NULL can be in a key, the rowid is used instead.
        case .null: return ""
        case .integer(let number): return String(number)
        case .real(let number): return "\(number)"
        case .blob(let bytes): return "0x" + bytes.map(\.hexadecimal).joined()
        case .text(let bytes):
            let text = escaped(bytes)
            guard let first = bytes.first, column.affinity != .text, isNumber(text) || text.isNamedBlob else {
                return text.isNamedBlob ? "%30" + Substring(text.utf8.dropFirst()) : text
            }
            return "%" + first.hexadecimal + text.dropFirst()
        }
    }

    private static func value(of column: StoreTable.Column, _ name: Substring) -> StoreValue? {
        if name.isNamedBlob { return blob(Substring(name.utf8.dropFirst(2))).map(StoreValue.blob) }
        if column.affinity != .text {
            if let number = Int64(name), String(number) == name { return .integer(number) }
            if let number = Double(name), "\(number)" == name { return .real(number) }
        }
        return unescaped(name).map(StoreValue.text)
    }

    private static func isNumber(_ text: String) -> Bool {
        if let number = Int64(text) { return String(number) == text }
        return Double(text).map { "\($0)" == text } ?? false
    }

    // MARK: - Bytes

    private static func escaped(_ bytes: Data) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.percentEncoded(with: "%/#,") }
        return bytes.percentEncoded { $0 < 0x20 || $0 >= 0x7F || "%/#,".utf8.contains($0) }
    }

    private static func unescaped(_ name: Substring) -> Data? {
        var bytes = Data()
        var rest = name.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = blob(Substring(rest.prefix(2))), decoded.count == 1 else { return nil }
            bytes.append(decoded)
            rest.removeFirst(2)
        }
        return bytes
    }

    private static func blob(_ digits: Substring) -> Data? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return Data(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}

extension StringProtocol {
    /// Whether this begins like the name of a blob.
    fileprivate var isNamedBlob: Bool { utf8.starts(with: "0x".utf8) }
}

extension UInt8 {
    fileprivate var hexadecimal: String { padded(to: 2, radix: 16, uppercase: true) }
}

extension String {
    /// Returns the text with these characters percent-encoded, as well as those that reports print as escapes.
    func percentEncoded(with special: String) -> String {
        let isPlain =
            utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && !unicodeScalars.contains(where: special.unicodeScalars.contains)
        if isPlain { return self }
        return escaping { scalar in
            let isEncoded = special.unicodeScalars.contains(scalar) || scalar.isEscapedForDisplay
            return isEncoded ? String(scalar).utf8.percentEncoded { _ in true } : nil
        }
    }
}

extension Sequence<UInt8> {
    /// Returns the text with these bytes, of which the special ones are percent-encoded.
    func percentEncoded(where isSpecial: (UInt8) -> Bool) -> String {
        String(decoding: flatMap { isSpecial($0) ? Array("%\($0.hexadecimal)".utf8) : [$0] }, as: UTF8.self)
    }
}
