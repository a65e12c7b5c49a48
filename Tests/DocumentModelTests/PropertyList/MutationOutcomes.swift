import DocumentModel
import Foundation
import Testing

/// The outcomes of texts that were damaged at random.
struct MutationOutcomes {
    private(set) var errors = 0
    private(set) var documents = 0

    /// Expects the bytes to be an error with a location in them, or a complete document: it is written as a property
    /// list, unless it has a null, and read back unchanged.
    mutating func expectErrorOrDocument(_ bytes: Data) throws {
        let document: Document
        do {
            document = try Document(parsing: SourceBytes(bytes))
        } catch let error as DocumentParseError {
            errors += 1
            let offset = error.location?.offset ?? 0
            try #require((0...bytes.count).contains(offset), "\(error) \(Array(bytes))")
            return
        }
        documents += 1
        let nodes = document.root.nodes
        guard !nodes.contains(where: \.isNull) else {
            #expect(throws: PropertyListWritingError.self) { try PropertyListWriter.binary.data(document.root) }
            return
        }
        let written = try PropertyListWriter.binary.data(document.root)
        let again = try Document(parsing: SourceBytes(written))
        try #require(again.root.isEqual(to: document.root), "\(Array(bytes))")
    }
}
