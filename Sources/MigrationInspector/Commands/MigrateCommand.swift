import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `migrate`: one document in its newest version, written where the user says and nowhere else.
struct MigrateCommand {
    let opener: DocumentOpener
    let given: GivenName
    let output: MigrateOutput
    let allowsDropped: Bool
    /// The program's name, for messages.
    let name: String

    func run() throws -> ExitStatus {
        try refuseToHarmTheDocument()
        let (trace, status) = try OneDocument.trace(given, opener: opener, name: name)
        guard let trace, trace.outcome != .unreadable else { return status }
        guard trace.result != nil else {
            let reason = trace.failure.map(FailureText.sentence) ?? trace.reasonsForNoResult
            complain("\(FailureText.place(of: trace.failure, in: given.document)): \(reason); nothing was written")
            return .documentsFailed
        }
        // A document that is current already is written as it is, so it loses nothing.
        guard trace.outcome == .current || trace.lost.isEmpty || allowsDropped else {
            for warning in trace.warnings { complain("\(given.path): warning: \(warning)") }
            complain(
                "\(given.path): nothing reads \(FailureText.fields(trace.lost)), so that would be "
                    + "lost; nothing was written. --allow-dropped writes all the same")
            return .documentsFailed
        }
        if trace.outcome == .current, output == .inPlace {
            complain("\(given.path): is version \(trace.target ?? .unversioned) already; nothing was written")
            return status
        }
        for warning in trace.warnings { complain("\(given.path): warning: \(warning)") }
        for part in trace.parts { complainOfFailure(part) }
        do {
            if let data = try trace.resultData() { try write(data) }
        } catch let error as SourceError {
            complain("\(error)")
            return error.reason.isRefusal ? .documentsFailed : .software
        }
        return status
    }

    /// What is opened is replaced only when that is asked for, and then only if all of it is replaced.
    private func refuseToHarmTheDocument() throws(UsageError) {
        let document = given.document
        switch output {
        case .inPlace where !document.isWhole:
            throw UsageError(
                message:
                    "\(given.path) is only a part of \(document.file), so --in-place cannot replace it; use --output")
        case .file(let file) where document.isPart(ofFileAt: file):
            throw UsageError(
                message: "--output names the document that is opened; --in-place replaces it, and keeps the old one")
        case .inPlace, .file, .standardOutput: break
        }
    }

    /// What of a document failed while the rest of it has a result.
    private func complainOfFailure(_ part: MigrationTrace) {
        let place = part.path ?? .root
        guard let failure = part.failure?.told(ofWholeWithPartAt: place) else { return }
        complain("\(given.path): \(place) is kept as it was: \(FailureText.sentence(for: failure))")
    }

    private func complain(_ text: String) { Console.error(SafeText.line("\(name): \(text)")) }

    /// What stood there is not lost.
    private func replace(_ file: FilePath, with data: Data, _ noun: String) throws {
        let source = given.document.stamp == nil ? nil : given.document.file
        guard let replaced = try AtomicFileWriter(keepsBackup: true).write(data, to: file, like: source) else { return }
        if let backup = replaced.backup { complain("\(file): the old \(noun) is kept as \(backup)") }
        if replaced.otherNames > 0 {
            let names =
                replaced.otherNames == 1
                ? "another name (a hard link)" : "\(replaced.otherNames) other names (hard links)"
            complain("\(file): warning: the file has \(names), under which the old \(noun) stays")
        }
    }

    private func write(_ data: Data) throws {
        Console.giveBack()
        switch output {
        case .standardOutput: try Console.write(data)
        case .file(let file): try replace(file, with: data, "file")
        case .inPlace: try replace(given.path, with: data, "document")
        }
    }
}
