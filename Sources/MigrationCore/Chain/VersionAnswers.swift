import DocumentModel

/// What a document says of its version at each kind of place where it was asked.
final class VersionAnswers {
    private var known: [(spec: any VersionPathSpec.Type, answer: Result<Int?, any Error>, record: ReadRecord)] = []

    /// The version at a kind of place.
    ///
    /// - Parameter read: Asks the document, where that has not been done.
    /// - Throws: What that throws, or has thrown.
    func version(at spec: any VersionPathSpec.Type, _ read: (ReadRecord) throws -> Int?) throws -> Int? {
        if let known = known.first(where: { $0.spec == spec }) { return try known.answer.get() }
        let record = ReadRecord()
        let answer = Result { try read(record) }
        known.append((spec, answer, record))
        return try answer.get()
    }

    /// What was read of the document at a kind of place; nil where it was not asked.
    func record(at spec: any VersionPathSpec.Type) -> ReadRecord? { known.first { $0.spec == spec }?.record }
}
