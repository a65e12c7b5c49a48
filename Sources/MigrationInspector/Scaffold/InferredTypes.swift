/// A type in Swift code.
indirect enum SwiftType: Hashable {
    case bool, int, double, string, date, data
    /// Any value: what is there differs in kind, or isn't known.
    case any
    /// A type that is declared for the documents.
    case named(String)
    case list(SwiftType)
    case dictionary(SwiftType)
    case optional(SwiftType)

    /// The type as code.
    var code: String {
        switch self {
        case .bool: "Bool"
        case .int: "Int"
        case .double: "Double"
        case .string: "String"
        case .date: "Date"
        case .data: "Data"
        case .any: "AnyValue"
        case .named(let name): name
        case .list(let element): "[\(element.code)]"
        case .dictionary(let value): "[String: \(value.code)]"
        case .optional(let wrapped): "\(wrapped.code)?"
        }
    }
}

/// The types inferred from the documents of one version.
struct InferredTypes {
    /// A property, and how many of the objects around it have it.
    struct Field {
        let key: String
        let name: String
        let type: SwiftType
        let shape: ValueShape
        let objectCount: Int
    }

    enum Declaration {
        case structure([Field])
        case enumeration([(name: String, text: String)])
    }

    /// The fields of the document.
    private(set) var fields: [Field] = []
    /// The types inside, in the order in which they are used.
    private(set) var declarations: [(name: String, declaration: Declaration)] = []
    /// Whether a date is written as a text in ISO 8601.
    private(set) var hasDateTexts = false
    private var taken: Set<String>

    /// Infers the types of documents.
    ///
    /// - Parameters:
    ///   - others: The documents of other versions. What is a dictionary or an enum there is one here too.
    ///   - reserved: The names of types that surround these.
    init(of root: ValueShape, besides others: [ValueShape], reserved: Set<String>) {
        taken = SwiftName.takenTypes.union(reserved)
        fields = fields(of: root, besides: others)
    }

    subscript(name: String) -> Declaration? { declarations.first { $0.name == name }?.declaration }

    private mutating func fields(of shape: ValueShape, besides others: [ValueShape]) -> [Field] {
        var names: Set<String> = ["self", "init"]
        return shape.members.map { member in
            let inner = type(
                of: member.shape, besides: others.compactMap { $0.member(at: [member.key]) }, named: member.key)
            let isOptional = member.shape.count < (shape.counts[.object] ?? 0)
            return Field(
                key: member.key, name: SwiftName.unique(SwiftName.property(member.key), among: &names),
                type: isOptional ? .optional(inner) : inner, shape: member.shape,
                objectCount: shape.counts[.object] ?? 0)
        }
    }

    private mutating func type(of shape: ValueShape, besides others: [ValueShape], named key: String) -> SwiftType {
        let others = others.filter { $0.kinds == shape.kinds }
        switch shape.kinds {
        case [.boolean]: return .bool
        case [.whole]: return .int
        case [.real], [.whole, .real]: return .double
        case [.date]: return .date
        case [.data]: return .data
        case [.text]:
            if shape.texts.areDates {
                hasDateTexts = true
                return .date
            }
            let all = others.reduce(shape) { $0.merged(with: $1, inSameDocuments: false) }
            guard let texts = all.texts.cases(amongDocuments: all.documentCount) else { return .string }
            var names: Set<String> = ["self", "init"]
            let cases = texts.map { (name: SwiftName.unique(SwiftName.property($0), among: &names), text: $0) }
            return declare(.enumeration(cases), SwiftName.type(key))
        case [.list]:
            guard let element = shape.element else { return .list(.any) }
            let type = type(of: element, besides: others.compactMap(\.element), named: SwiftName.singular(key))
            return .list(element.counts[.null] == nil ? type : .optional(type))
        case [.object]:
            if shape.members.isEmpty { return .dictionary(.any) }
            guard shape.isDictionary || others.contains(where: \.isDictionary), let entry = shape.entry else {
                return declareStructure(shape, besides: others, key)
            }
            let type = type(of: entry, besides: others.compactMap(\.entry), named: SwiftName.singular(key))
            return .dictionary(entry.counts[.null] == nil ? type : .optional(type))
        default: return .any
        }
    }

    private mutating func declareStructure(
        _ shape: ValueShape, besides others: [ValueShape], _ key: String
    ) -> SwiftType {
        let name = SwiftName.unique(SwiftName.type(key), among: &taken)
        // Its own declaration comes before those inside it.
        let position = declarations.count
        declarations.append((name, .structure([])))
        declarations[position].declaration = .structure(fields(of: shape, besides: others))
        return .named(name)
    }

    private mutating func declare(_ declaration: Declaration, _ name: String) -> SwiftType {
        let name = SwiftName.unique(name, among: &taken)
        declarations.append((name, declaration))
        return .named(name)
    }
}
