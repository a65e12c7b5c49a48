import DocumentModel
import MigrationCore

/// Reports as JSON.
enum JSONText {
    /// The JSON text of a report.
    ///
    /// - Throws: `EncodingError`, if the report holds what JSON has no word for.
    static func text(of value: some Encodable, layout: JSONWriter.Spacing) throws -> String {
        JSONWriter(layout: layout).string(try DocumentEncoder().encode(value).root)
    }

    /// The JSON text of a trace, which is a versioned document.
    ///
    /// - Throws: `EncodingError`.
    static func text(of trace: MigrationTrace) throws -> String {
        JSONWriter(layout: .pretty).string(try DocumentEncoder().encode(versioned: trace).root)
    }
}
