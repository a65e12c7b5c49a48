import Foundation

/// Writes documents as JSON, with keys in their order and numbers in their original spelling.
///
///     let text = JSONWriter(layout: .pretty).string(document.root)
///
/// A value that JSON cannot express is written as an object with a special key: a date as `{"$date":
/// "2024-01-31T12:00:00Z"}`, data as `{"$data": BASE64}`, and a non-finite number as `{"$real": "nan"}`, except in
/// JSON5, which has `NaN`.
public struct JSONWriter: Sendable {
    /// The line breaks, and the spaces at the beginning of lines.
    public enum Spacing: Sendable, Hashable {
        /// One line without spaces.
        case compact
        /// One line for every member and element, indented by `indent` for every level, with `colon` between name and
        /// value, and `lineEnd` between lines.
        case pretty(indent: String = "  ", colon: String = ": ", lineEnd: String = "\n")

        /// Indentation by two spaces per level.
        public static var pretty: Spacing { .pretty() }

        /// Returns the layout of a JSON document, as far as its first member or element shows it; pretty for a document
        /// that wasn't read from JSON.
        public static func matching(_ document: Document) -> Spacing {
            guard !document.format.isPropertyList, let source = document.source,
                let first = document.root.firstChild?.value, let container = document.root.sourceRange,
                let value = first.sourceRange?.lowerBound
            else { return .pretty }
            let key = first.key?.sourceRange
            let space = source.string(in: container.lowerBound + 1..<(key?.lowerBound ?? value))
            guard let lastBreak = space.lastIndex(where: \.isNewline) else { return .compact }
            // In JSON5, there may be comments in between.
            let indent = String(space[space.index(after: lastBreak)...].prefix { $0 == " " || $0 == "\t" })
            let lineEnd = String(space[lastBreak])
            let colon = key.map { source.string(in: $0.upperBound..<value) } ?? ": "
            let isPlain = colon.unicodeScalars.allSatisfy { ": \t\r\n".unicodeScalars.contains($0) }
            return .pretty(indent: indent, colon: isPlain ? colon : ": ", lineEnd: lineEnd)
        }
    }

    /// The line breaks.
    public var layout: Spacing

    /// Creates a writer with that layout.
    public init(layout: Spacing = .compact) { self.layout = layout }

    /// Returns the JSON text of `node` without a line ending after it.
    public func string(_ node: DocumentNode) -> String {
        let text = written(node)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// Returns the JSON text of `node` in UTF-8 without a line ending after it.
    public func data(_ node: DocumentNode) -> Data { written(node).data() }

    /// Returns the JSON text of `node` in UTF-8 without a line ending after it.
    package func bytes(_ node: DocumentNode) -> [UInt8] {
        let text = written(node)
        return Array(text.bytes)
    }

    private func written(_ node: DocumentNode) -> ByteWriter {
        let text = withExtendedLifetime(node.document) {
            var pass = Pass(node.document, layout)
            pass.append(node.index, depth: 0)
            return pass.output
        }
        return text
    }
}

/// The state of writing one document.
private struct Pass: ~Copyable {
    private let document: Document
    private let tape: TapeView
    private let colon: [UInt8]
    /// The line ending and the indentation of a level, or nil for one line without spaces.
    private let spacing: (lineEnd: [UInt8], indent: [UInt8])?
    var output: ByteWriter

    init(_ document: Document, _ layout: JSONWriter.Spacing) {
        self.document = document
        tape = TapeView(document)
        output = ByteWriter()
        switch layout {
        case .compact: (colon, spacing) = (Array(":".utf8), nil)
        case .pretty(let indent, let colon, let lineEnd):
            self.colon = Array(colon.utf8)
            spacing = (Array(lineEnd.utf8), Array(indent.utf8))
        }
    }

    mutating func append(_ index: Int, depth: Int) {
        let node = tape[index]
        switch node.kind {
        case .object, .array: appendContainer(index, node, depth: depth)
        case .string, .key: appendString(node)
        case .boolean: output.append(node.flags.contains(.isTrue) ? "true" : "false")
        case .null: output.append("null")
        case .number where tape.text(of: node).last?.isDigit == true: output.append(tape.text(of: node))
        case .number where document.format == .json5:
            let text = document.node(at: index).numberText
            output.append(text == "inf" ? "Infinity" : text == "-inf" ? "-Infinity" : "NaN")
        case .number, .date, .data:
            let (name, text) = document.node(at: index).jsonObject ?? ("$real", "nan")
            output.append("{\"\(name)\"")
            output.append(colon)
            output.append("\"\(text)\"}")
        }
    }

    private mutating func appendContainer(_ index: Int, _ node: TapeNode, depth: Int) {
        let isObject = node.kind == .object
        output.append(UInt8(ascii: isObject ? "{" : "["))
        let (first, end) = (index + 1, Int(node.next))
        var next = first
        while next < end {
            if next > first { output.append(UInt8(ascii: ",")) }
            appendLineBreak(depth: depth + 1)
            if isObject {
                appendString(tape[next])
                output.append(colon)
                next += 1
            }
            append(next, depth: depth + 1)
            next = tape.next(after: next)
        }
        if first < end { appendLineBreak(depth: depth) }
        output.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    private mutating func appendLineBreak(depth: Int) {
        guard let (lineEnd, indent) = spacing else { return }
        output.append(lineEnd)
        for _ in 0..<depth { output.append(indent) }
    }

    private mutating func appendString(_ node: TapeNode) {
        if node.flags.contains(.quoted) { return output.append(tape.text(of: node)) }
        JSONString.appendQuoted(tape.text(of: node), to: &output)
    }
}

extension DocumentNode {
    /// The key and the text of the object that represents a value that JSON cannot express: a date, data, or a
    /// non-finite number; nil for any other value. The text needs no escapes.
    var jsonObject: (name: String, text: String)? {
        switch kind {
        case .date: return ("$date", PropertyListDate.text(date ?? .distantPast))
        case .data: return ("$data", data?.base64EncodedString() ?? "")
        case .number:
            let isFinite = withTextBytes { $0.last?.isDigit == true }
            return isFinite ? nil : ("$real", numberText ?? "nan")
        default: return nil
        }
    }

    /// A short description of the value for a sentence: for a scalar its JSON text, truncated if it is long; for a
    /// container its kind and number of children.
    public var briefText: String {
        switch kind {
        case .object: "an object of \(count) member\(count == 1 ? "" : "s")"
        case .array: "an array of \(count) element\(count == 1 ? "" : "s")"
        default:
            // Read no more of a long text than is shown.
            if let beginning = beginning(limit: 4096), !beginning.isWhole {
                (JSONString.text(of: beginning.text).dropLast() + "…").abbreviated()
            } else {
                JSONWriter().string(self).abbreviated()
            }
        }
    }
}

extension String {
    /// Returns the text, or its beginning with an ellipsis if it has more characters than `limit`.
    package func abbreviated(to limit: Int = 60) -> String {
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        return self[..<end] + "…"
    }
}
