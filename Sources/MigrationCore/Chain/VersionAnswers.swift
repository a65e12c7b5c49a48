import DocumentModel

/// The answers of a document about its version, one for each version path.
final class VersionAnswers {
    private var known: [(spec: any VersionPathSpec.Type, answer: Result<Int?, any Error>, record: ReadRecord)] = []

    /// Returns the version at a version path.
    ///
    /// - Parameter read: Reads the version from the document, if that wasn't done before.
    /// - Throws: The error that `read` throws or threw.
    func version(at spec: any VersionPathSpec.Type, _ read: (ReadRecord) throws -> Int?) throws -> Int? {
        if let known = known.first(where: { $0.spec == spec }) { return try known.answer.get() }
        let record = ReadRecord()
        let answer = Result { try read(record) }
        known.append((spec, answer, record))
        return try answer.get()
    }

    /// Returns the record of what was read for a version path, or nil if the document was not asked there.
    func record(at spec: any VersionPathSpec.Type) -> ReadRecord? { known.first { $0.spec == spec }?.record }
}
