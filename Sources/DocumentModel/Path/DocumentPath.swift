/// The path from the root of a document to a value in it, written as in JSONPath (RFC 9535): `$.lines[3]['unit
/// price']`. If an object has several members with the same name, `$.price` is the first one and `$.price#2` the
/// second.
///
/// - ``init(_:)-(String)`` reads the format of ``description``.
/// - ``init(codingPath:)`` and ``codingPath`` convert from and to the coding paths of `Codable`.
/// - ``init(jsonPointer:in:)`` and ``jsonPointer`` convert from and to JSON Pointers (RFC 6901).
public struct DocumentPath: Hashable, Sendable {
    /// One component of a path.
    public enum Component: Hashable, Sendable {
        /// The member with that name; the first one if there are several.
        case key(String)
        /// A later member with that name: the second one has occurrence 2.
        case laterKey(String, occurrence: Int)
        /// The element at that position, from 0.
        case index(Int)
        /// Every element of an array. It represents many values and leads to none of them.
        case everyElement
        /// Every member of an object. It represents many values and leads to none of them.
        case everyMember

        /// Returns whether two components are the same. Names must have the same scalars, as in JSON. In contrast,
        /// Swift's strings are equal if they are canonically equivalent.
        public static func == (left: Component, right: Component) -> Bool {
            switch (left, right) {
            case (.key(let name), .key(let other)): ExactText(name) == ExactText(other)
            case (.laterKey(let name, let occurrence), .laterKey(let other, let otherOccurrence)):
                occurrence == otherOccurrence && ExactText(name) == ExactText(other)
            case (.index(let position), .index(let other)): position == other
            case (.everyElement, .everyElement), (.everyMember, .everyMember): true
            default: false
            }
        }

        /// Hashes the values that ``==(_:_:)`` compares.
        public func hash(into hasher: inout Hasher) {
            switch self {
            case .key(let name): hasher.combine(ExactText(name))
            case .laterKey(let name, let occurrence):
                hasher.combine(ExactText(name))
                hasher.combine(occurrence)
            case .index(let position): hasher.combine(position)
            case .everyElement: hasher.combine(-1)
            case .everyMember: hasher.combine(-2)
            }
        }

        /// Returns the component for a member with that name, the first or a later one.
        static func key(_ name: String, occurrence: Int) -> Component {
            occurrence > 1 ? .laterKey(name, occurrence: occurrence) : .key(name)
        }

        /// The name of the member that it leads to, or nil if it doesn't lead to a member.
        public var name: String? {
            switch self {
            case .key(let name), .laterKey(let name, _): name
            case .index, .everyElement, .everyMember: nil
            }
        }

        /// Whether it represents many values.
        package var isPattern: Bool { self == .everyElement || self == .everyMember }
    }

    /// The components, outermost first.
    public var components: [Component]

    /// Creates a path from its components.
    public init(_ components: [Component] = []) { self.components = components }

    /// The path to the root.
    public static let root = DocumentPath()

    /// Whether this is the path to the root.
    public var isRoot: Bool { components.isEmpty }

    /// Whether the path represents many values.
    package var hasPatterns: Bool { components.contains(where: \.isPattern) }

    /// The path to the container, or nil for the root.
    public var parent: DocumentPath? { isRoot ? nil : DocumentPath(Array(components.dropLast())) }

    /// The name in the last component, or nil if it has none.
    public var lastKey: String? { components.last?.name }

    /// Returns this path followed by another component.
    public func appending(_ component: Component) -> DocumentPath { DocumentPath(components + [component]) }

    /// Returns this path followed by a member's name.
    public func appending(key: String) -> DocumentPath { appending(.key(key)) }

    /// Returns this path followed by an element's position.
    public func appending(index: Int) -> DocumentPath { appending(.index(index)) }

    /// Returns this path followed by `path`.
    public func appending(_ path: DocumentPath) -> DocumentPath { DocumentPath(components + path.components) }

    /// Returns whether this path begins with `other` or is the same.
    public func hasPrefix(_ other: DocumentPath) -> Bool { components.starts(with: other.components) }

    /// This path with `*` in place of every position.
    public var foldingIndices: DocumentPath {
        DocumentPath(components.map { if case .index = $0 { .everyElement } else { $0 } })
    }
}

// MARK: - Text

extension DocumentPath: LosslessStringConvertible {
    /// The path in the syntax of JSONPath. Names that are words follow a dot; all others are in brackets and single
    /// quotation marks.
    public var description: String {
        components.reduce(into: "$") { text, component in text += component.text }
    }

    /// Reads the format of ``description``, also with double quotation marks, or returns nil for any other text.
    public init?(_ text: String) {
        var scanner = DocumentPathScanner(text)
        guard let components = scanner.scanPath() else { return nil }
        self.components = components
    }

    /// Returns whether a name can follow a dot (RFC 9535, section 2.5.1: member-name-shorthand).
    static func isWord(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, DocumentPathScanner.isWordStart(first) else { return false }
        return name.unicodeScalars.allSatisfy(DocumentPathScanner.isWordPart)
    }

    static func escaped(_ name: String) -> String {
        name.escaping { scalar in
            switch scalar {
            case "'", "\\": "\\\(scalar)"
            case "\u{0}"..<"\u{20}": JSONString.escape(UInt8(scalar.value))
            default: nil
            }
        }
    }
}

extension DocumentPath.Component {
    /// The component as it is written in a path.
    var text: String {
        switch self {
        case .key(let name): Self.text(ofKey: name)
        case .laterKey(let name, let occurrence): "\(Self.text(ofKey: name))#\(occurrence)"
        case .index(let position): "[\(position)]"
        case .everyElement: "[*]"
        case .everyMember: ".*"
        }
    }

    private static func text(ofKey name: String) -> String {
        DocumentPath.isWord(name) ? ".\(name)" : "['\(DocumentPath.escaped(name))']"
    }
}

extension DocumentPath: Codable {
    /// Reads a path from its text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text isn't a path.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let path = DocumentPath(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no path; one looks like $.lines[3]['unit price']")
        }
        self = path
    }

    /// Writes the path as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

// MARK: - Coding paths

extension DocumentPath {
    /// Creates the path for a coding path. A key counts as a position if it has an `intValue` and is spelled like the
    /// keys of Foundation's coders for unkeyed containers (`Index 3`). The key of a dictionary with integer keys is a
    /// name.
    public init(codingPath: [any CodingKey]) {
        components = codingPath.map { key in
            if let position = key.intValue, key.stringValue == "Index \(position)" { return .index(position) }
            return .key(key.stringValue)
        }
    }

    /// The coding path for this path. A component for every element or member has no coding key and is left out.
    public var codingPath: [any CodingKey] {
        components.compactMap { component in
            switch component {
            case .key(let name), .laterKey(let name, _): PathCodingKey(name)
            case .index(let position): PathCodingKey(index: position)
            case .everyElement, .everyMember: nil
            }
        }
    }
}

/// A coding key for any name or position, spelled like those of Foundation's coders.
public struct PathCodingKey: CodingKey, Hashable, Sendable {
    /// The name, or `Index 3` for a position.
    public let stringValue: String
    /// The position, or the number that the name represents; nil if there is neither.
    public let intValue: Int?

    /// Creates the key of a member.
    public init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// Creates the key of an element.
    public init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// Creates the key of a member.
    public init(stringValue: String) { self.init(stringValue) }

    /// Creates the key of a member whose name is a number.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key that encoders and decoders of class hierarchies use for the superclass.
    public static let `super` = PathCodingKey("super")
}

// MARK: - JSON Pointers

extension DocumentPath {
    /// The JSON Pointer for this path (RFC 6901): `/lines/3/unit price`. A component for every element or member
    /// becomes `*`. If several members have the same name, a pointer can lead only to the first one.
    public var jsonPointer: String {
        components.reduce(into: "") { text, component in
            switch component {
            case .key(let name), .laterKey(let name, _): text += "/" + Self.pointerToken(name)
            case .index(let position): text += "/\(position)"
            case .everyElement, .everyMember: text += "/*"
            }
        }
    }

    /// Returns the name in the syntax of JSON Pointers.
    static func pointerToken(_ name: String) -> String { name.escaping { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil } }

    /// Returns the name in a token of a JSON Pointer, or nil if it has a `~` that isn't followed by 0 or 1.
    package static func unescaped(pointerToken token: Substring.UnicodeScalarView) -> String? {
        let parts = token.split(separator: "~", omittingEmptySubsequences: false)
        var name = parts.first.map(String.init) ?? ""
        for part in parts.dropFirst() {
            guard part.first == "0" || part.first == "1" else { return nil }
            name += (part.first == "0" ? "~" : "/") + String(part.dropFirst())
        }
        return name
    }
}
