import DocumentModel
import DocumentSources
import MigrationCore

/// `diff`: what differs between two documents, as they are, without any chain.
struct DiffCommand {
    let old: GivenName
    let new: GivenName
    let format: DiffFormat

    func run() -> ExitStatus {
        guard let (old, isOldWhole) = document(old), let (new, isNewWhole) = document(new) else { return .notCompared }
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
        // What follows one of them was not compared.
        guard isOldWhole, isNewWhole else { return .notCompared }
        return difference.isEmpty ? .success : .different
    }

    /// The document, and whether nothing follows it that cannot be read; nil where it cannot be read, which has been said
    /// then.
    private func document(_ given: GivenName) -> (Document, isWhole: Bool)? {
        if given.store != nil {
            Console.complain("\(given.path): \(CommandWords.isStore)")
            return nil
        }
        do {
            let (readable, status) = try OneDocument.readable(given)
            return (try Document(parsing: readable.document.read()), status == .success)
        } catch let error as UsageError {
            Console.complain(error.message)
        } catch let error as SourceError {
            Console.complain("\(given.path): \(error.reason)")
        } catch {
            let failure = MigrationFailure(parsing: error)
            Console.complain("\(given.document.place(of: failure)): \(failure.message)")
        }
        return nil
    }
}
