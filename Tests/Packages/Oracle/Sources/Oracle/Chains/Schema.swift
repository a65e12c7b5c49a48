/// A kind of leaf in a document.
enum Kind: Hashable, Sendable {
    case text, whole, decimal, bool, day, link
    /// A number as text, and two texts joined with a hyphen.
    case digits, pair
    /// One of the cases of an enum.
    case choice(Choice)

    var isText: Bool { self == .text || self == .day || self == .link }
    /// Whether the type reads a `String`.
    var isString: Bool { isText || self == .digits || self == .pair }
    var isNumber: Bool { self == .whole || self == .decimal }

    /// Returns whether a type reads the value as one of this kind.
    func accepts(_ scalar: Scalar) -> Bool {
        switch (self, scalar) {
        case (.decimal, .number), (.bool, .bool): true
        case (.whole, .number(let number)): number == number.rounded() && number.magnitude < 9e18
        case (.choice(let choice), .text(let text)): choice.cases.contains(text)
        case (_, .text): isString
        default: false
        }
    }
}

/// The enums whose cases occur in documents.
enum Choice: Int, CaseIterable {
    case color, size, form

    enum Color: String, Codable, CaseIterable { case red, green, blue, violet }
    enum Size: String, Codable, CaseIterable { case small, medium, large }
    /// An enum without `CaseIterable`, so the program has to find its cases.
    enum Form: String, Codable { case circle, square }

    var cases: [String] {
        switch self {
        case .color: Color.allCases.map(\.rawValue)
        case .size: Size.allCases.map(\.rawValue)
        case .form: [Form.circle, .square].map(\.rawValue)
        }
    }
}

/// The shape of values in a version.
indirect enum Shape: Sendable {
    case leaf(Kind)
    case object(Schema)
    /// A list. If `skips` is true, the type uses `try?` and leaves out elements that don't decode.
    case list(Shape, skips: Bool)

    var kind: Kind? { if case .leaf(let kind) = self { kind } else { nil } }
    /// The fields of the object or of the list's elements.
    var schema: Schema? {
        switch self {
        case .object(let schema), .list(.object(let schema), _): schema
        default: nil
        }
    }
    var isList: Bool { if case .list = self { true } else { false } }

    /// Returns the same shape with other fields.
    func with(_ schema: Schema) -> Shape {
        switch self {
        case .leaf: self
        case .object: .object(schema)
        case .list(_, let skips): .list(.object(schema), skips: skips)
        }
    }
}

struct Field: Sendable {
    var name: String
    var shape: Shape
    var isOptional = false
    /// Whether the type reads the field but doesn't write it.
    var isUnwritten = false
}

/// The fields of an object.
struct Schema: Sendable {
    var fields: [Field] = []

    subscript(name: String) -> Field? {
        get { fields.first { $0.name == name } }
        set {
            let index = fields.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let field?): fields[index] = field
            case (let index?, nil): fields.remove(at: index)
            case (nil, let field?): fields.append(field)
            case (nil, nil): break
            }
        }
    }

    /// Changes the fields of the objects at a scope.
    mutating func change(_ scope: ArraySlice<String>, _ body: (inout Schema) -> Void) {
        guard let name = scope.first else { return body(&self) }
        guard var field = self[name], var inner = field.shape.schema else { return }
        inner.change(scope.dropFirst(), body)
        field.shape = field.shape.with(inner)
        self[name] = field
    }

    /// Returns all objects with the names on the way to them.
    func scopes(_ scope: [String] = []) -> [(scope: [String], schema: Schema)] {
        [(scope, self)]
            + fields.filter { !$0.isOptional }.flatMap { field in
                field.shape.schema?.scopes(scope + [field.name]) ?? []
            }
    }

    /// All fields at any depth with the names on the way to them.
    var places: [(names: [String], field: Field)] {
        fields.flatMap { field in
            [([field.name], field)]
                + (field.shape.schema?.places.map { ([field.name] + $0.names, $0.field) } ?? [])
        }
    }

    var description: String {
        fields.map { field in
            "\(field.name)\(field.isOptional ? "?" : "")\(field.isUnwritten ? " (not written)" : ""): "
                + field.shape.description
        }.joined(separator: ", ")
    }
}

extension Shape: CustomStringConvertible {
    var description: String {
        switch self {
        case .leaf(.choice(let choice)): "\(choice)"
        case .leaf(let kind): "\(kind)"
        case .object(let schema): "{\(schema.description)}"
        case .list(let shape, let skips): "[\(shape)]" + (skips ? " skipping" : "")
        }
    }
}

// MARK: - Decoding

/// The reason for refusing a document, and the values to blame.
struct Refusal: Error, Sendable {
    /// The values of the document with a change that makes it pass, or an empty set if the specification leaves that
    /// open.
    var blamed: Set<Path>
    /// The path that the error names.
    var path: Path
    var message: String
    /// Whether it is a custom error of the chain.
    var isOwn = false
    /// Whether it is a decoder's error.
    var isDecoding = false
}

/// How far a run got, and which values it used.
final class Progress {
    var count = 0
    /// The values that closures took from their payload.
    var touched: Set<Path> = []
    /// The elements that an operation removed.
    var removed: Set<Path> = []
    /// The elements that a type left out because they don't decode.
    var skipped: Set<Path> = []
}

extension Schema {
    /// Returns the value as a type reads it, without values that it doesn't ask for.
    func decode(_ value: Value, _ path: Path, _ progress: Progress) throws(Refusal) -> Value {
        guard case .object(let found) = value else { throw Refusal(decoding: path, value) }
        var members = Members()
        members.origin = found.origin
        for field in fields {
            progress.count += 1
            let place = path.key(field.name)
            guard let member = found[field.name], field.isOptional ? member.scalar != .null : true else {
                if field.isOptional { continue }
                throw Refusal(decoding: place, found[field.name], missing: found.origin?.key(field.name))
            }
            members[field.name] = try field.shape.decode(member, place, progress)
        }
        return .object(members)
    }
}

extension Shape {
    func decode(_ value: Value, _ path: Path, _ progress: Progress) throws(Refusal) -> Value {
        switch self {
        case .leaf(let kind):
            guard let scalar = value.scalar, kind.accepts(scalar) else { throw Refusal(decoding: path, value) }
            return value
        case .object(let schema): return try schema.decode(value, path, progress)
        case .list(let shape, let skips):
            guard case .list(let elements, let flows) = value else { throw Refusal(decoding: path, value) }
            var decoded: [Value] = []
            for (index, element) in elements.enumerated() {
                progress.count += 1
                let place = path.index(index)
                do throws(Refusal) {
                    decoded.append(try shape.decode(element, place, progress))
                } catch {
                    guard skips else { throw error }
                    progress.skipped.insert(element.place ?? place)
                }
            }
            return .list(decoded, flows)
        }
    }
}

extension Refusal {
    /// Creates a decoder's error about a value that is wrong or missing.
    init(decoding path: Path, _ value: Value?, missing: Path? = nil) {
        blamed = Set(value.map { [$0.place].compactMap { $0 } } ?? [missing].compactMap { $0 })
        self.path = path
        message = value == nil ? "no value" : "not the kind that is expected"
        isDecoding = true
    }
}

extension Value {
    /// The path of the value before the step.
    var place: Path? {
        switch self {
        case .leaf(_, let flows), .list(_, let flows): flows.count == 1 ? flows.first?.key : nil
        case .object(let members): members.origin
        }
    }
}
