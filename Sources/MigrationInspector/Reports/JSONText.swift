import DisplayText
import DocumentModel
import MigrationCore

/// Encodes reports as JSON.
enum JSONText {
    /// Returns the JSON text of a report.
    ///
    /// - Throws: `EncodingError` if the report contains something that JSON cannot represent.
    static func text(of value: some Encodable, layout: JSONWriter.Spacing) throws -> String {
        escaped(JSONWriter(layout: layout).string(try DocumentEncoder().encode(value).root))
    }

    /// Returns the members of an object, each with its JSON text on one line.
    ///
    /// - Throws: `EncodingError`.
    static func members(of value: some Encodable) throws -> [(name: String, text: String)] {
        let document = try DocumentEncoder().encode(value)
        return document.root.children.compactMap { child in
            guard case .key(let name)? = child.value.path.components.last else { return nil }
            return (name, escaped(JSONWriter().string(child.value)))
        }
    }

    /// Returns the JSON text of a document, on one line.
    static func text(of document: Document) -> String { escaped(JSONWriter().string(document.root)) }

    /// Returns the JSON text of a string.
    static func text(of string: String) -> String { escaped(JSONString.text(of: string)) }

    /// Returns the JSON text of a trace, which is a versioned document.
    ///
    /// - Throws: `EncodingError`.
    static func text(of trace: MigrationTrace) throws -> String {
        escaped(JSONWriter(layout: .pretty).string(try DocumentEncoder().encode(versioned: trace).root))
    }

    /// Escapes all characters that could affect the terminal, as a display text does. They occur only in strings.
    private static func escaped(_ text: String) -> String {
        text.utf8.contains { $0 >= 0x7F } ? text.escaping(\.escapeInJSON) : text
    }
}
