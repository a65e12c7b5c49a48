/// A document with known mistakes: the original before it was spoiled, and each change.
struct Specimen: Sendable {
    /// A change to a good document.
    struct Spoiling: Sendable {
        enum Kind: Sendable {
            case renamed, misspelt, nulled, otherKind, outOfRange, misspeltCase, version, missing, extra
        }

        var kind: Kind
        /// The path of the affected value. For a renamed member, this is the original path.
        var path: Path
        /// The new value, or `nil` for none.
        var value: Value?
        /// The new path of the member.
        var newPath: Path?

        func isAbout(_ other: Path) -> Bool { path.isOnWay(of: other) || newPath.map(other.isInside) ?? false }

        func apply(to document: inout Value) {
            if let newPath {
                let moved = document[path]
                _ = document.replace(path.parts[...], by: nil)
                _ = document.replace(newPath.parts[...], by: moved)
            } else {
                _ = document.replace(path.parts[...], by: value)
            }
        }
    }

    var good: Value
    var spoilings: [Spoiling] = []

    var document: Value { without(nil) }

    /// Returns the document without one of the spoilings.
    func without(_ index: Int?) -> Value {
        var document = good
        for (number, spoiling) in spoilings.enumerated() where number != index { spoiling.apply(to: &document) }
        return document
    }
}

extension Specimen {
    /// Makes a document of a chain, which is the same for the same numbers.
    init(of scheme: Scheme, number: Int, seed: UInt64) {
        var maker = SpecimenMaker(scheme: scheme, random: Random(seed, UInt64(scheme.number), UInt64(number), 7))
        good = maker.goodDocument()
        let count = maker.random.below(10)
        for _ in 0..<(count < 4 ? 0 : count < 9 ? 1 : 2) { maker.spoil(&self) }
    }
}

private struct SpecimenMaker {
    let scheme: Scheme
    var random: Random

    private static let texts = [
        "Ada Lovelace", "Grace Hopper", "a long walk by the sea", "Blue", "north", "Mixed Case Title", " padded text ",
        "tea", "Old Street 12", "quiet", "Summer in the City", "x", "seven samurai", "Rue de la Paix",
    ]

    mutating func goodDocument() -> Value {
        let version = random.below(10) < 2 ? scheme.versions.count - 1 : random.below(scheme.versions.count)
        let most = random.chance(5) ? 25 : 4
        var document = object(scheme.versions[version], most)
        if scheme.hasVersionKey, case .object(var members) = document {
            members["version"] = .number(Double(version + 1))
            document = .object(members)
        }
        // Values that the steps refuse are replaced until none is refused.
        for _ in 0..<60 {
            let run = scheme.run(document)
            let places = (run.refusal?.blamed ?? []).sorted { $0.description < $1.description }
            guard let blamed = places.randomElement(using: &random) else { break }
            // The other value to blame is a candidate too, so that two values that must be equal can be.
            let values = scheme.values + places.compactMap { document[$0]?.scalar }
            let fitting = values.shuffled(using: &random).first { scalar in
                let other = document.replacing(blamed, by: .leaf(scalar, [:])).map(scheme.run)
                return other.map { $0.first == run.first && $0.isPast(run) } ?? false
            }
            guard let fitting, let next = document.replacing(blamed, by: .leaf(fitting, [:])) else { break }
            document = next
        }
        return document
    }

    private mutating func object(_ schema: Schema, _ most: Int) -> Value {
        var members = Members()
        for field in schema.fields where !field.isOptional || random.chance(65) {
            members[field.name] = value(field.shape, most)
        }
        return .object(members)
    }

    private mutating func value(_ shape: Shape, _ most: Int) -> Value {
        switch shape {
        case .leaf(let kind): return .leaf(scalar(kind), [:])
        case .object(let schema): return object(schema, most)
        case .list(let shape, _):
            let count = random.chance(5) ? 0 : 1 + random.below(most + 1)
            return .list((0..<count).map { _ in value(shape, min(most, 3)) }, [:])
        }
    }

    private mutating func scalar(_ kind: Kind) -> Scalar {
        switch kind {
        case .text: .text(random.pick(Self.texts))
        case .whole: .number(Double(random.below(100)))
        case .decimal: .number(Double(random.below(400)) / 4)
        case .bool: .bool(random.chance(50))
        case .day: .text("20\(10 + random.below(15))-0\(1 + random.below(9))-1\(random.below(10))T08:30:00Z")
        case .link: .text("https://example.org/\(random.pick(["about", "Docs", "a/b", "news"]))/\(random.below(90))")
        case .digits: .text("\(1 + random.below(900))")
        case .pair: .text("\(1 + random.below(20))-\(1 + random.below(20))")
        case .choice(let choice): .text(random.pick(choice.cases))
        }
    }

    // MARK: - Spoiling

    mutating func spoil(_ specimen: inout Specimen) {
        for _ in 0..<30 {
            if let spoiling = spoiling(of: specimen.document),
                !specimen.spoilings.contains(where: { $0.isAbout(spoiling.path) })
            {
                specimen.spoilings.append(spoiling)
                return
            }
        }
    }

    private mutating func spoiling(of document: Value) -> Specimen.Spoiling? {
        let leaves = document.leaves.filter { $0.path != Path.root.key("version") }
        guard !leaves.isEmpty else { return nil }
        let (path, scalar, _) = random.pick(leaves)
        let text = scalar.text
        switch random.below(28) {
        case 0, 1, 2:
            guard let name = path.lastKey else { return nil }
            let new = random.chance(50) ? misspelt(name) : name + "Value"
            guard new != name, document[path.parent.key(new)] == nil else { return nil }
            return .init(
                kind: new.hasSuffix("Value") ? .renamed : .misspelt, path: path, newPath: path.parent.key(new))
        case 3, 4: return .init(kind: .nulled, path: path, value: .leaf(.null, [:]))
        case 5, 6, 7, 8:
            let other: Scalar? =
                switch scalar {
                case .number(let number): .text(number.plain)
                case .bool(let bool): random.chance(50) ? .number(bool ? 1 : 0) : .text(bool ? "yes" : "no")
                case .text(let text): Double(text).map(Scalar.number) ?? .number(5)
                case .null: nil
                }
            return other.map { .init(kind: .otherKind, path: path, value: .leaf($0, [:])) }
        case 9...12, 20...27:
            let old = scheme.run(document)
            let agrees = scheme.steps.joined().contains { if case .agree = $0.verb { true } else { false } }
            let isOfTwo = agrees && random.chance(70)
            for (path, scalar, _) in leaves.shuffled(using: &random).prefix(12) {
                for other in scheme.values.shuffled(using: &random).prefix(24) where other.isOfKind(of: scalar) {
                    let run = document.replacing(path, by: .leaf(other, [:])).map(scheme.run)
                    if let run, run.first == old.first, !run.opens, old.opens,
                        !isOfTwo || run.refusal?.blamed.count == 2
                    {
                        return .init(kind: .outOfRange, path: path, value: .leaf(other, [:]))
                    }
                }
            }
            return nil
        case 13, 14:
            let cases = leaves.filter { leaf in Choice.allCases.contains { $0.cases.contains(leaf.scalar.text ?? "") } }
            guard !cases.isEmpty else { return nil }
            let (path, scalar, _) = random.pick(cases)
            return .init(kind: .misspeltCase, path: path, value: .text(misspelt(scalar.text ?? "")))
        case 15:
            guard scheme.hasVersionKey, let version = document["version"]?.number else { return nil }
            let wrong: Scalar =
                random.chance(40) ? .text(version.plain) : .number(random.pick([version + 1, version - 1, 99, 0]))
            return .init(kind: .version, path: Path.root.key("version"), value: .leaf(wrong, [:]))
        case 16, 17: return path.lastKey == nil ? nil : .init(kind: .missing, path: path, value: nil)
        default:
            let name = path.lastKey == nil ? nil : random.pick(["comment", "flag", "extra"])
            return name.flatMap { name in
                document[path.parent.key(name)] == nil
                    ? .init(kind: .extra, path: path.parent.key(name), value: text == nil ? .text("more") : .number(77))
                    : nil
            }
        }
    }

    /// Returns the word with a letter missing, or with two letters swapped.
    private mutating func misspelt(_ word: String) -> String {
        var letters = Array(word)
        guard letters.count > 2 else { return word + "x" }
        let index = 1 + random.below(letters.count - 2)
        if random.chance(50), letters[index] != letters[index + 1] {
            letters.swapAt(index, index + 1)
        } else {
            letters.remove(at: index)
        }
        return String(letters)
    }
}

extension Run {
    /// Returns whether the run gets past the point where another one failed, or false if that is unknown.
    func isPast(_ other: Run) -> Bool {
        if opens { return true }
        guard let progress, let old = other.progress else { return false }
        return old.lexicographicallyPrecedes(progress)
    }
}
