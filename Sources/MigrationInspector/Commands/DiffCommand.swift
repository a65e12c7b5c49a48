import DocumentModel
import DocumentSources
import MigrationCore

/// `diff`: the differences between two documents, as they are or as a chain migrates them.
struct DiffCommand {
    let old: GivenName
    let new: GivenName
    let format: DiffFormat
    /// What to replace in the documents before they are compared; nil to compare them as they are.
    let redaction: RedactionChoice?
    /// Migrates the documents before they are compared; nil to compare them as they are, without a chain.
    let opener: Opener?

    func run() -> ExitStatus {
        guard var (old, oldRest) = document(old), var (new, newRest) = document(new) else { return .notCompared }
        if let redaction {
            do {
                let copies = try Replacements().redactedCopies(
                    of: [old, new], redactsNames: redaction == .valuesAndNames)
                (old, new) = (copies[0], copies[1])
            } catch {
                Console.complain(Console.words(for: error))
                return .notCompared
            }
            oldRest = oldRest.map { SourceError(source: "old document", reason: $0.reason) }
            newRest = newRest.map { SourceError(source: "new document", reason: $0.reason) }
            if redaction == .values { Console.complain(RedactionWords.keysAreKept) }
            Console.complain(Redaction.alwaysKept)
        }
        let rests = [oldRest, newRest].compactMap(\.self)
        let difference = DocumentDifference(old: old.root, new: new.root)
        do {
            switch format {
            case .text:
                if !difference.isEmpty {
                    let lines = difference.unfolded().changes.map { SafeText.line(ReportedChange($0).line) }
                    try Console.print(lines.joined(separator: "\n"))
                }
            case .json:
                let entries = difference.writtenChanges.map(Entry.change) + rests.map(Entry.notCompared)
                try Console.print(JSONText.text(of: entries, layout: .pretty))
            case .patch:
                // A patch for part of a document wouldn't turn one document into the other.
                if rests.isEmpty { try Console.print(JSONText.text(of: difference.writtenPatch(), layout: .pretty)) }
            }
        } catch {
            Console.complain(Console.words(for: error))
            return .notCompared
        }
        guard rests.isEmpty else { return .notCompared }
        return difference.isEmpty ? .success : .different
    }

    /// An entry of the JSON report: a change, or the part after a document that wasn't compared.
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

    /// Returns what the chain makes of a document, or nil after reporting why it makes nothing.
    private func migrated(_ given: GivenName, _ opener: Opener) throws -> Document? {
        let trace = try opener.trace(given.document)
        if let result = trace?.result, trace?.chain != nil, trace?.failure == nil { return result }
        let reason = trace.flatMap { CheckResult($0).problemSentence }.map { ": \($0)" } ?? ""
        Console.complain("\(given.path): \(CommandWords.notMigratedToCompare)\(reason)")
        return nil
    }

    /// Reads a document, and the problem with what follows it, if any. Returns nil if the document itself cannot be
    /// read, after reporting why.
    private func document(_ given: GivenName) -> (Document, rest: SourceError?)? {
        if given.store != nil {
            Console.complain("\(given.path): \(CommandWords.isStore)")
            return nil
        }
        do {
            let (readable, rest) = try OneDocument.one(in: given)
            if let rest { Console.complain(CommandWords.notCompared(because: rest)) }
            if let opener { return try migrated(readable, opener).map { ($0, rest) } }
            // Nothing is decoded, so this doesn't depend on a decoder that allows JSON5.
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
