/// The frame of an HTML page and the blocks that pages have in common. A page is one file, without scripts and links, and
/// nothing in it is loaded from elsewhere.
enum WebPage {
    /// Returns a page.
    ///
    /// - Parameter blocks: The content, one block below the other.
    static func text(title: String, _ blocks: [PageMarkup]) -> String {
        let policy = "default-src 'none'; style-src 'sha256-\(PageStyle.hash)'; base-uri 'none'; form-action 'none'"
        let head = PageMarkup.block(
            "head",
            [
                .void("meta", ["charset": "utf-8"]),
                .void("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
                .void("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                .element("title", .text(title)), .style(PageStyle.sheet),
            ])
        let page = PageMarkup.block(
            "html", attributes: ["lang": "en"], [head, .block("body", [.block("main", blocks)])])
        return "<!DOCTYPE html>\n\(page.source)"
    }

    static func heading(_ text: String) -> PageMarkup { .element("h2", .text(text)) }

    /// Returns a list; nil if it's empty.
    static func list(_ items: [String], kind: String = "list") -> PageMarkup? {
        items.isEmpty ? nil : .block("ul", attributes: ["class": kind], items.map { .element("li", .text($0)) })
    }

    /// Returns blocks that users open and close by their title.
    static func section(_ title: String, isOpen: Bool, _ blocks: [PageMarkup]) -> PageMarkup {
        let content = [.element("summary", heading(title))] + blocks
        return isOpen ? .block("details", attributes: ["open": "open"], content) : .block("details", content)
    }
}
