import DocumentModel
import Foundation
import MigrationCore

// Preferences as Foundation writes them, and the types of a clock's preferences.

struct Zone: Codable, Hashable {
    var id: String
    var name: String
}

enum Period: String, Codable, Hashable {
    case tenMinutes = "10 Minutes"
    case oneHour = "1 Hour"
}

enum Preferences {
    /// The property list that Foundation writes for `values`.
    static func document(
        _ values: [String: Any], _ format: PropertyListSerialization.PropertyListFormat = .binary
    ) throws -> Document {
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
        return try Document(parsing: SourceBytes(data))
    }

    static func trace(
        _ keys: StoredPreference..., of values: [String: Any],
        _ format: PropertyListSerialization.PropertyListFormat = .binary, to target: DocumentVersion? = nil
    ) throws -> MigrationTrace {
        MigrationChain(preferences: "Clock", keys: keys)
            .trace(try document(values, format), source: "clock.plist", to: target)
    }

    /// The outcome for one value: the JSON of its version 5 value, `current` if unchanged, `failed`, or `nothing`.
    static func outcome(of stored: Any, _ key: StoredPreference) throws -> String {
        let trace = try trace(key, of: [key.name: stored])
        if trace.outcome != .migrated { return trace.outcome.rawValue }
        return trace.result?.root[key.name].map { JSONWriter().string($0) } ?? "nothing"
    }

    /// Returns the values that Foundation reads from a document that is written in its own format.
    static func read(_ document: Document?) throws -> [String: Any] {
        guard let document, let writer = PropertyListWriter(format: document.format) else { return [:] }
        let list = try PropertyListSerialization.propertyList(from: writer.data(document.root), format: nil)
        return list as? [String: Any] ?? [:]
    }
}

extension Preferences {
    /// The value of a JSON text.
    static func value(_ json: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    }
}
