/// The kind of system that a chain is made with.
enum System: String, CaseIterable {
    case types, closures, shapes
    /// A type that tries one shape after another, each of which leads directly to the newest.
    case fallback
}

/// A chain as data: the fields of each version, and the operations of each step.
struct Scheme: Sendable {
    var number: Int
    /// Its index among the chains of a process.
    var slot = 0
    var system: System
    /// The fields of each version, oldest first.
    var versions: [Schema]
    /// The operations from each version to the next.
    var steps: [[Operation]]

    var name: String { "\(system)-\(slot)" }

    /// Derives the versions from the first one and the steps.
    ///
    /// - Parameter unwritten: The fields that the newest version doesn't write.
    mutating func derive(_ unwritten: Set<String>) {
        versions = [versions[0]]
        for step in steps {
            var schema = versions[versions.count - 1]
            for operation in step { operation.reshape(&schema) }
            versions.append(schema)
        }
        for index in versions[versions.count - 1].fields.indices {
            let name = versions[versions.count - 1].fields[index].name
            versions[versions.count - 1].fields[index].isUnwritten = unwritten.contains(name)
        }
    }

    /// The values that the chain distinguishes, in addition to those that any chain may distinguish.
    var values: [Scalar] {
        var values: [Scalar] = [
            .text(""), .text("a"), .text("Word"), .text("two words"), .text("12"), .text("x-y"), .bool(true),
            .bool(false),
        ]
        values += [0, 1, -1, 2, 3, 7, 10, 55, 100, 1000, 1_000_000].map(Scalar.number)
        values += Choice.allCases.flatMap(\.cases).map(Scalar.text)
        return values + steps.joined().flatMap(\.values)
    }

    var description: String {
        var lines = ["\(system), version 1: \(versions[0].description)"]
        for (index, step) in steps.enumerated() {
            lines += step.map { "  \(index + 1) → \(index + 2): \($0)" }
            lines.append("version \(index + 2): \(versions[index + 1].description)")
        }
        return lines.joined(separator: "\n")
    }
}

// MARK: - Making one

extension Scheme {
    /// Makes the chain with a number, which is the same for the same seed.
    init(_ number: Int, seed: UInt64) {
        self.number = number
        // Each system in turn gets the same operations.
        system = System.allCases[number % System.allCases.count]
        var maker = SchemeMaker(
            random: Random(seed, UInt64(number / System.allCases.count)), system: system)
        let first = maker.schema()
        versions = [first]
        steps = []
        for _ in 0..<(1 + maker.random.below(3)) {
            steps.append(maker.step(of: &versions))
        }
        if maker.random.chance(25) {
            let candidates = versions[versions.count - 1].fields.indices.filter {
                versions[versions.count - 1].fields[$0].shape.kind != nil
            }
            if !candidates.isEmpty {
                versions[versions.count - 1].fields[maker.random.pick(candidates)].isUnwritten = true
            }
        }
    }
}

/// Generates fields and operations.
private struct SchemeMaker {
    var random: Random
    let system: System
    private var used: Set<String> = []

    init(random: Random, system: System) {
        self.random = random
        self.system = system
    }

    private static let words = [
        "title", "author", "rating", "price", "weight", "label", "note", "amount", "code", "street", "city", "country",
        "phone", "mail", "age", "height", "width", "depth", "speed", "power", "owner", "genre", "stock", "grade",
        "shelf", "rank", "score", "level", "region", "planet", "river", "harbor", "engine", "wheel", "ticket", "seat",
        "gate", "flight", "recipe", "spice", "oven", "plate", "glass", "lamp", "chair", "window", "garden", "tree",
    ]
    private static let lists = ["items", "orders", "stops", "pages", "rooms", "tracks", "players", "parcels"]

    private mutating func name(_ words: [String] = words) -> String {
        for _ in 0..<40 {
            let word = random.pick(words)
            if used.insert(word).inserted { return word }
        }
        let word = random.pick(words) + "\(used.count)"
        used.insert(word)
        return word
    }

    // MARK: - Fields

    mutating func schema() -> Schema {
        var schema = leaves(4 + random.below(5), optional: 25)
        if random.chance(50) {
            let inner = leaves(2 + random.below(2), optional: 20)
            let name = name()
            schema[name] = Field(name: name, shape: .object(inner))
        }
        for _ in 0..<(1 + random.below(2)) {
            let name = name(Self.lists)
            schema[name] = Field(name: name, shape: list(depth: 1))
        }
        if random.chance(25) {
            let name = name(Self.lists)
            schema[name] = Field(name: name, shape: .list(.leaf(random.chance(50) ? .text : .whole), skips: false))
        }
        if random.chance(20) {
            let names = [name(), name(), name()]
            schema[names[0]] = Field(name: names[0], shape: .leaf(.choice(.form)))
            for name in names[1...] { schema[name] = Field(name: name, shape: .leaf(.whole), isOptional: true) }
        }
        return schema
    }

    private mutating func list(depth: Int) -> Shape {
        var schema = leaves(2 + random.below(3), optional: 15)
        if depth < 3, random.chance(35) {
            let name = name(Self.lists)
            schema[name] = Field(name: name, shape: list(depth: depth + 1))
        }
        return .list(.object(schema), skips: random.chance(12))
    }

    private mutating func leaves(_ count: Int, optional: Int) -> Schema {
        var schema = Schema()
        for _ in 0..<count {
            let name = name()
            schema[name] = Field(name: name, shape: .leaf(kind()), isOptional: random.chance(optional))
        }
        return schema
    }

    private mutating func kind() -> Kind {
        switch random.below(14) {
        case 0..<3: .text
        case 3..<6: .whole
        case 6..<8: .decimal
        case 8: .bool
        case 9: .day
        case 10: .link
        case 11: .digits
        case 12: .pair
        default: .choice(random.pick([.color, .size]))
        }
    }

    // MARK: - Operations

    mutating func step(of versions: inout [Schema]) -> [Operation] {
        var schema = versions[versions.count - 1]
        var step: [Operation] = []
        func add(_ operation: Operation) {
            step.append(operation)
            operation.reshape(&schema)
        }
        // Rename a required field, so that documents without a version are recognized by their shape.
        if let field = schema.fields.first(where: { $0.shape.kind != nil && !$0.isOptional }) {
            add(Operation(scope: [], verb: .rename(field.name, to: name())))
        } else {
            add(Operation(scope: [], verb: .constant(name(), .text("new"))))
        }
        for _ in 0..<(1 + random.below(4)) {
            for _ in 0..<40 {
                let scopes = schema.scopes()
                let (scope, inner) = random.chance(50) ? scopes[0] : random.pick(scopes)
                if let verb = verb(inner) {
                    add(Operation(scope: scope, verb: verb))
                    break
                }
            }
        }
        versions.append(schema)
        return step
    }

    private mutating func complaint(_ schema: Schema, about name: String) -> Complaint {
        let others = schema.fields.filter { $0.shape.kind != nil }.map(\.name)
        return Complaint(
            isOwn: random.chance(50),
            quoted: random.chance(30) ? name : random.chance(50) ? random.pick(others) : nil)
    }

    /// Returns an operation that the fields allow, or `nil` if they don't allow the one that was drawn.
    private mutating func verb(_ schema: Schema) -> Operation.Verb? {
        let required = schema.fields.filter { !$0.isOptional }
        func some(_ fields: [Field], _ random: inout Random, _ fits: (Kind) -> Bool) -> String? {
            let fitting = fields.filter { $0.shape.kind.map(fits) ?? false }
            return fitting.isEmpty ? nil : random.pick(fitting).name
        }
        func leaf(_ fits: (Kind) -> Bool, _ random: inout Random) -> String? { some(required, &random, fits) }
        let text = leaf(\.isText, &random)
        let number = leaf(\.isNumber, &random)
        let other = leaf(\.isNumber, &random)
        let any = some(schema.fields, &random) { $0 != .choice(.form) }
        let lists = required.filter { $0.shape.isList && $0.shape.schema != nil }
        let list = lists.isEmpty ? nil : random.pick(lists)
        let elements = list?.shape.schema?.fields.filter { !$0.isOptional } ?? []
        // Operations that can fail are tried more often.
        switch random.chance(25) ? random.pick([27, 28, 28, 29]) : random.below(32) {
        case 0, 1: return any.map { .rename($0, to: name()) }
        case 2: return any.map { .moveIn($0, to: name()) }
        case 3:
            let objects = required.filter { !$0.shape.isList && ($0.shape.schema?.fields.count ?? 0) > 1 }
            guard !objects.isEmpty else { return nil }
            let object = random.pick(objects)
            return object.shape.schema.map { .moveOut(random.pick($0.fields).name, from: object.name) }
        case 4, 5: return any.map(Operation.Verb.drop)
        case 6, 7:
            guard let list else { return nil }
            if let flag = some(elements, &random, { $0 == .bool }) {
                return .filter(list.name, by: flag, .equals(.bool(true)))
            }
            return some(elements, &random, \.isNumber).map {
                .filter(list.name, by: $0, .atLeast(Double(40 + random.below(50))))
            }
        case 8: return list.map { .takeAway($0.name, at: random.below(4)) }
        case 9: return list.map { .keepFirst($0.name, 2 + random.below(3)) }
        case 10: return list.map { .removeLast($0.name) }
        case 11: return list.map { random.chance(50) ? .reverse($0.name) : nil } ?? nil
        case 12: return list.flatMap { list in some(elements, &random, \.isText).map { .sort(list.name, by: $0) } }
        case 13: return leaf({ $0 == .decimal }, &random).map(Operation.Verb.round)
        case 14: return text.map { .cut($0, 3 + random.below(8)) }
        case 15: return text.map { random.chance(70) ? .lower($0) : .trim($0) }
        case 16:
            let second = leaf(\.isText, &random)
            guard let text, let second, text != second else { return nil }
            return .join(text, second, to: name())
        case 17: return leaf({ $0 == .pair || $0 == .day }, &random).map { .split($0, to: name(), name()) }
        case 18, 19:
            return number.map { .threshold($0, .atLeast(random.pick([5, 50, 90, 1000])), to: name()) }
        case 20:
            guard let field = required.first(where: { if case .choice? = $0.shape.kind { true } else { false } }),
                case .choice(let choice)? = field.shape.kind
            else { return nil }
            return .table(field.name, choice, to: name())
        case 21:
            let digits = leaf({ $0 == .digits }, &random)
            return digits.map(Operation.Verb.toNumber) ?? number.map(Operation.Verb.toText)
        case 22:
            let second = leaf(\.isText, &random)
            if let text, let second, text != second, schema[text]?.shape.kind == schema[second]?.shape.kind {
                return .swap(text, second)
            }
            return nil
        case 23:
            return list.flatMap { list in
                some(elements, &random, \.isText).map { .shift(list.name, $0, to: name()) }
            }
        case 24:
            return list.flatMap { list in
                some(elements, &random, \.isNumber).map { .total(list.name, $0, to: name()) }
            }
        case 25: return list.map { .count($0.name, to: name(), keepsList: random.chance(60)) }
        case 26:
            guard let list, let key = some(elements, &random, { $0 == .text }) else { return nil }
            return some(elements, &random, \.isNumber).map { .group(list.name, by: key, sum: $0, to: name()) }
        case 27:
            if random.chance(50), let number {
                return .validate(number, .between(0, Double(100 + random.below(200))), complaint(schema, about: number))
            }
            return text.map { .validate($0, .notEmpty, complaint(schema, about: $0)) }
        case 28:
            guard let number, let other, number != other else { return nil }
            return .agree(number, other, isOrdered: random.chance(70), complaint(schema, about: number))
        case 29:
            if let form = leaf({ $0 == .choice(.form) }, &random) {
                let branches = schema.fields.filter { $0.isOptional && $0.shape.kind == .whole }
                guard branches.count >= 2 else { return nil }
                return .discriminate(form, circle: branches[0].name, square: branches[1].name, to: name())
            }
            let optional = schema.fields.filter { $0.isOptional && $0.shape.kind != nil }
            guard !optional.isEmpty else { return nil }
            let field = random.pick(optional).name
            return .require(field, complaint(schema, about: field))
        default:
            if system == .closures, let number, random.chance(50) { return .copy(number, to: name()) }
            return .constant(name(), random.chance(50) ? .text("none") : .number(0))
        }
    }
}
