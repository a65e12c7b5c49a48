import DocumentModel
import Foundation

extension Versionable {
    /// The versions, oldest first. Computed, because nothing says that versions may be passed between threads.
    static var sortedVersions: [Version] { Version.allCases.sorted() }

    /// The versions after `version`, in their order: the steps that a document of it has to take.
    static func versions(after version: Version) -> [Version] { sortedVersions.filter { version < $0 } }

    /// Takes a document one step, to `version`.
    ///
    /// - Parameter isExplained: Whether what the migration throws comes with what it had done by then, as a ``StepError``.
    /// - Throws: What the migration throws, and ``PayloadError``.
    static func migrated(
        _ document: Document, to version: Version, isExplained: Bool = false
    ) throws -> Document {
        guard var payload = PayloadValue.value(of: document.root) as? [String: Any] else {
            throw DecodingError.typeMismatch(
                [String: Any].self,
                .init(
                    codingPath: [], debugDescription: "Expected an object to migrate, found \(document.root.briefText)."
                ))
        }
        let before = payload
        do {
            try migrate(to: version)(&payload)
        } catch {
            throw isExplained ? StepError(thrown: error, field: field(changedFrom: before, to: payload)) : error
        }
        payload["version"] = version.rawValue
        return try PayloadWriter.document(of: payload, editedFrom: document.root)
    }

    /// The one top-level field that a closure had taken away or changed when it threw; nil if there is not just one.
    private static func field(changedFrom before: [String: Any], to after: [String: Any]) -> DocumentPath? {
        let changed = before.filter { name, value in
            !NSDictionary(dictionary: [name: value]).isEqual(to: [name: after[name] ?? NSNull()])
        }
        return changed.count == 1 ? changed.first.map { DocumentPath([.key($0.key)]) } : nil
    }
}
