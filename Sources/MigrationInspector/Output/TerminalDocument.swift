import DisplayText
import DocumentModel
import Foundation

/// Makes documents safe to show on a terminal.
enum TerminalDocument {
    /// Returns the same document without anything that could control a terminal. Such characters become escapes of the
    /// format; in JSON, carriage returns between values become spaces.
    ///
    /// - Returns: nil if the bytes are not UTF-8, or if the format cannot escape a character, such as ESC in an XML
    ///   property list.
    static func spelling(of data: Data, in format: DocumentFormat) -> Data? {
        guard format != .plistBinary, let text = String(validating: data, as: UTF8.self) else { return nil }
        // A byte order mark is not part of the document.
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        // Nothing can be escaped inside CDATA.
        let isRaw = text.utf8.firstRange(of: "<![CDATA[".utf8) != nil
        var isSafe = true
        var last: Unicode.Scalar?
        let spelled = Substring(scalars).escaping { scalar in
            defer { last = scalar }
            // Text after a lone carriage return overwrites the line.
            if last == "\r", scalar != "\n", format != .json { isSafe = false }
            switch scalar {
            case "\r" where format == .json: return " "
            case "\r", "\n", "\t": return nil
            case _ where !scalar.isEscapedForDisplay: return nil
            case "\u{7F}"... where format == .json: return scalar.escapeInJSON
            case "\u{7F}"... where !isRaw: return "&#\(scalar.value);"
            default:
                isSafe = false
                return nil
            }
        }
        return isSafe ? Data(spelled.utf8) : nil
    }
}
