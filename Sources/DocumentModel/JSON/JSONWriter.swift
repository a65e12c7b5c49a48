import Foundation

/// Writes documents as JSON: keys in their order, numbers as they were written.
///
///     let text = JSONWriter(layout: .pretty).string(document.root)
///
/// What JSON has no word for is written as an object that says so: a date as `{"$date": "2024-01-31T12:00:00Z"}`, data as
/// `{"$data": BASE64}`, and a number that is not finite as `{"$real": "nan"}`.
public struct JSONWriter: Sendable {
    /// Where lines break.
    public enum Layout: Sendable, Hashable {
        /// One line, no spaces.
        case compact
        /// A line for every member and element, further in by `indent` at every level, with `colon` between name and value, and
        /// `lineEnd` between lines.
        case pretty(indent: String = "  ", colon: String = ": ", lineEnd: String = "\n")

        /// Two spaces a level.
        public static var pretty: Layout { .pretty() }

        /// The layout that a JSON document was written in, as far as its first member or element shows it; pretty for a document that was
        /// not read from JSON.
        public static func matching(_ document: Document) -> Layout {
            guard document.format == .json, let source = document.source, document.nodeCount > 1 else { return .pretty }
            let first = DocumentNode(document: document, index: 1)
            guard let container = document.root.sourceRange, let start = first.sourceRange?.lowerBound else {
                return .pretty
            }
            let space = source.string(in: container.lowerBound + 1..<start)
            guard let lastBreak = space.lastIndex(where: \.isNewline) else { return .compact }
            let indent = String(space[space.index(after: lastBreak)...])
            let lineEnd = String(space[lastBreak])
            guard first.kind == .key, let key = first.sourceRange?.upperBound,
                let value = DocumentNode(document: document, index: 2).sourceRange?.lowerBound
            else { return .pretty(indent: indent, lineEnd: lineEnd) }
            return .pretty(indent: indent, colon: source.string(in: key..<value), lineEnd: lineEnd)
        }
    }

    /// Where lines break.
    public var layout: Layout

    /// A writer with that layout.
    public init(layout: Layout = .compact) { self.layout = layout }

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
        case .number: appendNumber(node, to: &output)
        case .boolean: output.append(contentsOf: (node.boolean == true ? "true" : "false").utf8)
        case .null: output.append(contentsOf: "null".utf8)
        case .date:
            appendWrapped("$date", PropertyListDate.text(node.date ?? .distantPast), to: &output)
        case .data: appendWrapped("$data", node.data?.base64EncodedString() ?? "", to: &output)
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

    private func appendNumber(_ node: DocumentNode, to output: inout [UInt8]) {
        let isFinite = node.withTextBytes { text in text.last.map { (0x30...0x39).contains($0) } ?? false }
        guard isFinite else { return appendWrapped("$real", node.numberText ?? "nan", to: &output) }
        node.withTextBytes { output.append(contentsOf: $0) }
    }

    private func appendWrapped(_ name: String, _ text: String, to output: inout [UInt8]) {
        output.append(contentsOf: "{\"\(name)\"\(colon)\"".utf8)
        var text = text
        text.withUTF8 { JSONString.appendEscaped(UnsafeRawBufferPointer($0), to: &output) }
        output.append(contentsOf: "\"}".utf8)
    }
}
