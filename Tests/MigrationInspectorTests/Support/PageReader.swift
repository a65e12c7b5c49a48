import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A page as an XML parser reads it, which accepts only well-formed markup.
final class PageReader: NSObject, XMLParserDelegate {
    /// An element with all text inside it.
    struct Element {
        let name: String
        let attributes: [String: String]
        var text = ""
    }

    /// The elements in the order in which they begin.
    private(set) var elements: [Element] = []
    private var open: [Int] = []
    private var isComplete = false
    private var others: [String] = []

    /// Reads a page.
    ///
    /// - Throws: ``Malformed``, also if the page contains comments, processing instructions or CDATA sections.
    init(_ page: String) throws {
        super.init()
        let parser = XMLParser(data: Data(page.utf8))
        parser.delegate = self
        isComplete = parser.parse()
        guard isComplete, others.isEmpty else {
            throw Malformed(words: "\(parser.parserError.debugDescription) \(others)")
        }
    }

    struct Malformed: Error {
        let words: String
    }

    /// The elements with this name.
    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The texts of the elements with this name.
    func texts(_ name: String) -> [String] { all(name).map(\.text) }

    /// The names of the elements and their attributes, which no text of a document may change.
    var skeleton: [String] {
        elements.map { "\($0.name) \($0.attributes.keys.sorted().joined(separator: " "))" }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(elements.count)
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        for index in open { elements[index].text.unicodeScalars += Array(characters.unicodeScalars) }
    }

    func parser(_ parser: XMLParser, foundComment comment: String) { others.append(comment) }
    func parser(_ parser: XMLParser, foundCDATA block: Data) { others.append("CDATA") }
    func parser(_ parser: XMLParser, foundProcessingInstructionWithTarget target: String, data: String?) {
        others.append(target)
    }
}
