/// What a ``DocumentReference`` names, in words that another process on the same machine understands.
///
/// Paths are as they were given, so both processes have to run in the same folder.
package struct DocumentAddress: Sendable, Codable {
    /// The position in ``DocumentSources/kinds``.
    private let kind: Int
    /// The file, where its name is UTF-8, else `bytes`.
    private let path: String?
    private let bytes: [UInt8]?
    private let part: String
    private let firstLine: Int?
    private let extent: Range<Int>?
    private let isGiven: Bool

    /// The address of a document; nil for one of which it is known that it cannot be read.
    package init?(_ document: DocumentReference) {
        guard let source = document.source,
            let kind = DocumentSources.kinds.firstIndex(where: { $0 == type(of: source) })
        else { return nil }
        self.kind = kind
        path = String(validating: document.file.bytes, as: UTF8.self)
        bytes = path == nil ? document.file.bytes : nil
        part = document.part
        firstLine = document.firstLine
        extent = document.extent
        isGiven = document.isGiven
    }

    private var file: FilePath { FilePath(path.map { Array($0.utf8) } ?? bytes ?? []) }

    /// The document at the address. One that is not there any more says so when it is read.
    package var document: DocumentReference {
        do throws(SourceError) {
            guard DocumentSources.kinds.indices.contains(kind) else { throw SourceError(file, .noSuchFile) }
            var document = DocumentReference(
                try DocumentSources.kinds[kind].source(at: file), part: part, firstLine: firstLine, extent: extent)
            document.isGiven = isGiven
            return document
        } catch {
            return DocumentReference(file, problem: error, isGiven: isGiven)
        }
    }
}
