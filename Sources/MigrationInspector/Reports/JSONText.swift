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

    /// The JSON text of a trace, which is a versioned document.
    ///
    /// - Throws: `EncodingError`.
    static func text(of trace: MigrationTrace) throws -> String {
        escaped(JSONWriter(layout: .pretty).string(try DocumentEncoder().encode(versioned: trace).root))
    }

    /// The same JSON, in which no character can touch the terminal: those that control it, change the direction of
    /// writing or show nothing are escaped. They stand in strings only.
    private static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x7F }) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x7F, scalar.isControlOrFormat else {
                escaped.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar).map(Array.init) ?? [] {
                let digits = String(unit, radix: 16)
                escaped += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars
            }
        }
        return String(escaped)
    }
}

extension Unicode.Scalar {
    /// Whether this is a character that is not shown but has an effect: U+007F to U+009F, U+202E, U+200B, U+FEFF.
    fileprivate var isControlOrFormat: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
