import DocumentModel
import MigrationCore

/// Documents of no chain in which the same version was observed, and the fields that they have.
public struct ObservedGroup: Sendable {
    /// The version.
    public let version: DocumentVersion
    /// The documents, in the order of the list.
    public let documents: [FoundDocument.ID]
    /// The fields, with the kinds of their values; nil until they are known.
    package private(set) var outline: VersionOutline?
    /// The number of documents that have each field.
    package private(set) var counts: [DocumentPath: Int] = [:]
    /// The number of documents that could be read.
    package private(set) var readCount = 0

    /// Creates a group of documents whose fields are not known yet.
    public init(version: DocumentVersion, documents: [FoundDocument.ID]) {
        (self.version, self.documents) = (version, documents)
    }

    /// Returns the groups with their fields.
    ///
    /// - Parameter read: Returns the content of a document, or nil if it cannot be read.
    /// - Returns: nil if `isCancelled` returned true.
    package static func knowing(
        _ groups: [ObservedGroup], isCancelled: () -> Bool = { false }, read: (FoundDocument.ID) -> Document?
    ) -> [ObservedGroup]? {
        var fields = ObservedFields()
        for (index, group) in groups.enumerated() {
            for document in group.documents {
                if isCancelled() { return nil }
                if let content = read(document) { fields.add(content, to: index) }
            }
        }
        return groups.enumerated().map { index, group in
            var known = group
            let found = fields.fields(of: index)
            (known.outline, known.counts) = (found.outline, found.counts)
            known.readCount = fields.documentCounts[index, default: 0]
            return known
        }
    }
}
