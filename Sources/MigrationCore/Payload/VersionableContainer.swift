import Foundation

/// A ``Versionable`` value inside a larger value, which migrates on its own whatever decodes the whole.
///
/// It is stored as an object of two members: the `version`, and the `instance` as the bytes of a JSON document.
public struct VersionableContainer<Type: Versionable>: Codable {
    /// The value.
    public let instance: Type

    enum CodingKeys: CodingKey {
        case version
        case instance
    }

    /// Holds a value.
    public init(instance: Type) { self.instance = instance }

    /// Writes the version and the value.
    ///
    /// - Throws: What the value or the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(instance.version, forKey: .version)
        try container.encode(JSONEncoder().encode(instance), forKey: .instance)
    }
}

extension VersionableContainer {
    /// Reads the version and the value, and carries the value forward if it is of an earlier version.
    ///
    /// - Throws: What a migration or the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        // The version is that of the container, so it counts even where the value inside does not say one.
        let stored = try container.decode(Type.Version.self, forKey: .version)
        let data = try container.decode(Data.self, forKey: .instance)
        guard let recorder = decoder.partRecorder else {
            instance = try VersionableDecoder().decode(Type.self, of: stored, from: data, usingDecoder: JSONDecoder())
            return
        }
        instance = try recorder.decode(
            Type.self, of: stored, from: data, at: decoder.documentPath(recorder.decoding))
    }
}
