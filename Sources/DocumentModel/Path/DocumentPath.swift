/// The way from the root of a document to a value in it, written as in JSONPath (RFC 9535): `$.lines[3]['unit price']`.
/// Where an object has several members of one name, `$.price` is the first, `$.price#2` the second.
///
/// - ``init(_:)-(String)`` reads what ``description`` prints.
/// - ``init(codingPath:)`` and ``codingPath`` convert from and to the coding paths of `Codable`.
/// - ``init(jsonPointer:in:)`` and ``jsonPointer`` convert from and to JSON Pointers (RFC 6901).
public struct DocumentPath: Hashable, Sendable {
    /// One step of the way.
    public enum Component: Hashable, Sendable {
        /// To the member of that name; of several, to the first.
        case key(String)
        /// To a member of that name that is not the first: the second is of occurrence 2.
        case laterKey(String, occurrence: Int)
        /// To the element at that position, from 0.
        case index(Int)
        /// To every element of an array; stands for many values at once and leads to none of them.
        case everyElement
        /// To every member of an object; stands for many values at once and leads to none of them.
        case everyMember

        /// Whether two steps are the same. Names are when they have the same scalars, as in JSON; Swift's strings are
        /// already when they are canonically equivalent.
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

        /// Hashes what ``==(_:_:)`` compares.
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

        /// The step to a member of that name, the first or a later one.
        static func key(_ name: String, occurrence: Int) -> Component {
            occurrence > 1 ? .laterKey(name, occurrence: occurrence) : .key(name)
        }

        /// The name of the member that it leads to; nil for a step to anything else.
        public var name: String? {
            switch self {
            case .key(let name), .laterKey(let name, _): name
            case .index, .everyElement, .everyMember: nil
            }
        }
    }

    /// The steps, outermost first.
    public var components: [Component]

    /// The way that takes these steps.
    public init(_ components: [Component] = []) { self.components = components }

    /// The way to the root.
    public static let root = DocumentPath()

    /// Whether this is the way to the root.
    public var isRoot: Bool { components.isEmpty }

    /// The way to the container; nil for the root.
    public var parent: DocumentPath? { isRoot ? nil : DocumentPath(Array(components.dropLast())) }

    /// The name at the end, if a name is at the end.
    public var lastKey: String? { components.last?.name }

    /// This way and then one step more.
    public func appending(_ component: Component) -> DocumentPath { DocumentPath(components + [component]) }

    /// This way and then on to the member of that name.
    public func appending(key: String) -> DocumentPath { appending(.key(key)) }

    /// This way and then on to the element at that position.
    public func appending(index: Int) -> DocumentPath { appending(.index(index)) }

    /// This way and then `path`.
    public func appending(_ path: DocumentPath) -> DocumentPath { DocumentPath(components + path.components) }

    /// Whether the way to `self` leads through `other`, or is the same.
    public func hasPrefix(_ other: DocumentPath) -> Bool { components.starts(with: other.components) }

    /// This way with `*` in place of every position.
    public var foldingIndices: DocumentPath {
        DocumentPath(components.map { if case .index = $0 { .everyElement } else { $0 } })
    }
}

// MARK: - Text

extension DocumentPath: LosslessStringConvertible {
    /// The way as JSONPath writes it. Names that are words stand behind a dot, all others in brackets and single
    /// quotation marks.
    public var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .key(let name): text += Self.text(ofKey: name)
            case .laterKey(let name, let occurrence): text += "\(Self.text(ofKey: name))#\(occurrence)"
            case .index(let position): text += "[\(position)]"
            case .everyElement: text += "[*]"
            case .everyMember: text += ".*"
            }
        }
    }

    private static func text(ofKey name: String) -> String { isWord(name) ? ".\(name)" : "['\(escaped(name))']" }

    /// Reads what ``description`` prints, with double quotation marks too; nil if `text` is anything else.
    public init?(_ text: String) {
        var scanner = DocumentPathScanner(text)
        guard let components = scanner.scanPath() else { return nil }
        self.components = components
    }

    /// A name that may stand behind a dot (RFC 9535, section 2.5.1: member-name-shorthand).
    private static func isWord(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, DocumentPathScanner.isWordStart(first) else { return false }
        return name.unicodeScalars.allSatisfy(DocumentPathScanner.isWordPart)
    }

    private static func escaped(_ name: String) -> String {
        name.escaping { scalar in
            switch scalar {
            case "'", "\\": "\\\(scalar)"
            case "\u{0}"..<"\u{20}": JSONString.escape(UInt8(scalar.value))
            default: nil
            }
        }
    }
}

extension DocumentPath: Codable {
    /// Reads a path from its text.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a text that is no path.
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
    /// The way that a coding path names. A key is taken for a position when it has an `intValue` and is spelled as
    /// Foundation's coders spell the keys of unkeyed containers (`Index 3`); the key of a dictionary with integer keys
    /// is a name.
    public init(codingPath: [any CodingKey]) {
        components = codingPath.map { key in
            if let position = key.intValue, key.stringValue == "Index \(position)" { return .index(position) }
            return .key(key.stringValue)
        }
    }

    /// The coding path of this way. A step to every element or member has no coding key and is left out.
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

/// A coding key for any name or position, spelled as Foundation's coders spell theirs.
public struct PathCodingKey: CodingKey, Hashable, Sendable {
    /// The name, or `Index 3` for a position.
    public let stringValue: String
    /// The position, or the number that the name stands for, if there is one.
    public let intValue: Int?

    /// The key of a member.
    public init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    /// The key of an element.
    public init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }

    /// The key of a member.
    public init(stringValue: String) { self.init(stringValue) }

    /// The key of a member whose name is a number.
    public init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }

    /// The key that encoders and decoders of class hierarchies use for the superclass.
    public static let `super` = PathCodingKey("super")
}

// MARK: - JSON Pointers

extension DocumentPath {
    /// The JSON Pointer of this way (RFC 6901): `/lines/3/unit price`. A step to every element or member becomes `*`, and
    /// no pointer leads to any but the first of several members of one name.
    public var jsonPointer: String {
        components.reduce(into: "") { text, component in
            switch component {
            case .key(let name), .laterKey(let name, _): text += "/" + Self.pointerToken(name)
            case .index(let position): text += "/\(position)"
            case .everyElement, .everyMember: text += "/*"
            }
        }
    }

    /// The name as a JSON Pointer writes it.
    static func pointerToken(_ name: String) -> String { name.escaping { $0 == "~" ? "~0" : $0 == "/" ? "~1" : nil } }

    /// The name that a step of a JSON Pointer stands for; nil if a `~` in it is not followed by 0 or 1.
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
