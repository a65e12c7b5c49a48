import Foundation

/// A ``Versionable`` value inside a larger value. It migrates on its own, with any decoder.
///
/// It is stored as an object with two members: the `version`, and the `instance` as the bytes of a JSON document.
public struct VersionableContainer<Type: Versionable>: Codable {
    /// The value.
    public let instance: Type

    enum CodingKeys: CodingKey {
        case version
        case instance
    }

    /// Creates a container with the given value.
    public init(instance: Type) { self.instance = instance }

    /// Writes the version and the value.
    ///
    /// - Throws: Any error of the value or the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(instance.version, forKey: .version)
        try container.encode(JSONEncoder().encode(instance), forKey: .instance)
    }
}

extension VersionableContainer {
    /// Reads the version and the value, and migrates the value if it has an earlier version.
    ///
    /// - Throws: Any error of a migration or the decoder.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // The version of the container counts, even if the value inside states none.
        let stored = try container.decode(Type.Version.self, forKey: .version)
        let data = try container.decode(Data.self, forKey: .instance)
        if let placeholder = decoder as? PlaceholderDecoder {
            instance = try placeholder.contained(Type.self, forKey: CodingKeys.instance)
            return
        }
        guard let recorder = decoder.partRecorder else {
            instance = try VersionableDecoder().decode(Type.self, of: stored, from: data, usingDecoder: JSONDecoder())
            return
        }
        instance = try recorder.decode(
            Type.self, of: stored, from: data, at: decoder.documentPath(recorder.decoding))
    }
}
