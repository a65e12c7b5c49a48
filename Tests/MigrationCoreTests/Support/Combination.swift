import Foundation
import MigrationCore
import Testing

/// Types that keep their version in certain places, and a document with values in some of these places.
struct Combination: CustomTestStringConvertible, Sendable {
    struct Types: Hashable, Sendable, CaseIterable {
        /// The types that keep their version in metadata; the others keep it at the root.
        enum Spec: CaseIterable {
            case none, newest, all, olderOnly
            /// The newest type, of version 2, keeps it in metadata, version 1 in a header, and version 0 at the root.
            case each
        }
        /// The behavior of the spec for the version in metadata.
        enum Style: CaseIterable {
            /// Requires the metadata.
            case required
            /// The metadata may be missing.
            case optional
            /// Throws its own error for any value except 1 and 2.
            case throwing
        }
        var spec: Spec
        var style = Style.required
        /// Whether the chain begins with a type without a version.
        var isUnversionedBefore = false

        static var allCases: [Types] {
            Spec.allCases.flatMap { spec in
                (spec == .none ? [.required] : Style.allCases).flatMap { style in
                    [false, true].map { Types(spec: spec, style: style, isUnversionedBefore: $0) }
                }
            }
        }
    }

    /// The values that the document has at the root, in metadata and in a header, as JSON, or nil if it has none.
    struct Places: Sendable {
        var root: String?
        var metadata: String?
        var header: String?

        static func all(_ spec: Types.Spec) -> [Places] { spec == .each ? allOfThree : allOfTwo }

        private static let allOfThree = [nil, "0", "9", "\"0\"", "null"].flatMap { root in
            [
                nil, "{}", "{\"version\":1}", "{\"version\":9}", "{\"version\":\"1\"}", "{\"version\":null}",
            ].flatMap { header in
                [
                    nil, "{}", "{\"version\":0}", "{\"version\":1}", "{\"version\":2}", "{\"version\":9}",
                    "{\"version\":\"2\"}", "{\"version\":null}",
                ].map { Places(root: root, metadata: $0, header: header) }
            }
        }

        private static let allOfTwo = [nil, "1", "2", "9", "\"2\"", "null", "true"].flatMap { root in
            [
                nil, "null", "\"text\"", "{}", "{\"version\":1}", "{\"version\":2}", "{\"version\":9}",
                "{\"version\":\"2\"}", "{\"version\":null}",
            ].map { Places(root: root, metadata: $0) }
        }

        var json: String {
            let members = [
                root.map { "\"version\":\($0)" }, metadata.map { "\"metadata\":\($0)" },
                header.map { "\"header\":\($0)" },
            ]
            return "{\(members.compactMap(\.self).joined(separator: ","))}"
        }
    }

    var types: Types
    var places: Places
    /// The answer of VersionedCodable.
    var original: String

    var testDescription: String {
        "\(types.spec) \(types.style) \(types.isUnversionedBefore ? "unversioned before " : "")\(places.json)"
    }

    /// Returns the result of `decode` for the document: the version of the type that decoded it (`-` for the type
    /// without a version), or the error: `k` for keyNotFound, `t` for typeMismatch, `v` for valueNotFound, `c` for
    /// dataCorrupted, `u` for unsupportedVersion, `o` for one that the spec throws.
    func answer(_ decode: (any Routed.Type, Data) throws -> any Routed) -> String {
        do {
            return try decode(types.newest, Data(places.json.utf8)).route
        } catch VersionedDecodingError.unsupportedVersion {
            return "u"
        } catch DecodingError.keyNotFound {
            return "k"
        } catch DecodingError.typeMismatch {
            return "t"
        } catch DecodingError.valueNotFound {
            return "v"
        } catch DecodingError.dataCorrupted {
            return "c"
        } catch is OwnError {
            return "o"
        } catch {
            return "\(error)"
        }
    }
}

extension Combination.Types {
    var newest: any Routed.Type {
        func type<New: Place, Old: Place>(_ new: New.Type, _ old: Old.Type) -> any Routed.Type {
            isUnversionedBefore ? Newest<New, Numbered<Old, Unversioned<Old>>>.self : Newest<New, Oldest<Old>>.self
        }
        func type<Inside: Place>(inside: Inside.Type) -> any Routed.Type {
            switch spec {
            case .none: type(AtRoot.self, AtRoot.self)
            case .newest: type(Inside.self, AtRoot.self)
            case .all: type(Inside.self, Inside.self)
            case .olderOnly: type(AtRoot.self, Inside.self)
            case .each:
                isUnversionedBefore
                    ? Newest<Inside, Numbered<InHeader, NumberedZero<AtRoot, Unversioned<AtRoot>>>>.self
                    : Newest<Inside, Numbered<InHeader, OldestZero<AtRoot>>>.self
            }
        }
        switch style {
        case .required: return type(inside: InMetadata.self)
        case .optional: return type(inside: InMetadataIfAny.self)
        case .throwing: return type(inside: InMetadataOrError.self)
        }
    }
}

// MARK: - Types

/// A value that knows which version it was decoded as.
protocol Routed: VersionedCodable {
    var route: String { get }
}

private protocol Place { associatedtype Spec: VersionPathSpec }

private enum AtRoot: Place { typealias Spec = VersionKeyAtRootVersionPathSpec }

private enum InMetadata: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.version
        var metadata: Metadata
        init(withVersion version: Int?) { metadata = Metadata(version: version) }
    }
    struct Metadata: Codable { var version: Int? }
}

private enum InHeader: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.header.version
        var header: InMetadata.Metadata
        init(withVersion version: Int?) { header = .init(version: version) }
    }
}

private enum InMetadataIfAny: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata?.version
        var metadata: InMetadata.Metadata?
        init(withVersion version: Int?) { metadata = .init(version: version) }
    }
}

private struct OwnError: Error {}

private enum InMetadataOrError: Place {
    struct Spec: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.metadata.version
        var metadata: Metadata
        init(withVersion version: Int?) { metadata = Metadata(version: version) }
    }
    struct Metadata: Codable {
        var version: Int?

        init(version: Int?) { self.version = version }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let version = try container.decode(Int.self, forKey: .version)
            guard [1, 2].contains(version) else { throw OwnError() }
            self.version = version
        }
    }
}

private struct Newest<New: Place, Old: Routed>: Routed {
    var route: String
    static var version: Int? { 2 }
    typealias PreviousVersion = Old
    typealias VersionSpec = New.Spec
    init(from old: Old) { route = old.route }
    init(from decoder: any Decoder) { route = "2" }
}

private struct Oldest<Old: Place>: Routed {
    var route: String
    static var version: Int? { 1 }
    typealias PreviousVersion = NothingEarlier
    typealias VersionSpec = Old.Spec
    init(from decoder: any Decoder) { route = "1" }
}

private struct OldestZero<Old: Place>: Routed {
    var route: String
    static var version: Int? { 0 }
    typealias PreviousVersion = NothingEarlier
    typealias VersionSpec = Old.Spec
    init(from decoder: any Decoder) { route = "0" }
}

private struct NumberedZero<Own: Place, Old: Routed>: Routed {
    var route: String
    static var version: Int? { 0 }
    typealias PreviousVersion = Old
    typealias VersionSpec = Own.Spec
    init(from old: Old) { route = old.route }
    init(from decoder: any Decoder) { route = "0" }
}

private struct Numbered<Own: Place, Old: Routed>: Routed {
    var route: String
    static var version: Int? { 1 }
    typealias PreviousVersion = Old
    typealias VersionSpec = Own.Spec
    init(from old: Old) { route = old.route }
    init(from decoder: any Decoder) { route = "1" }
}

private struct Unversioned<Own: Place>: Routed {
    var route: String
    static var version: Int? { nil }
    typealias PreviousVersion = NothingEarlier
    typealias VersionSpec = Own.Spec
    init(from decoder: any Decoder) { route = "-" }
}
