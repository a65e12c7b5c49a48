/// The version of a document, as its chain numbers or names it.
public enum DocumentVersion: Sendable {
    /// A document without a version key, from before the format had versions. Null in JSON.
    case unversioned
    /// A number.
    case number(Int)
    /// A number that documents spell differently, for example as the text `1.10.0`, a pair, or the name of a case. It
    /// compares as the number, but is shown and encoded as the text.
    case written(Int, as: String)
    /// A word, for chains with named versions.
    case name(String)

    /// Creates the version of a `VersionedCodable` type.
    public init(_ version: Int?) { self = version.map(DocumentVersion.number) ?? .unversioned }

    /// The number that this version compares as, or nil if it isn't numbered.
    package var number: Int? {
        switch self {
        case .number(let number), .written(let number, _): number
        case .unversioned, .name: nil
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
        default: left.number != nil && left.number == right.number
        }
    }

    /// Hashes the properties that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        if case .name(let name) = self { hasher.combine(name) } else { hasher.combine(number) }
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
        }
    }
}

extension DocumentVersion: Codable {
    /// Set in the `userInfo` of an encoder whose output only this program reads, to encode the number next to the text.
    package static let keepsNumber = CodingUserInfoKey(rawValue: "MigrationCore.DocumentVersion.keepsNumber")

    private enum CodingKeys: CodingKey { case number, text }

    /// Reads null, an integer or a string.
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
        } else if let pair = try? decoder.container(keyedBy: CodingKeys.self) {
            self = .written(
                try pair.decode(Int.self, forKey: .number), as: try pair.decode(String.self, forKey: .text))
        } else {
            self = .name(try container.decode(String.self))
        }
    }

    /// Writes null, an integer or a string.
    public func encode(to encoder: any Encoder) throws {
        if case .written(let number, let text) = self, Self.keepsNumber.map({ encoder.userInfo[$0] != nil }) == true {
            var pair = encoder.container(keyedBy: CodingKeys.self)
            try pair.encode(number, forKey: .number)
            try pair.encode(text, forKey: .text)
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .unversioned: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .name(let text), .written(_, let text): try container.encode(text)
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
