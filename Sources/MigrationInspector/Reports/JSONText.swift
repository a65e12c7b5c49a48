import DisplayText
import DocumentModel
import MigrationCore

/// Reports as JSON.
enum JSONText {
    /// The JSON text of a report.
    ///
    /// - Throws: `EncodingError`, if the report holds what JSON has no word for.
    static func text(of value: some Encodable, layout: JSONWriter.Spacing) throws -> String {
        escaped(JSONWriter(layout: layout).string(try DocumentEncoder().encode(value).root))
    }

    /// The JSON text of a document, on one line.
    static func text(of document: Document) -> String { escaped(JSONWriter().string(document.root)) }

    /// The JSON text of a string.
    static func text(of string: String) -> String { escaped(JSONString.text(of: string)) }

    /// The JSON text of a trace, which is a versioned document.
    ///
    /// - Throws: `EncodingError`.
    static func text(of trace: MigrationTrace) throws -> String {
        escaped(JSONWriter(layout: .pretty).string(try DocumentEncoder().encode(versioned: trace).root))
    }

    /// The same JSON, in which no character can touch the terminal: those that a display text escapes are escaped. They
    /// stand in strings only.
    private static func escaped(_ text: String) -> String {
        text.utf8.contains { $0 >= 0x7F } ? text.escaping(\.escapeInJSON) : text
    }
}
