import Foundation

/// Writes XML property lists exactly like Foundation's PropertyListSerialization, except that the order of keys and the
/// digits of reals are those of the document, and carriage returns become character references.
struct XMLPropertyListWriter {
    static func data(_ node: DocumentNode) throws(PropertyListWritingError) -> Data {
        var writer = XMLPropertyListWriter()
        writer.output.append(contentsOf: header.utf8)
        try writer.append(node, depth: 0)
        writer.output.append(contentsOf: "</plist>\n".utf8)
        return Data(writer.output)
    }

    /// Returns the XML of a value inside a property list, without whitespace around it.
    ///
    /// - Parameter indentation: The whitespace at the beginning of its last line.
    static func element(_ node: DocumentNode, indentation: [UInt8]) throws(PropertyListWritingError) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.indentation = indentation
        try writer.append(node, depth: 0)
        return Array(writer.output.dropFirst(indentation.count).dropLast())
    }

    /// Returns the XML of a key.
    static func key(_ name: String) -> [UInt8] {
        var writer = XMLPropertyListWriter()
        writer.appendText(Document(text: name).root, element: "key", depth: 0)
        return Array(writer.output.dropLast())
    }

    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private var output: [UInt8] = []
    /// The whitespace before the indentation of each line.
    private var indentation: [UInt8] = []

    private mutating func append(_ node: DocumentNode, depth: Int) throws(PropertyListWritingError) {
        switch node.kind {
        case .object where node.isEmpty: line("<dict/>", depth)
        case .object where !node.isIdentifier && KeyedArchiveIdentifier.value(of: node) != nil:
            throw PropertyListWritingError(node, .identifier)
        case .object:
            line("<dict>", depth)
            for member in node.members {
                appendText(member.key, element: "key", depth: depth + 1)
                try append(member.value, depth: depth + 1)
            }
            line("</dict>", depth)
        case .array where node.isEmpty: line("<array/>", depth)
        case .array:
            line("<array>", depth)
            for element in node.elements { try append(element, depth: depth + 1) }
            line("</array>", depth)
        case .string, .key: appendText(node, element: "string", depth: depth)
        case .number: try appendNumber(node, depth: depth)
        case .boolean: line(node.boolean == true ? "<true/>" : "<false/>", depth)
        case .date:
            let seconds = node.date?.timeIntervalSinceReferenceDate ?? 0
            line("<date>\(PropertyListDate.text(wholeSeconds: seconds))</date>", depth)
        case .data: appendData(node.data ?? Data(), depth: depth)
        case .null: throw PropertyListWritingError(node, .null)
        }
    }

    private mutating func line(_ text: String, _ depth: Int) {
        indent(depth)
        output.append(contentsOf: text.utf8)
        output.append(UInt8(ascii: "\n"))
    }

    private mutating func indent(_ depth: Int) {
        output.append(contentsOf: indentation)
        output.append(contentsOf: repeatElement(UInt8(ascii: "\t"), count: depth))
    }

    private mutating func appendText(_ node: DocumentNode, element: String, depth: Int) {
        indent(depth)
        output.append(contentsOf: "<\(element)>".utf8)
        for byte in (node.string ?? "").utf8 {
            switch byte {
            case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
            // An XML parser would read it as a line feed (XML 1.0, section 2.11).
            case UInt8(ascii: "\r"): output.append(contentsOf: "&#13;".utf8)
            default: output.append(byte)
            }
        }
        output.append(contentsOf: "</\(element)>\n".utf8)
    }

    private mutating func appendNumber(_ node: DocumentNode, depth: Int) throws(PropertyListWritingError) {
        let text = node.numberText ?? ""
        guard node.isIntegerNumber else {
            switch text {
            case "inf": line("<real>+infinity</real>", depth)
            case "-inf": line("<real>-infinity</real>", depth)
            default: line("<real>\(text)</real>", depth)
            }
            return
        }
        guard let number = PropertyListNumber.integer(Array(text.utf8)) else {
            throw PropertyListWritingError(node, .integerTooLarge(node.briefText))
        }
        line("<integer>\(number)</integer>", depth)
    }

    /// Appends base64 in lines of 76 columns, with a tab counting as eight columns, indented by at most eight tabs
    /// (CoreFoundation's CFPropertyList.c).
    private mutating func appendData(_ data: Data, depth: Int) {
        line("<data>", depth)
        let lineDepth = min(depth, 8)
        let lineLength = (76 - lineDepth * 8) / 4 * 4
        let text = Array(data.base64EncodedString().utf8)
        for start in stride(from: 0, to: text.count, by: lineLength) {
            indent(lineDepth)
            output.append(contentsOf: text[start..<min(start + lineLength, text.count)])
            output.append(UInt8(ascii: "\n"))
        }
        line("</data>", depth)
    }
}
