import Foundation

/// Writes documents as JSON: keys in their order, numbers as they were written.
///
///     let text = JSONWriter(layout: .pretty).string(document.root)
///
/// A value that JSON cannot express is written as an object that says so: a date as `{"$date":
/// "2024-01-31T12:00:00Z"}`, data as `{"$data": BASE64}`, and a number that is not finite as `{"$real": "nan"}`, unless
/// the document is JSON5, which has `NaN`.
public struct JSONWriter: Sendable {
    /// Where lines break, and what stands at their beginnings.
    public enum Spacing: Sendable, Hashable {
        /// One line, no spaces.
        case compact
        /// A line for every member and element, further in by `indent` at every level, with `colon` between name and
        /// value, and `lineEnd` between lines.
        case pretty(indent: String = "  ", colon: String = ": ", lineEnd: String = "\n")

        /// Two spaces a level.
        public static var pretty: Spacing { .pretty() }

        /// The layout that a JSON document was written in, as far as its first member or element shows it; pretty for a
        /// document that was not read from JSON.
        public static func matching(_ document: Document) -> Spacing {
            guard !document.format.isPropertyList, let source = document.source,
                let first = document.root.firstChild?.value, let container = document.root.sourceRange,
                let value = first.sourceRange?.lowerBound
            else { return .pretty }
            let key = first.key?.sourceRange
            let space = source.string(in: container.lowerBound + 1..<(key?.lowerBound ?? value))
            guard let lastBreak = space.lastIndex(where: \.isNewline) else { return .compact }
            // Between the two, JSON5 may have comments.
            let indent = String(space[space.index(after: lastBreak)...].prefix { $0 == " " || $0 == "\t" })
            let lineEnd = String(space[lastBreak])
            let colon = key.map { source.string(in: $0.upperBound..<value) } ?? ": "
            let isPlain = colon.unicodeScalars.allSatisfy { ": \t\r\n".unicodeScalars.contains($0) }
            return .pretty(indent: indent, colon: isPlain ? colon : ": ", lineEnd: lineEnd)
        }
    }

    /// Where lines break.
    public var layout: Spacing

    /// A writer with that layout.
    public init(layout: Spacing = .compact) { self.layout = layout }

    /// The JSON text of `node`, without a line end behind it.
    public func string(_ node: DocumentNode) -> String {
        let text = written(node)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    /// The JSON text of `node` in UTF-8, without a line end behind it.
    public func data(_ node: DocumentNode) -> Data { written(node).data() }

    /// The JSON text of `node` in UTF-8, without a line end behind it.
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

/// One document on its way to its text.
private struct Pass: ~Copyable {
    private let document: Document
    private let tape: TapeView
    private let colon: [UInt8]
    /// The line end and the indent of a level; nil for one line without spaces.
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
    /// The one member of the object that stands for a value that JSON cannot express: a date, data, a number that is
    /// not finite; nil for any other value. The text needs no escapes.
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

    /// The value in a few words, for a sentence: a scalar as JSON writes it, cut off where it is long; of a container
    /// what it is and how much is inside.
    public var briefText: String {
        switch kind {
        case .object: "an object of \(count) member\(count == 1 ? "" : "s")"
        case .array: "an array of \(count) element\(count == 1 ? "" : "s")"
        default:
            // Of a long text no more is read than is shown.
            if let beginning = beginning(limit: 4096), !beginning.isWhole {
                (JSONString.text(of: beginning.text).dropLast() + "…").abbreviated()
            } else {
                JSONWriter().string(self).abbreviated()
            }
        }
    }
}

extension String {
    /// The text, or its beginning with an ellipsis if it has more characters than `limit`.
    package func abbreviated(to limit: Int = 60) -> String {
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex), end < endIndex else { return self }
        return self[..<end] + "…"
    }
}
