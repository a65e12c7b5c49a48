import DocumentModel
import Foundation

/// Targets that parse documents, write them and parse them again.
let parsingTargets = [
    FuzzTarget(
        name: "json", summary: "JSON in any encoding; reached: written and read again, through Codable too"
    ) { ParsedText(mutator: .json) { Array(RandomJSON.text(&$0).utf8) } },
    FuzzTarget(name: "xml", summary: "property lists as XML; reached: written as XML and binary, and read again") {
        ParsedText(mutator: .xml) { PropertyLists.bytes(.xml, &$0) }
    },
    FuzzTarget(name: "binary", summary: "binary property lists; reached: written as XML and binary, and read again") {
        ParsedText(mutator: .binary) { PropertyLists.bytes(.binary, &$0) }
    },
]

private struct ParsedText: FuzzSubject {
    let mutator: Mutator
    let make: (inout SplitMix64) -> [UInt8]

    func input(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = make(&random)
        if random.below(3) > 0 { mutator.mutate(&bytes, times: 1 + random.below(3), &random) }
        guard random.below(16) == 0,
            let encoding = [TextEncoding.utf16LittleEndian, .utf16BigEndian].randomElement(using: &random),
            bytes.first != UInt8(ascii: "b")
        else { return bytes }
        bytes = Array(
            encoding.data(
                of: Data(String(decoding: bytes, as: UTF8.self).utf8), withByteOrderMark: random.below(2) == 0))
        if random.below(2) == 0 { mutator.mutate(&bytes, times: 1, &random) }
        return bytes
    }

    func run(_ input: [UInt8]) throws -> Depth {
        guard let document = try? Document(parsing: SourceBytes(Data(input))) else { return .refused }
        for node in document.root.nodes {
            if let range = node.sourceRange {
                try Broken.unless(range.upperBound <= document.source?.count ?? 0, "a value ends behind the document")
            }
            _ = node.string
            _ = node.beginning(limit: 12)
        }
        _ = document.root.location
        let offset = input.count / 2
        _ = document.node(atSourceByte: offset)
        _ = document.location(ofSourceByte: min(offset, document.source?.count ?? 0))
        var isReached = false
        if document.format == .json {
            for layout in [JSONWriter.Spacing.compact, .pretty()] {
                let again = try Document(parsing: SourceBytes(JSONWriter(layout: layout).data(document.root)))
                try Broken.unless(again == document, "written as JSON and read again it is another document")
            }
            let coded = try DocumentEncoder().encode(document)
            try Broken.unless(
                try DocumentDecoder().decode(Document.self, from: coded.root) == document, "coded it is another")
            isReached = true
        }
        for format in [DocumentFormat.plistXML, .plistBinary] {
            guard let writer = PropertyListWriter(format: format), let data = try? writer.data(document.root) else {
                continue
            }
            let again = try Document(parsing: SourceBytes(data))
            try Broken.unless(again.format == format, "written as \(format) it is \(again.format)")
            // The other format can represent more or fewer kinds of numbers.
            if document.format == format {
                try Broken.unless(again == document, "written as \(format) and read again it is another document")
            }
            isReached = true
        }
        return isReached ? .reached : .parsed
    }
}

enum PropertyLists {
    /// Returns a random property list. Its dictionaries never repeat a name, because property lists can't.
    static func bytes(_ format: PropertyListWriter, _ random: inout SplitMix64) -> [UInt8] {
        for _ in 0..<8 {
            guard let document = try? Document(json: RandomJSON.text(&random)) else { continue }
            var builder = DocumentBuilder()
            append(document.root, to: &builder, &random)
            if let data = try? format.data(builder.finish(format: .plistXML).root) { return Array(data) }
        }
        return []
    }

    private static func append(_ node: DocumentNode, to builder: inout DocumentBuilder, _ random: inout SplitMix64) {
        switch node.kind {
        case .object:
            builder.beginObject()
            var names: Set<[UInt8]> = []
            for member in node.members where names.insert(Array(member.name.utf8)).inserted {
                builder.key(member.name)
                append(member.value, to: &builder, &random)
            }
            builder.end()
        case .array:
            builder.beginArray()
            for element in node.elements { append(element, to: &builder, &random) }
            builder.end()
        case .null:
            if random.below(2) == 0 {
                builder.data(Data((0..<random.below(24)).map { _ in UInt8(random.below(256)) }))
            } else {
                builder.date(Date(timeIntervalSinceReferenceDate: Double(random.below(1 << 31)) - Double(1 << 30)))
            }
        default: builder.append(node)
        }
    }
}
