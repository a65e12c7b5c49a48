import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// The documents that lend their values to the experiments with another: those of its chain and its version that
/// migrate.
struct Lenders {
    private let opener: Opener
    /// The document that they lend values to.
    private let trace: MigrationTrace

    init(opener: Opener, trace: MigrationTrace) {
        var opener = opener
        // What is changed in the one document is not changed in the others.
        opener.edits = []
        self.opener = opener
        self.trace = trace
    }

    /// A walk through what was named; nil, with a complaint, where something is not there.
    static func walker(_ paths: [FilePath]) -> DocumentWalker? {
        let given = GivenName.resolve(paths)
        let missing = given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        return missing.isEmpty ? DocumentWalker(given) : nil
    }

    /// Those in files and folders, in the order in which they are found.
    ///
    /// - Throws: ``WorkerError``, and what the walker throws.
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

    /// Those among documents that were checked.
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
