import DocumentModel
import DocumentSources
import MigrationCore

/// `diff`: what differs between two documents, as they are, without any chain.
struct DiffCommand {
    let old: GivenName
    let new: GivenName
    let format: DiffFormat

    func run() -> ExitStatus {
        guard let old = document(old), let new = document(new) else { return .notCompared }
        let difference = DocumentDifference(old: old.root, new: new.root)
        do {
            switch format {
            case .text:
                if !difference.isEmpty {
                    let lines = difference.changes.map { SafeText.line(TraceText.change($0)) }
                    try Console.print(lines.joined(separator: "\n"))
                }
            case .json: try Console.print(JSONText.text(of: difference.writtenChanges, layout: .pretty))
            case .patch: try Console.print(JSONText.text(of: difference.writtenPatch(), layout: .pretty))
            }
        } catch {
            Console.complain(Console.words(for: error))
            return .notCompared
        }
        return difference.isEmpty ? .success : .different
    }

    /// The document; nil where it cannot be read, which has been said then.
    private func document(_ given: GivenName) -> Document? {
        if let (first, count) = given.lines, count > 1 {
            Console.complain(UsageError.several(count, in: given, first: first).message)
            return nil
        }
        if given.store != nil {
            Console.complain("\(given.path): \(CommandWords.isStore)")
            return nil
        }
        do {
            return try Document(parsing: given.document.read())
        } catch let error as SourceError {
            Console.complain("\(given.path): \(error.reason)")
        } catch {
            let failure = MigrationFailure(parsing: error)
            Console.complain("\(given.document.place(of: failure)): \(failure.message)")
        }
        return nil
    }
}
