import DisplayText
import DocumentModel
import Foundation

/// A document on its way to a terminal.
enum TerminalDocument {
    /// The same document in which nothing can touch the terminal: what its format can say with an escape is one, and in
    /// JSON a carriage return between values is a blank.
    ///
    /// - Returns: nil for what is no text, and for what the format has no escape for, such as an escape character in an
    ///   XML property list.
    static func spelling(of data: Data, in format: DocumentFormat) -> Data? {
        guard format != .plistBinary, let text = String(validating: data, as: UTF8.self) else { return nil }
        // The mark of the order of bytes says nothing of the document.
        let scalars =
            text.unicodeScalars.first == "\u{FEFF}" ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...]
        // Where nothing is escaped in XML, nothing has to be.
        let isRaw = text.utf8.firstRange(of: "<![CDATA[".utf8) != nil
        var isSafe = true
        var last: Unicode.Scalar?
        let spelled = Substring(scalars).escaping { scalar in
            defer { last = scalar }
            // Alone, a carriage return has what follows written over its line.
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
