import Foundation

/// Writes documents as JSON: keys in their order, numbers as they were written.
///
///     let text = JSONWriter(layout: .pretty).string(document.root)
///
/// A value that JSON cannot express is written as an object that says so: a date as `{"$date":
/// "2024-01-31T12:00:00Z"}`, data as `{"$data": BASE64}`, and a number that is not finite as `{"$real": "nan"}`.
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
            guard document.format == .json, let source = document.source, let first = document.root.firstChild?.value,
                let container = document.root.sourceRange, let value = first.sourceRange?.lowerBound
            else { return .pretty }
            let key = first.key?.sourceRange
            let space = source.string(in: container.lowerBound + 1..<(key?.lowerBound ?? value))
            guard let lastBreak = space.lastIndex(where: \.isNewline) else { return .compact }
            let indent = String(space[space.index(after: lastBreak)...])
            let lineEnd = String(space[lastBreak])
            guard let key else { return .pretty(indent: indent, lineEnd: lineEnd) }
            return .pretty(indent: indent, colon: source.string(in: key.upperBound..<value), lineEnd: lineEnd)
        }
    }

    /// Where lines break.
    public var layout: Spacing

    /// A writer with that layout.
    public init(layout: Spacing = .compact) { self.layout = layout }

    /// The JSON text of `node`, without a line end behind it.
    public func string(_ node: DocumentNode) -> String { String(decoding: bytes(node), as: UTF8.self) }

    /// The JSON text of `node` in UTF-8, without a line end behind it.
    public func data(_ node: DocumentNode) -> Data { Data(bytes(node)) }

    private func bytes(_ node: DocumentNode) -> [UInt8] {
        var output: [UInt8] = []
        append(node, depth: 0, to: &output)
        return output
    }

    private func append(_ node: DocumentNode, depth: Int, to output: inout [UInt8]) {
        switch node.kind {
        case .object:
            appendContainer(node.members, "{", "}", depth: depth, to: &output) { member, output in
                appendString(member.key, to: &output)
                output.append(contentsOf: colon.utf8)
                append(member.value, depth: depth + 1, to: &output)
            }
        case .array:
            appendContainer(node.elements, "[", "]", depth: depth, to: &output) { element, output in
                append(element, depth: depth + 1, to: &output)
            }
        case .string, .key: appendString(node, to: &output)
        case .boolean: output.append(contentsOf: (node.boolean == true ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        case .number, .date, .data:
            if let (name, text) = node.jsonObject {
                output.append(contentsOf: "{\"\(name)\"\(colon)\"\(text)\"}".utf8)
            } else {
                node.withTextBytes { output.append(contentsOf: $0) }
            }
        }
    }

    private var colon: String { if case .pretty(_, let colon, _) = layout { colon } else { ":" } }

    private func appendContainer<Children: Sequence>(
        _ children: Children, _ opening: String, _ closing: String, depth: Int, to output: inout [UInt8],
        _ appendChild: (Children.Element, inout [UInt8]) -> Void
    ) {
        output.append(contentsOf: opening.utf8)
        var isEmpty = true
        for child in children {
            if !isEmpty { output.append(UInt8(ascii: ",")) }
            isEmpty = false
            appendLineBreak(depth: depth + 1, to: &output)
            appendChild(child, &output)
        }
        if !isEmpty { appendLineBreak(depth: depth, to: &output) }
        output.append(contentsOf: closing.utf8)
    }

    private func appendLineBreak(depth: Int, to output: inout [UInt8]) {
        guard case .pretty(let indent, _, let lineEnd) = layout else { return }
        output.append(contentsOf: lineEnd.utf8)
        for _ in 0..<depth { output.append(contentsOf: indent.utf8) }
    }

    private func appendString(_ node: DocumentNode, to output: inout [UInt8]) {
        let isQuoted = node.tapeNode.flags.contains(.quoted)
        node.withTextBytes { text in
            if isQuoted {
                output.append(contentsOf: text)
            } else {
                output.append(UInt8(ascii: "\""))
                JSONString.appendEscaped(text, to: &output)
                output.append(UInt8(ascii: "\""))
            }
        }
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
            JSONWriter().string(self).abbreviated()
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
