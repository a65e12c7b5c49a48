/// The version of a document, as its chain counts.
public enum DocumentVersion: Hashable, Sendable {
    /// A document from before there were versions: it has no version key. In JSON, null.
    case unversioned
    /// A number.
    case number(Int)
    /// A word, for chains whose versions have names.
    case name(String)

    /// The version of a `VersionedCodable` type.
    public init(_ version: Int?) { self = version.map(DocumentVersion.number) ?? .unversioned }

    /// The number, where it is one.
    var number: Int? { if case .number(let number) = self { number } else { nil } }

    /// The version that a person means by `text` (on a command line, say): a number, `none`, or a name.
    public init(text: String) {
        self = Int(text).map(DocumentVersion.number) ?? (text == "none" ? .unversioned : .name(text))
    }
}

extension DocumentVersion: CustomStringConvertible {
    /// `none`, the number, or the name.
    public var description: String {
        switch self {
        case .unversioned: "none"
        case .number(let number): String(number)
        case .name(let name): name
        }
    }
}

extension DocumentVersion: Codable {
    /// Reads null, an integer or a string.
    ///
    /// - Throws: `DecodingError.typeMismatch` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .unversioned
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else {
            self = .name(try container.decode(String.self))
        }
    }

    /// Writes null, an integer or a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .unversioned: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .name(let name): try container.encode(name)
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
