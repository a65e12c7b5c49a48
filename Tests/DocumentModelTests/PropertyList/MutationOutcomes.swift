import DocumentModel
import Foundation
import Testing

/// What became of texts that were broken at random.
struct MutationOutcomes {
    private(set) var errors = 0
    private(set) var documents = 0

    /// Expects that the bytes are no document, with an error at one of their places, or a document, which is whole: it is
    /// written as a property list, unless it has a null, and read as what it was.
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
