import DocumentModel

/// The version of a document, as its chain numbers or names it.
public enum DocumentVersion: Sendable {
    /// A document without a version key, from before the format had versions. Null in JSON.
    case unversioned
    /// A number.
    case number(Int)
    /// A number that documents spell differently, for example as the text `1.10.0` or the name of a case. It compares
    /// as the number, but is shown and encoded as the text.
    case written(Int, as: String)
    /// A number that documents state in several values, for example in `nbformat` and `nbformat_minor`. It compares as
    /// the number, but is shown and encoded as the object or array of these values. The number is nil if the values
    /// make no version, or if they are known from a report.
    case values(Int?, Document)
    /// A word, for chains with named versions.
    case name(String)

    /// Creates the version of a `VersionedCodable` type.
    public init(_ version: Int?) { self = version.map(DocumentVersion.number) ?? .unversioned }

    /// The number that this version compares as, or nil if it isn't numbered.
    package var number: Int? {
        switch self {
        case .number(let number), .written(let number, _): number
        case .values(let number, _): number
        case .unversioned, .name: nil
        }
    }

    /// The values that make up the version, in their containers; nil if it is a single value.
    var stated: Document? { if case .values(_, let values) = self { values } else { nil } }

    /// Whether the version is shown as a document spells it, so that versions that compare as the same may be shown
    /// differently.
    package var isSpelled: Bool {
        switch self {
        case .written, .values, .name: true
        case .number, .unversioned: false
        }
    }

    /// Returns whether a user who enters `other` means this version, by its number or as documents spell it.
    package func isMeant(by other: DocumentVersion) -> Bool { self == other || description == other.description }

    /// Creates the version that a user means by `text`, for example on a command line: a number, `none`, or a name.
    public init(text: String) {
        self = Int(text).map(DocumentVersion.number) ?? (text == "none" ? .unversioned : .name(text))
    }
}

extension DocumentVersion: Hashable {
    /// Returns whether two versions compare as the same, however documents spell them.
    public static func == (left: DocumentVersion, right: DocumentVersion) -> Bool {
        switch (left, right) {
        case (.unversioned, .unversioned): true
        case (.name(let name), .name(let other)): name == other
        case (.values(nil, let values), .values(nil, let others)): values == others
        default: left.number != nil && left.number == right.number
        }
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        if let number { hasher.combine(number) } else if case .name(let name) = self { hasher.combine(name) }
    }
}

extension DocumentVersion: CustomStringConvertible {
    /// `none`, the number, the name, or the spelling in documents.
    public var description: String {
        switch self {
        case .unversioned: "none"
        case .number(let number): String(number)
        case .name(let name): name
        case .written(_, let text): text
        case .values(_, let document): document.root.versionDescription
        }
    }
}

extension DocumentNode {
    /// The text of a value that is part of a version, for display. Nil for null, objects, and arrays.
    var versionText: String? {
        switch kind {
        case .object, .array, .null, .key: nil
        default: string ?? numberText ?? briefText
        }
    }

    /// The values that state a version, with their names: `nbformat 4, nbformat_minor 5`.
    fileprivate var versionDescription: String {
        let values = nodes.filter { $0.kind != .key && !$0.kind.isContainer }
        return values.map { ($0.key?.string.map { "\($0) " } ?? "") + ($0.versionText ?? "null") }
            .joined(separator: ", ")
    }
}

extension DocumentVersion: Codable {
    // In messages between processes, the number is next to the text or the values. An object without members stands for
    // an unversioned document, and null for no version.
    private enum CodingKeys: CodingKey { case number, text, values }

    /// Reads null, an integer, a string, or an object or array of the values that state the version.
    ///
    /// - Throws: `DecodingError.typeMismatch` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .unversioned
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let name = try? container.decode(String.self) {
            self = .name(name)
        } else if decoder.messageDocuments != nil {
            let pair = try decoder.container(keyedBy: CodingKeys.self)
            if let text = try pair.decodeIfPresent(String.self, forKey: .text) {
                self = .written(try pair.decode(Int.self, forKey: .number), as: text)
            } else if let values = try pair.decodeIfPresent(Document.self, forKey: .values) {
                self = .values(try pair.decodeIfPresent(Int.self, forKey: .number), values)
            } else {
                self = .unversioned
            }
        } else if let values = try? container.decode(Document.self), values.root.kind.isContainer {
            self = .values(nil, values)
        } else {
            self = .name(try container.decode(String.self))
        }
    }

    /// Writes null, an integer, a string, or an object or array of the values that state the version.
    public func encode(to encoder: any Encoder) throws {
        let isMessage = encoder.messageDocuments != nil
        switch self {
        case .unversioned where isMessage:
            _ = encoder.container(keyedBy: CodingKeys.self)
            return
        case .written(let number, let text) where isMessage:
            var pair = encoder.container(keyedBy: CodingKeys.self)
            try pair.encode(number, forKey: .number)
            return try pair.encode(text, forKey: .text)
        case .values(let number, let values) where isMessage:
            var pair = encoder.container(keyedBy: CodingKeys.self)
            try pair.encodeIfPresent(number, forKey: .number)
            return try pair.encode(values, forKey: .values)
        default: break
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .unversioned: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .name(let text), .written(_, let text): try container.encode(text)
        case .values(_, let values): try container.encode(values)
        }
    }
}

/// One version of a chain.
public struct ChainVersion: Sendable, Hashable, Codable {
    /// The version.
    public var version: DocumentVersion
    /// The name of the type for this version.
    public var type: String

    /// Creates a version from its parts.
    public init(version: DocumentVersion, type: String) {
        self.version = version
        self.type = type
    }
}
