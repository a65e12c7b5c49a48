import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// The documents whose values experiments with another document may use: documents of the same chain and version that
/// migrate.
struct Lenders {
    private let opener: Opener
    /// The trace of the document that the experiments are made with.
    private let trace: MigrationTrace

    init(opener: Opener, trace: MigrationTrace) {
        var opener = opener
        // Edits of that document don't apply to the others.
        opener.edits = []
        self.opener = opener
        self.trace = trace
    }

    /// Returns a walker for the named paths; reports missing ones and returns nil if there are any.
    static func walker(_ paths: [FilePath]) -> DocumentWalker? {
        let given = GivenName.resolve(paths)
        let missing = given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        return missing.isEmpty ? DocumentWalker(given) : nil
    }

    /// Returns the lenders in files and folders, in the order in which they are found.
    ///
    /// - Throws: ``WorkerError``, and the errors of the walker.
    func documents(in walker: DocumentWalker) throws -> [Document] {
        var found: [Document] = []
        guard !walker.given.isEmpty else { return [] }
        _ = try walker.walk { references in
            for reference in references where found.count < MigrationTrace.mostLenders {
                guard reference.name != trace.source, reference.problem == nil,
                    let bytes = try? reference.read(),
                    let result = try? opener.host.reply(
                        to: opener.request(for: reference, bytes: bytes), wanting: .outcome)?.answer,
                    trace.borrows(from: result),
                    let document = try? Document(parsing: bytes, allowsJSON5: true)
                else { continue }
                found.append(document)
            }
        }
        return found
    }

    /// Returns the lenders among documents that have been checked.
    func documents(among references: some Sequence<DocumentReference>, isCancelled: () -> Bool) -> [Document] {
        var found: [Document] = []
        for reference in references
        where found.count < MigrationTrace.mostLenders && !isCancelled() && !reference.isReadOnce {
            if let bytes = try? reference.read(),
                let document = try? Document(parsing: bytes, allowsJSON5: true)
            {
                found.append(document)
            }
        }
        return found
    }
}
