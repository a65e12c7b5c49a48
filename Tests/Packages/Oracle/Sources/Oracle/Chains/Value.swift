import DocumentModel

/// A value without parts.
enum Scalar: Hashable, Sendable {
    case text(String)
    case number(Double)
    case bool(Bool)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
}

/// How a value of the document after a step depends on one of the document before it.
enum Effect: Hashable, Sendable {
    /// A change of the source changes this value.
    case carries
    /// This value has a part of the source, and another value has the rest.
    case portion
    /// This value has less information than the source.
    case narrows(Narrowing)
    /// The source was compared with something.
    case tests
    /// The specification doesn't say whether the source matters.
    case open

    /// Returns the effects that remain when the value passes through another operation.
    func then(_ next: Effect) -> Set<Effect> {
        switch (self, next) {
        case (.open, _), (_, .open): [.open]
        case (.tests, _), (_, .tests): [.tests]
        case (.portion, _), (_, .portion): [.portion]
        case (.narrows, .narrows): [self, next]
        case (.narrows, _): [self]
        default: [next]
        }
    }
}

/// How a value loses information.
enum Narrowing: String, Hashable, Sendable {
    case digits, cut, lower, space

    /// The names that a report may use for it.
    var names: Set<String> {
        switch self {
        case .digits: ["digits"]
        // Cutting a date's text to the day, month or year can be called either.
        case .cut: ["cut", "time", "zone", "fraction", "day"]
        case .lower: ["case"]
        case .space: ["space"]
        }
    }
}

/// The values that a value depends on, by their paths in the document before.
typealias Flows = [Path: Set<Effect>]

extension Flows {
    mutating func add(_ other: Flows, then effect: Effect = .carries) {
        for (path, effects) in other {
            for old in effects { self[path, default: []].formUnion(old.then(effect)) }
        }
    }

    func then(_ effect: Effect) -> Flows {
        var flows: Flows = [:]
        flows.add(self, then: effect)
        return flows
    }

    /// Returns the narrowed flows. If several values became one, it is unknown which of them lost something.
    func narrowed(_ narrowing: Narrowing) -> Flows { then(count > 1 ? .open : .narrows(narrowing)) }
}

/// A value of a document that knows what it depends on.
indirect enum Value: Sendable {
    case leaf(Scalar, Flows)
    case object(Members)
    /// A list. Its flows are those of the values that decide which elements there are and in which order.
    case list([Value], Flows)
}

/// The members of an object in order.
struct Members: Sendable {
    /// The path of the object before the step, or `nil` if the step made it.
    var origin: Path?
    private(set) var names: [String] = []
    private var values: [String: Value] = [:]

    subscript(name: String) -> Value? {
        get { values[name] }
        set {
            if newValue == nil { names.removeAll { $0 == name } } else if values[name] == nil { names.append(name) }
            values[name] = newValue
        }
    }
}

extension Value {
    static func text(_ text: String) -> Value { .leaf(.text(text), [:]) }
    static func number(_ number: Double) -> Value { .leaf(.number(number), [:]) }
    static func object(_ members: KeyValuePairs<String, Value>) -> Value {
        var object = Members()
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    var scalar: Scalar? { if case .leaf(let scalar, _) = self { scalar } else { nil } }
    var flows: Flows { if case .leaf(_, let flows) = self { flows } else { [:] } }
    var text: String? { scalar?.text }
    var number: Double? { scalar?.number }
    var isTrue: Bool { scalar == .bool(true) }
    var members: Members? { if case .object(let members) = self { members } else { nil } }
    var elements: [Value] { if case .list(let elements, _) = self { elements } else { [] } }
    subscript(name: String) -> Value? { members?[name] }
    var isContainer: Bool { scalar == nil }

    /// Returns the value at a path without `*`.
    subscript(path: Path) -> Value? {
        path.parts.reduce(self as Value?) { value, part in
            switch (value, part) {
            case (.object(let members)?, .key(let name)): members[name]
            case (.list(let elements, _)?, .index(let index)): elements.indices.contains(index) ? elements[index] : nil
            default: nil
            }
        }
    }

    /// Returns the same value, in which each part depends only on its own path.
    func tagged(_ path: Path = .root) -> Value {
        switch self {
        case .leaf(let scalar, _): return .leaf(scalar, [path: [.carries]])
        case .object(var members):
            members.origin = path
            for name in members.names { members[name] = members[name]?.tagged(path.key(name)) }
            return .object(members)
        case .list(let elements, _):
            return .list(elements.enumerated().map { $1.tagged(path.index($0)) }, [path: [.open]])
        }
    }

    /// Calls `body` with each leaf and each list.
    func visit(_ path: Path = .root, _ body: (Path, Value) -> Void) {
        switch self {
        case .leaf: body(path, self)
        case .object(let members): for name in members.names { members[name]?.visit(path.key(name), body) }
        case .list(let elements, _):
            body(path, self)
            for (index, element) in elements.enumerated() { element.visit(path.index(index), body) }
        }
    }

    /// The leaves with their paths.
    var leaves: [(path: Path, scalar: Scalar, flows: Flows)] {
        var leaves: [(Path, Scalar, Flows)] = []
        visit { if case .leaf(let scalar, let flows) = $1 { leaves.append(($0, scalar, flows)) } }
        return leaves
    }

    /// Returns the paths that a path with `*` matches in this value.
    func expand(_ path: Path) -> [Path] {
        path.parts.reduce([Path.root]) { paths, part in
            paths.flatMap { path -> [Path] in
                switch part {
                case .all:
                    switch self[path] {
                    case .list(let elements, _)?: elements.indices.map(path.index)
                    case .object(let members)?: members.names.map(path.key)
                    default: []
                    }
                default: [Path(path.parts + [part])]
                }
            }
        }
    }

    /// Replaces the value at a path, adds it if there is none, or removes it if `new` is `nil`. Returns false if that
    /// isn't possible.
    mutating func replace(_ path: ArraySlice<Path.Part>, by new: Value?, isInserted: Bool = false) -> Bool {
        guard let part = path.first else {
            guard let new else { return false }
            self = new
            return true
        }
        let isLast = path.count == 1
        switch (self, part) {
        case (.object(var members), .key(let name)):
            if isLast {
                members[name] = new
            } else {
                guard var child = members[name], child.replace(path.dropFirst(), by: new, isInserted: isInserted) else {
                    return false
                }
                members[name] = child
            }
            self = .object(members)
        case (.list(var elements, let flows), .index(let index)):
            if isLast, isInserted, let new, index <= elements.count {
                elements.insert(new, at: index)
            } else {
                guard elements.indices.contains(index) else { return false }
                if !isLast {
                    guard elements[index].replace(path.dropFirst(), by: new, isInserted: isInserted) else {
                        return false
                    }
                } else if let new {
                    elements[index] = new
                } else {
                    elements.remove(at: index)
                }
            }
            self = .list(elements, flows)
        default: return false
        }
        return true
    }

    func replacing(_ path: Path, by new: Value?) -> Value? {
        var changed = self
        return changed.replace(path.parts[...], by: new) ? changed : nil
    }
}

extension Value: Equatable {
    /// Returns whether two values are the same document, regardless of the order of members.
    static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.leaf(let one, _), .leaf(let other, _)): one == other
        case (.list(let one, _), .list(let other, _)): one == other
        case (.object(let one), .object(let other)):
            one.names.count == other.names.count && one.names.allSatisfy { one[$0] == other[$0] }
        default: false
        }
    }
}

// MARK: - JSON

extension Value {
    init(_ node: DocumentNode) {
        switch node.kind {
        case .object:
            var members = Members()
            for member in node.members { members[member.name] = Value(member.value) }
            self = .object(members)
        case .array: self = .list(node.elements.map(Value.init), [:])
        case .string, .key: self = .text(node.string ?? "")
        case .number: self = .number(node.numberText.flatMap(Double.init) ?? .nan)
        case .boolean: self = .leaf(.bool(node.boolean ?? false), [:])
        default: self = .leaf(.null, [:])
        }
    }

    var json: String {
        switch self {
        case .leaf(.text(let text), _): "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        case .leaf(.number(let number), _): number.plain
        case .leaf(.bool(let bool), _): "\(bool)"
        case .leaf(.null, _): "null"
        case .list(let elements, _): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.names.map { "\"\($0)\":\(members[$0]?.json ?? "null")" }.joined(separator: ",") + "}"
        }
    }
}

extension Double {
    /// The number as a person would write it.
    var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}
