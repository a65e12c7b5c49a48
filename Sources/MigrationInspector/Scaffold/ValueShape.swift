import DocumentModel
import Foundation

/// The values that documents have at one place: how many there are of each kind, and what is inside them.
struct ValueShape {
    /// The kinds of values that Swift types tell apart.
    enum Kind: Hashable { case null, boolean, whole, real, text, date, data, object, list }

    /// The members of one name.
    struct Member {
        let key: String
        var shape: ValueShape
    }

    private(set) var counts: [Kind: Int] = [:]
    /// The number of documents that have a value here.
    private(set) var documentCount = 0
    private var lastDocument = -1
    /// The members of the objects, in the order in which they were found.
    private(set) var members: [Member] = []
    private var numbers: [String: Int] = [:]
    /// What the elements of the lists have in common; at most one.
    private var inside: [ValueShape] = []
    private(set) var texts = TextSample()

    /// The number of values, without null.
    var count: Int { counts.reduce(0) { $1.key == .null ? $0 : $0 + $1.value } }

    /// The kinds of values other than null.
    var kinds: Set<Kind> { Set(counts.keys).subtracting([.null]) }

    /// What the elements of all lists have in common; nil if all lists are empty.
    var element: ValueShape? { inside.first }

    /// Adds a value.
    ///
    /// - Parameter document: The number of its document.
    mutating func add(_ node: DocumentNode, of document: Int) {
        counts[Kind(node), default: 0] += 1
        if document != lastDocument { documentCount += 1 }
        lastDocument = document
        switch node.kind {
        case .object:
            var names: Set<String> = []
            // Decoders read one of several members with the same name.
            for member in node.members where names.insert(member.name).inserted {
                let number = numbers[member.name] ?? members.count
                if number == members.count {
                    numbers[member.name] = number
                    members.append(Member(key: member.name, shape: ValueShape()))
                }
                members[number].shape.add(member.value, of: document)
            }
        case .array:
            for element in node.elements {
                if inside.isEmpty { inside.append(ValueShape()) }
                inside[0].add(element, of: document)
            }
        case .string: if let text = node.string { texts.add(text, of: document) }
        default: break
        }
    }

    /// Returns what the values of this place and another have in common.
    ///
    /// - Parameter areSame: Whether the other place is in the same documents.
    func merged(with other: ValueShape, inSameDocuments areSame: Bool) -> ValueShape {
        var merged = self
        merged.counts.merge(other.counts, uniquingKeysWith: +)
        merged.documentCount = areSame ? max(documentCount, other.documentCount) : documentCount + other.documentCount
        for member in other.members {
            if let number = merged.numbers[member.key] {
                merged.members[number].shape = merged.members[number].shape.merged(
                    with: member.shape, inSameDocuments: areSame)
            } else {
                merged.numbers[member.key] = merged.members.count
                merged.members.append(member)
            }
        }
        if let element = other.element {
            merged.inside = [merged.element?.merged(with: element, inSameDocuments: areSame) ?? element]
        }
        merged.texts = texts.merged(with: other.texts, inSameDocuments: areSame)
        return merged
    }

    /// Returns the member at a path of keys; nil if there is none.
    func member(at keys: some Collection<String>) -> ValueShape? {
        guard let key = keys.first else { return self }
        return numbers[key].flatMap { members[$0].shape.member(at: keys.dropFirst()) }
    }

    /// Removes the member at a path of keys. Objects that have no other members are removed too.
    mutating func remove(at keys: some Collection<String>) {
        guard let key = keys.first, let number = numbers[key] else { return }
        members[number].shape.remove(at: keys.dropFirst())
        guard keys.count == 1 || members[number].shape.members.isEmpty else { return }
        members.remove(at: number)
        numbers = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
    }

    // MARK: Dictionaries

    /// Whether the members are entries of a dictionary rather than fields: values of one kind under names that vary.
    var isDictionary: Bool {
        let shapes = members.map(\.shape)
        guard shapes.count > 1, let kinds = shapes.first?.kinds, kinds.count == 1,
            shapes.allSatisfy({ $0.kinds == kinds })
        else { return false }
        let strange = members.count { !SwiftName.isIdentifier($0.key) }
        if strange * 2 > shapes.count { return true }
        let isMany = shapes.count > PathFolds.mostSingle
        guard kinds == [.object] else { return isMany && presence < 0.5 }
        return areAlike(shapes) && (isMany || presence < 1)
    }

    /// The share of the objects that have a member, on average.
    private var presence: Double {
        let objects = counts[.object] ?? 0
        guard objects > 0, !members.isEmpty else { return 0 }
        let held = members.reduce(0) { $0 + $1.shape.count + ($1.shape.counts[.null] ?? 0) }
        return Double(held) / Double(objects * members.count)
    }

    /// Returns whether objects mostly have the same members.
    private func areAlike(_ objects: [ValueShape]) -> Bool {
        let names = objects.map { Set($0.members.map(\.key)) }
        let all = names.reduce(into: Set<String>()) { $0.formUnion($1) }
        let held = names.reduce(0) { $0 + $1.count }
        return all.isEmpty || Double(held) >= 0.5 * Double(all.count * names.count)
    }

    /// What the entries of a dictionary have in common.
    var entry: ValueShape? {
        members.dropFirst().reduce(members.first?.shape) { $0?.merged(with: $1.shape, inSameDocuments: true) }
    }
}

extension ValueShape.Kind {
    /// Creates the kind of a value.
    init(_ node: DocumentNode) {
        self =
            switch node.kind {
            case .null: .null
            case .boolean: .boolean
            case .number: node.numberText.flatMap { Int($0) } == nil ? .real : .whole
            case .string, .key: .text
            case .date: .date
            case .data: .data
            case .object: .object
            case .array: .list
            }
    }
}

/// The texts that documents have at one place.
struct TextSample {
    /// The number of documents that have each text; nil once there are too many texts.
    private(set) var documents: [String: Int]? = [:]
    private var last: [String: Int] = [:]
    /// Whether all texts are whole numbers, numbers, or dates in ISO 8601.
    private(set) var areWhole = true
    private(set) var areNumbers = true
    private(set) var areDates = true

    /// The largest number of texts that may be the cases of an enum.
    private static let mostCases = 12

    mutating func add(_ text: String, of document: Int) {
        areWhole = areWhole && Int(text).map(String.init) == text
        areNumbers = areNumbers && Double(text).map { $0.isFinite } == true
        areDates = areDates && Self.isDate(text)
        guard documents != nil, last[text] != document else { return }
        last[text] = document
        documents?[text, default: 0] += 1
        if last.count > Self.mostCases { (documents, last) = (nil, [:]) }
    }

    /// Returns whether JSONDecoder and JSONEncoder with the strategy `iso8601` read the text and write it again.
    private static func isDate(_ text: String) -> Bool {
        guard let date = try? Date(text, strategy: .iso8601) else { return false }
        return date.formatted(.iso8601) == text
    }

    func merged(with other: TextSample, inSameDocuments areSame: Bool) -> TextSample {
        var merged = self
        merged.areWhole = areWhole && other.areWhole
        merged.areNumbers = areNumbers && other.areNumbers
        merged.areDates = areDates && other.areDates
        if let own = documents, let others = other.documents {
            let all = own.merging(others) { areSame ? max($0, $1) : $0 + $1 }
            merged.documents = all.count > Self.mostCases ? nil : all
        } else {
            merged.documents = nil
        }
        return merged
    }

    /// The texts as cases of an enum, if they look like ones: two or a few, each a word, each in several documents of at
    /// least ten.
    func cases(amongDocuments count: Int) -> [String]? {
        guard count >= 10, let documents, documents.count > 1, documents.count * 4 <= count,
            documents.allSatisfy({ $0.value > 1 }),
            documents.keys.allSatisfy(SwiftName.isWord)
        else { return nil }
        return documents.keys.sorted()
    }
}
