/// Markup of an HTML page that is well-formed XML too.
///
/// Names of elements and attributes are literals, and everything else passes through ``escaped(_:)``. So no text of a
/// document, a chain or a path can become markup.
struct PageMarkup {
    /// The source of the markup.
    let source: String

    private init(source: String) { self.source = source }

    /// Returns text that a browser shows as the other reports print it.
    static func text(_ text: String) -> PageMarkup { PageMarkup(source: escaped(text)) }

    /// Returns lines of text, for an element that keeps line breaks.
    static func lines(_ lines: [String]) -> PageMarkup {
        PageMarkup(source: lines.map(escaped).joined(separator: "\n"))
    }

    /// Returns markup after markup.
    static func sequence(_ parts: [PageMarkup]) -> PageMarkup { PageMarkup(source: parts.map(\.source).joined()) }

    /// Returns a style sheet, which must not contain `<` or `&`.
    static func style(_ sheet: StaticString) -> PageMarkup { PageMarkup(source: "<style>\(sheet)</style>") }

    /// Returns an element without attributes.
    ///
    /// - Parameter content: The content, without spaces or line breaks between its parts.
    static func element(_ name: StaticString, _ content: PageMarkup...) -> PageMarkup {
        PageMarkup(source: "<\(name)>\(content.map(\.source).joined())</\(name)>")
    }

    /// Returns an element with attributes.
    static func element(
        _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>, _ content: PageMarkup...
    ) -> PageMarkup {
        PageMarkup(source: "\(start(name, attributes))>\(content.map(\.source).joined())</\(name)>")
    }

    /// Returns an element that contains others, each on a separate line.
    static func block(
        _ name: StaticString, attributes: KeyValuePairs<StaticString, String> = [:], _ content: [PageMarkup]
    ) -> PageMarkup {
        PageMarkup(source: "\(start(name, attributes))>\n\(content.map { "\($0.source)\n" }.joined())</\(name)>")
    }

    /// Returns an element that never has content, such as `meta`.
    static func void(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) -> PageMarkup {
        PageMarkup(source: "\(start(name, attributes)) />")
    }

    private static func start(_ name: StaticString, _ attributes: KeyValuePairs<StaticString, String>) -> String {
        "<\(name)" + attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
    }

    /// Escapes text for content and for quoted values of attributes. Control, invisible and bidirectional characters
    /// become visible.
    private static func escaped(_ text: String) -> String {
        SafeText.line(text).escaping { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: nil
            }
        }
    }
}
