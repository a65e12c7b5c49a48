import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `migrate`: one document in its newest version, written where the user says and nowhere else.
struct MigrateCommand {
    let opener: DocumentOpener
    let path: String
    let output: MigrateOutput
    let allowsDropped: Bool
    /// The program's name, for messages.
    let name: String

    func run() throws -> ExitStatus {
        try refuseToHarmTheDocument()
        let (trace, status) = try OneDocument.trace(path, opener: opener, name: name)
        guard let trace, trace.outcome != .unreadable else { return status }
        guard trace.result != nil else {
            let reason = trace.failure.map(FailureText.sentence) ?? trace.reasonsForNoResult
            complain("\(FailureText.place(of: trace.failure, in: path)): \(reason); nothing was written")
            return .documentsFailed
        }
        // A document that is current already is written as it is, so it loses nothing.
        guard trace.outcome == .current || trace.lost.isEmpty || allowsDropped else {
            for warning in trace.warnings { complain("\(path): warning: \(warning)") }
            complain(
                "\(path): nothing reads \(FailureText.fields(trace.lost)), so that would be "
                    + "lost; nothing was written. --allow-dropped writes all the same")
            return .documentsFailed
        }
        if trace.outcome == .current, output == .inPlace {
            complain("\(path): is version \(trace.target ?? .unversioned) already; nothing was written")
            return status
        }
        for warning in trace.warnings { complain("\(path): warning: \(warning)") }
        for part in trace.parts { complainOfFailure(part) }
        do {
            if let data = try trace.resultData() { try write(data) }
        } catch let error as SourceError {
            complain("\(error)")
            if case .backupExists = error.reason { return .documentsFailed }
            return .software
        }
        return status
    }

    /// What is opened is replaced only when that is asked for, and then only if all of it is replaced.
    private func refuseToHarmTheDocument() throws(UsageError) {
        let reference = DocumentReference(resolving: path)
        switch output {
        case .inPlace where reference.part != .whole:
            throw UsageError(
                message: "\(path) is only a part of \(reference.file), so --in-place cannot replace it; use --output")
        case .file(let file) where reference.isPart(ofFileAt: file):
            throw UsageError(
                message: "--output names the document that is opened; --in-place replaces it, and keeps the old one")
        case .inPlace, .file, .standardOutput: break
        }
    }

    /// What of a document failed while the rest of it has a result.
    private func complainOfFailure(_ part: MigrationTrace) {
        let place = part.path ?? .root
        guard let failure = part.failure?.told(ofWholeWithPartAt: place) else { return }
        complain("\(path): \(place) is kept as it was: \(FailureText.sentence(for: failure))")
    }

    private func complain(_ text: String) { Console.error(SafeText.line("\(name): \(text)")) }

    /// What stood there is not lost.
    private func replace(_ file: String, with data: Data, _ noun: String) throws {
        let backup = try AtomicFileWriter(keepsBackup: true).write(data, to: file)
        if let backup { complain("\(file): the old \(noun) is kept as \(backup)") }
    }

    private func write(_ data: Data) throws {
        Console.giveBack()
        switch output {
        case .standardOutput: try Console.write(data)
        case .file(let file): try replace(file, with: data, "file")
        case .inPlace: try replace(path, with: data, "document")
        }
    }
}
