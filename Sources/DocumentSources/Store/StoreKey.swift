import DisplayText
import DocumentModel
import Foundation

/// How the rows of a table are named, and found again by their names.
///
/// A row is named by its primary key: by what the table declares as such (`Z_PK` in a store of Core Data), or by its
/// rowid where it declares nothing, or where SQLite's leniency has let NULL into it.
///
///     1187                     a whole number
///     en-GB                    text; what the name of a document could not hold is percent-encoded: % / # , and what cannot be seen
///     0x8F3A                   a blob
///     dark,en-GB               a key of two columns
///
/// Text that would read as a number or a blob in a column that tells them apart has its first character
/// percent-encoded.
struct StoreKey: Sendable {
    /// The columns; none for a table without a primary key in which others have taken all the names of the rowid.
    let columns: [StoreTable.Column]

    /// The columns, for SQL.
    var list: String { columns.map(\.sql).joined(separator: ", ") }

    /// The condition that the columns have the values of a row's key, for SQL.
    var condition: String { columns.map { "\($0.sql) = ?" }.joined(separator: " AND ") }

    // MARK: - Names

    /// The name of the row with these values in its key.
    func name(of values: [StoreValue]) -> String {
        zip(columns, values).map(Self.name).joined(separator: ",")
    }

    /// The values that a name stands for; nil where it cannot be one of this table's.
    func values(named name: String) -> [StoreValue]? {
        // Scalar by scalar: a combining mark behind a comma would hide it from a search for characters.
        let parts = name.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false).map(Substring.init)
        guard parts.count == columns.count else { return nil }
        let values = zip(columns, parts).compactMap(Self.value)
        return values.count == columns.count ? values : nil
    }

    private static func name(of column: StoreTable.Column, _ value: StoreValue) -> String {
        switch value {
        // Where NULL can be in a key, the rowid is taken instead.
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
    /// Whether this begins as the name of a blob does.
    fileprivate var isNamedBlob: Bool { utf8.starts(with: "0x".utf8) }
}

extension UInt8 {
    fileprivate var hexadecimal: String { padded(to: 2, radix: 16, uppercase: true) }
}

extension String {
    /// The text with these characters percent-encoded, and those that reports would print as escapes.
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
    /// The text with these bytes, those percent-encoded that are special.
    func percentEncoded(where isSpecial: (UInt8) -> Bool) -> String {
        String(decoding: flatMap { isSpecial($0) ? Array("%\($0.hexadecimal)".utf8) : [$0] }, as: UTF8.self)
    }
}
