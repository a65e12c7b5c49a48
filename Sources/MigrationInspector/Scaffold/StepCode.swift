/// The code of the initializers that make the types of a version from those of the version before it.
struct StepCode {
    /// A field of the old version that has the values of a new one in documents known before and after the step.
    struct Rename: Equatable {
        let oldKey: String
        let newKey: String
        let documentCount: Int
    }

    /// A value of the new version as code.
    private struct Conversion {
        var code: String
        var canThrow = false
    }

    private let old: InferredTypes
    private let new: InferredTypes
    private let oldType: String
    private let renames: [Rename]
    /// The old types that new ones are equal to, by the name of the new one.
    private(set) var aliases: [String: String] = [:]
    /// The lines of the initializers of new types, with the old types that they take.
    private(set) var initializers: [String: (oldType: String, lines: [String])] = [:]
    /// The lines of the initializer of the document.
    private(set) var lines: [String] = []
    /// The paths of the fields that nothing is known about.
    private(set) var unwritten: [String] = []

    init(from old: InferredTypes, named oldType: String, to new: InferredTypes, renames: [Rename]) {
        (self.old, self.new, self.oldType, self.renames) = (old, new, oldType, renames)
        lines = assignments(of: new.fields, from: old.fields, renames: renames, at: "", shown: "$")
    }

    // MARK: Fields

    private mutating func assignments(
        of fields: [InferredTypes.Field], from old: [InferredTypes.Field], renames: [Rename], at path: String,
        shown: String
    ) -> [String] {
        fields.flatMap { field -> [String] in
            let name = SwiftName.code(field.name)
            let place = "\(path)[CodingKeys.\(name)]"
            let rename = renames.first { $0.newKey == field.key }
            let partner = old.first { $0.key == rename?.oldKey ?? field.key }
            let fieldShown = "\(shown).\(field.key)"
            if let partner {
                let value = "old.\(SwiftName.code(partner.name))"
                if let made = conversion(
                    of: value, partner.type, to: field.type, partner.shape, at: place, depth: 1, shown: fieldShown)
                {
                    let comment = rename.map {
                        let documents = $0.documentCount == 1 ? "1 document" : "\($0.documentCount) documents"
                        return "// In \(documents) known before and after this step, '\($0.oldKey)' has this value."
                    }
                    return [comment, "\(name) = \(made.canThrow ? "try " : "")\(made.code)"].compactMap(\.self)
                }
            } else if case .optional = field.type {
                return ["\(name) = nil  // The version before has no such field."]
            }
            unwritten.append(fieldShown)
            return ["\(name) = try notWrittenYet(at: \(place))"]
        }
    }

    // MARK: Values

    /// Returns the code that makes a value of the new type; nil if there is no obvious one.
    ///
    /// - Parameters:
    ///   - value: The old value, as code.
    ///   - place: The coding path of the new value, as code.
    ///   - depth: The number of closures around the code, plus one.
    private mutating func conversion(
        of value: String, _ oldType: SwiftType, to newType: SwiftType, _ shape: ValueShape, at place: String,
        depth: Int,
        shown: String
    ) -> Conversion? {
        switch (oldType, newType) {
        case (.named(let oldName), .named(let newName)):
            return conversion(of: value, oldName, to: newName, at: place, shown: shown)
        case (.named(let oldName), .string):
            if case .enumeration? = old[oldName] { return Conversion(code: "\(value).rawValue") }
            return nil
        case (.string, .named(let newName)):
            guard case .enumeration? = new[newName] else { return nil }
            return converted("\(newName)(rawValue: \(value))", at: place)
        case (.int, .double): return Conversion(code: "Double(\(value))")
        case (.int, .string): return Conversion(code: "String(\(value))")
        case (.string, .int): return shape.texts.areWhole ? converted("Int(\(value))", at: place) : nil
        case (.string, .double): return shape.texts.areNumbers ? converted("Double(\(value))", at: place) : nil
        case (.optional(let oldWrapped), .optional(let newWrapped)):
            return mapped(value, "map", oldWrapped, newWrapped, shape, at: place, depth: depth, shown: shown)
        case (.optional(let oldWrapped), _):
            guard
                let made = mapped(value, "map", oldWrapped, newType, shape, at: place, depth: depth, shown: shown)
            else { return nil }
            return converted(made.canThrow ? "try \(made.code)" : made.code, at: place)
        case (_, .optional(let newWrapped)):
            return conversion(of: value, oldType, to: newWrapped, shape, at: place, depth: depth, shown: shown)
        case (.list(let oldElement), .list(let newElement)):
            return mapped(
                value, "mapElements", oldElement, newElement, shape.element ?? shape, at: place, depth: depth,
                shown: "\(shown)[*]")
        case (.dictionary(let oldValue), .dictionary(let newValue)):
            return mapped(
                value, "mapEntries", oldValue, newValue, shape.entry ?? shape, at: place, depth: depth,
                shown: "\(shown).*")
        default: return oldType == newType ? Conversion(code: value) : nil
        }
    }

    private func converted(_ code: String, at place: String) -> Conversion {
        Conversion(code: "converted(\(code), at: \(place))", canThrow: true)
    }

    /// Returns the code that makes every value inside another one.
    private mutating func mapped(
        _ value: String, _ method: String, _ oldType: SwiftType, _ newType: SwiftType, _ shape: ValueShape,
        at place: String, depth: Int, shown: String
    ) -> Conversion? {
        let (inner, key) = ("value\(depth)", "key\(depth)")
        let isOptional = method == "map"
        let made = conversion(
            of: inner, oldType, to: newType, shape, at: isOptional ? place : "\(place) + [\(key)]", depth: depth + 1,
            shown: shown)
        guard let made else { return nil }
        if made.code == inner { return Conversion(code: value) }
        let parameters = isOptional ? inner : made.code.contains(key) ? "\(key), \(inner)" : "_, \(inner)"
        let code = "\(value).\(method) { \(parameters) in \(made.canThrow ? "try " : "")\(made.code) }"
        return Conversion(code: code, canThrow: made.canThrow)
    }

    private mutating func conversion(
        of value: String, _ oldName: String, to newName: String, at place: String, shown: String
    ) -> Conversion? {
        if areEqual(oldName, newName) {
            alias(newName, to: oldName)
            return Conversion(code: value)
        }
        switch (old[oldName], new[newName]) {
        case (.enumeration?, .enumeration?): return converted("\(newName)(rawValue: \(value).rawValue)", at: place)
        case (.structure(let oldFields)?, .structure(let newFields)?):
            let lines = assignments(of: newFields, from: oldFields, renames: [], at: "path + ", shown: shown)
            initializers[newName] = (oldName, lines)
            return Conversion(code: "\(newName)(from: \(value), at: \(place))", canThrow: true)
        default: return nil
        }
    }

    // MARK: Equal types

    /// Uses an old type, and those inside it, in place of equal new ones.
    private mutating func alias(_ newName: String, to oldName: String) {
        aliases[newName] = oldName
        guard case .structure(let oldFields)? = old[oldName], case .structure(let newFields)? = new[newName] else {
            return
        }
        for (oldField, newField) in zip(oldFields, newFields) {
            if let oldInner = oldField.type.name, let newInner = newField.type.name { alias(newInner, to: oldInner) }
        }
    }

    private func areEqual(_ oldName: String, _ newName: String) -> Bool {
        switch (old[oldName], new[newName]) {
        case (.enumeration(let oldCases)?, .enumeration(let newCases)?):
            oldCases.map(\.text) == newCases.map(\.text)
        case (.structure(let oldFields)?, .structure(let newFields)?):
            oldFields.map(\.key) == newFields.map(\.key)
                && zip(oldFields, newFields).allSatisfy { areEqual($0.type, $1.type) }
        default: false
        }
    }

    private func areEqual(_ oldType: SwiftType, _ newType: SwiftType) -> Bool {
        switch (oldType, newType) {
        case (.named(let oldName), .named(let newName)): areEqual(oldName, newName)
        case (.list(let oldInner), .list(let newInner)), (.dictionary(let oldInner), .dictionary(let newInner)),
            (.optional(let oldInner), .optional(let newInner)):
            areEqual(oldInner, newInner)
        default: oldType == newType
        }
    }
}

extension SwiftType {
    /// The name of the declared type in this one; nil if there is none.
    fileprivate var name: String? {
        switch self {
        case .named(let name): name
        case .list(let inner), .dictionary(let inner), .optional(let inner): inner.name
        default: nil
        }
    }
}
