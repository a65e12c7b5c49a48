/// The version of a document, as its chain counts.
public enum DocumentVersion: Sendable {
    /// A document from before there were versions: it has no version key. In JSON, null.
    case unversioned
    /// A number.
    case number(Int)
    /// A number that documents write in another way: as the text `1.10.0`, as a pair, as the name of a case. It counts as
    /// the number, and is shown, and written in JSON, as the text.
    case written(Int, as: String)
    /// A word, for chains whose versions have names.
    case name(String)

    /// The version of a `VersionedCodable` type.
    public init(_ version: Int?) { self = version.map(DocumentVersion.number) ?? .unversioned }

    /// The number that it counts as, if it does.
    package var number: Int? {
        switch self {
        case .number(let number), .written(let number, _): number
        case .unversioned, .name: nil
        }
    }

    /// Whether a person who names that version means this one: by its number, or as documents write it.
    package func isMeant(by other: DocumentVersion) -> Bool { self == other || description == other.description }

    /// The version that a person means by `text` (on a command line, say): a number, `none`, or a name.
    public init(text: String) {
        self = Int(text).map(DocumentVersion.number) ?? (text == "none" ? .unversioned : .name(text))
    }
}

extension DocumentVersion: Hashable {
    /// Whether two versions count as the same, however documents write them.
    public static func == (left: DocumentVersion, right: DocumentVersion) -> Bool {
        switch (left, right) {
        case (.unversioned, .unversioned): true
        case (.name(let name), .name(let other)): name == other
        default: left.number != nil && left.number == right.number
        }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        if case .name(let name) = self { hasher.combine(name) } else { hasher.combine(number) }
    }
}

extension DocumentVersion: CustomStringConvertible {
    /// `none`, the number, the name, or what documents write for the number.
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
    /// Set in the `userInfo` of an encoder whose text only this program reads: it then keeps the number beside the text.
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
    /// The name of the type that stands for it.
    public var type: String

    /// Makes a version from its parts.
    public init(version: DocumentVersion, type: String) {
        self.version = version
        self.type = type
    }
}
