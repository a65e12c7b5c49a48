import DocumentModel
import DocumentSources
import MigrationCore

/// `diff`: what differs between two documents, as they are, without any chain.
struct DiffCommand {
    let old: GivenName
    let new: GivenName
    let format: DiffFormat

    func run() -> ExitStatus {
        guard let (old, oldRest) = document(old), let (new, newRest) = document(new) else { return .notCompared }
        let rests = [oldRest, newRest].compactMap(\.self)
        let difference = DocumentDifference(old: old.root, new: new.root)
        do {
            switch format {
            case .text:
                if !difference.isEmpty {
                    let lines = difference.unfolded().changes.map { SafeText.line(ToldChange($0).line) }
                    try Console.print(lines.joined(separator: "\n"))
                }
            case .json:
                let entries = difference.writtenChanges.map(Entry.change) + rests.map(Entry.notCompared)
                try Console.print(JSONText.text(of: entries, layout: .pretty))
            case .patch:
                // No patch of a part makes the one document of the other.
                if rests.isEmpty { try Console.print(JSONText.text(of: difference.writtenPatch(), layout: .pretty)) }
            }
        } catch {
            Console.complain(Console.words(for: error))
            return .notCompared
        }
        guard rests.isEmpty else { return .notCompared }
        return difference.isEmpty ? .success : .different
    }

    /// What the report in JSON has: a change, or what follows a document and was not compared.
    private enum Entry: Encodable {
        case change(WrittenChange)
        case notCompared(SourceError)

        private enum CodingKeys: String, CodingKey { case kind, source, message }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .change(let change): try change.encode(to: encoder)
            case .notCompared(let rest):
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode("notCompared", forKey: .kind)
                try container.encode(rest.source, forKey: .source)
                try container.encode("\(rest.reason)", forKey: .message)
            }
        }
    }

    /// The document, and why what follows it cannot be read; nil where the document itself cannot. That has been said then.
    private func document(_ given: GivenName) -> (Document, rest: SourceError?)? {
        if given.store != nil {
            Console.complain("\(given.path): \(CommandWords.isStore)")
            return nil
        }
        do {
            let (readable, rest) = try OneDocument.one(in: given)
            if let rest { Console.complain(CommandWords.notCompared(because: rest)) }
            // Nothing is decoded, so no decoder has to allow it.
            return (try Document(parsing: readable.document.read(), allowsJSON5: true), rest)
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
