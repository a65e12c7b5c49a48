import DocumentModel
import Foundation

/// A document with some values replaced, removed, duplicated or renamed.
struct MutatedDocument {
    private var random: SplitMix64
    private var places: [Int]
    private var place = 0
    private let values: [DocumentNode]
    private let names: [String]

    /// Returns the text or bytes of a document in its own format, mutated at up to three positions.
    static func bytes(_ document: Document, _ random: inout SplitMix64) -> [UInt8] {
        let nodes = document.root.nodes
        let places = (0...random.below(3)).map { _ in random.below(nodes.count) }
        let values = (0..<4).map { _ in nodes[nodes.index(nodes.startIndex, offsetBy: random.below(nodes.count))] }
            .map { $0.kind == .key ? document.root : $0 }
        var mutated = MutatedDocument(
            random: SplitMix64(seed: random.next()), places: places, values: values,
            names: nodes.prefix(50).compactMap(\.string).filter { $0.utf8.count < 40 })
        var builder = DocumentBuilder()
        mutated.append(document.root, to: &builder)
        let made = builder.finish(format: document.format)
        if let writer = PropertyListWriter(format: document.format), let data = try? writer.data(made.root) {
            return Array(data)
        }
        return Array(JSONWriter(layout: .compact).data(made.root))
    }

    private init(random: SplitMix64, places: [Int], values: [DocumentNode], names: [String]) {
        self.random = random
        self.places = places
        self.values = values
        self.names = names
    }

    private mutating func isChanged() -> Bool {
        place += 1
        return places.contains(place - 1)
    }

    private mutating func append(_ node: DocumentNode, to builder: inout DocumentBuilder) {
        if isChanged() { return appendOther(to: &builder) }
        switch node.kind {
        case .object:
            builder.beginObject()
            for member in node.members {
                var name = member.name
                if isChanged() {
                    switch random.below(4) {
                    case 0: continue
                    case 1: name = random.one(of: names + ["", "version"])
                    case 2:
                        builder.key(name)
                        builder.append(member.value)
                    default: name = name.uppercased()
                    }
                }
                builder.key(name)
                append(member.value, to: &builder)
            }
            builder.end()
        case .array:
            builder.beginArray()
            for element in node.elements {
                if isChanged() {
                    if random.below(2) == 0 { continue }
                    builder.append(element)
                }
                append(element, to: &builder)
            }
            builder.end()
        default: builder.append(node)
        }
    }

    private mutating func appendOther(to builder: inout DocumentBuilder) {
        switch random.below(8) {
        case 0: builder.number(random.below(12) - 2)
        case 1: builder.string(random.one(of: names + [""]))
        case 2: builder.boolean(random.below(2) == 0)
        case 3: builder.null()
        case 4, 5: builder.append(values[random.below(values.count)])
        default:
            if let any = try? Document(json: RandomJSON.text(depth: 2, &random)) {
                builder.append(any.root)
            } else {
                builder.null()
            }
        }
    }
}
