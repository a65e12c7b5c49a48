import Foundation
import TestSupport
import Testing

@testable import DocumentModel

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Strange names in documents")
struct StrangeNamesTests {
    /// An object with each name as a key and as that key's value.
    private static let document: Document = {
        var builder = DocumentBuilder()
        builder.beginObject()
        for name in StrangeNames.all {
            builder.key(name)
            builder.string(name)
        }
        builder.end()
        return builder.finish()
    }()

    /// Expects an object that Foundation has read to have each name as a key and as that key's value, byte for byte.
    private func expectNames(_ read: Any?, _ format: String) throws {
        let members = try #require(read as? [String: String], "\(format)")
        for (key, value) in members { #expect(key.isExactly(value), "\(format): \(key.debugDescription)") }
        #expect(Set(members.keys.map { Array($0.utf8) }) == Set(StrangeNames.all.map { Array($0.utf8) }), "\(format)")
    }

    @Test("a path or a JSON Pointer with a strange name leads to the same member when it is read back")
    func paths() {
        for name in StrangeNames.all {
            for components in [[.key(name)], [.key(name), .index(3), .key(name)]] as [[DocumentPath.Component]] {
                let path = DocumentPath(components)
                #expect(DocumentPath(path.description) == path, "\(name.debugDescription)")
            }
            let path = DocumentPath([.key(name)])
            #expect(DocumentPath(jsonPointer: path.jsonPointer, in: Self.document.root) == path)
            #expect(Self.document.root.descendant(at: path)?.string?.isExactly(name) == true)
        }
    }

    @Test("Foundation reads strange names in JSON and property lists as they were written")
    func formats() throws {
        for layout in [JSONWriter.Spacing.compact, .pretty] {
            let json = JSONWriter(layout: layout).data(Self.document.root)
            try expectNames(JSONSerialization.jsonObject(with: json), "JSON")
        }
        for form in [PropertyListWriter.xml, .binary] {
            let list = try form.data(Self.document.root)
            try expectNames(PropertyListSerialization.propertyList(from: list, format: nil), "\(form)")
            #expect(try Document(parsing: SourceBytes(list)) == Self.document)
        }
    }

    @Test("an XML parser reads strange names in a property list as they were written, if XML allows the characters")
    func xml() throws {
        var builder = DocumentBuilder()
        builder.beginArray()
        // XML 1.0, section 2.2.
        let names = StrangeNames.all.filter { !$0.utf8.contains(0x1B) }
        for name in names { builder.string(name) }
        builder.end()
        let reader = StringReader()
        let parser = XMLParser(data: try PropertyListWriter.xml.data(builder.finish().root))
        parser.delegate = reader
        #expect(parser.parse(), "\(parser.parserError.debugDescription)")
        #expect(reader.strings.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    /// Collects the texts of `string` elements.
    private final class StringReader: NSObject, XMLParserDelegate {
        private(set) var strings: [String] = []
        private var text: [UInt8] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) { text = [] }

        func parser(_ parser: XMLParser, foundCharacters characters: String) { text += Array(characters.utf8) }

        func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
            if name == "string" { strings.append(String(decoding: text, as: UTF8.self)) }
        }
    }
}
