import DocumentModel

/// A file that is a single document.
struct WholeFile: DocumentSource {
    static var container: DocumentContainer? { nil }

    let file: FilePath

    static func source(in file: FoundFile) throws(SourceError) -> WholeFile? {
        if file.ending == .document || file.isGiven { return WholeFile(file: file.path) }
        return DocumentFormat.announced(by: try file.head()) == nil ? nil : WholeFile(file: file.path)
    }

    static func source(at file: FilePath) -> WholeFile { WholeFile(file: file) }

    func find(_ search: DocumentSearch) { search.deliver(DocumentReference(self)) }

    /// Lines of a file with any name may be documents.
    func document(named part: String) -> DocumentReference? { JSONLines(file: file).document(named: part) }

    func read(_ document: DocumentReference, _ reading: DocumentReading) throws(SourceError) -> SourceBytes {
        let bytes = try OpenFile(path: file).bytes(reading)
        // The file was not compressed when it was found.
        return Gzip.begins(bytes) ? try Gzip.unpack(bytes, as: file, reading) : bytes
    }
}

extension DocumentReference {
    /// A placeholder for requests that concern only chains, not a document.
    package static let nothing = whole("")

    /// Returns a document that is only in memory, with the name of a file that need not exist.
    package static func held(_ bytes: SourceBytes, as file: FilePath) -> DocumentReference {
        DocumentReference(WholeFile(file: file), held: bytes)
    }

    /// Returns the file at a path as a document, whatever it contains.
    package static func whole(_ file: FilePath) -> DocumentReference { DocumentReference(WholeFile(file: file)) }
}
