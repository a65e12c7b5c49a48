import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `migrate` of one document.
struct DocumentMigration {
    let opener: Opener
    let given: GivenName
    let output: MigrateOutput
    let limits: MigrateLimits

    func run() throws -> ExitStatus {
        try refuseToHarmTheDocument()
        // The written file would lack the part that cannot be read.
        if let problem = try OneDocument.one(in: given).problem {
            Console.complain(CommandWords.unwritten(because: problem))
            return .documentsFailed
        }
        let state = output.stateToReplace(given.path)
        let (trace, status) = try OneDocument.trace(given, opener: opener, experiments: .losses)
        guard let trace, trace.outcome != .unreadable else { return status }
        let refusal = MigratedDocument(trace).refusalToWrite(given.document, limits)
        if refusal == nil, trace.outcome == .current, output == .inPlace {
            let reason = CommandWords.isCurrent(trace.detection.version ?? trace.target ?? .unversioned)
            Console.complain("\(given.path): \(CommandWords.unwritten(because: reason))")
            return status
        }
        if trace.result != nil {
            let examined = opener.examined(trace)
            let losses = examined.stepSentences
            if limits.isStrict, !losses.isEmpty {
                for loss in losses { Console.complain("\(given.path): \(loss)") }
                Console.complain(CommandWords.unwritten(because: "\(given.path): \(CommandWords.isStrict)"))
                return .documentsFailed
            }
            for warning in examined.writingWarnings(given.document) {
                Console.complain("\(given.path): warning: \(warning)")
            }
        }
        if let refusal {
            Console.complain(CommandWords.unwritten(because: refusal))
            return .documentsFailed
        }
        for part in trace.parts { complainOfFailure(part) }
        do {
            if let data = try trace.resultData() {
                let data = given.document.isPacked ? try Gzip.pack(data, as: given.path) : data
                try write(data, in: (trace.format ?? .json).written, replacing: state)
            }
        } catch let error as SourceError {
            Console.complain("\(error)")
            return ExitStatus(notWritten: error)
        }
        return status
    }

    /// Refuses to replace the opened document, unless that was requested and the document is its whole file.
    private func refuseToHarmTheDocument() throws(UsageError) {
        let document = given.document
        switch output {
        case .inPlace where !document.isWhole:
            throw .inPlaceOfPart(given.path, of: document.file)
        case .file(let file) where document.isPart(ofFileAt: file):
            throw .outputIsDocument
        case .inPlace, .file, .standardOutput: break
        }
    }

    /// Reports a part of a document that failed although the document as a whole has a result.
    private func complainOfFailure(_ part: MigrationTrace) {
        guard let failure = part.failureOfWhole else { return }
        Console.complain("\(given.path): \(part.keptSentence): \(failure.sentence)")
    }

    /// Writes a file. An existing file is kept as a backup.
    private func replace(_ file: FilePath, with data: Data, _ noun: String, in state: FileState?) throws {
        let source = given.document.stamp == nil ? nil : given.document.file
        let writer = AtomicFileWriter(keepsBackup: true)
        try writer.write(data, to: file, like: source, replacing: state)?.report(of: file, noun)
    }

    private func write(_ data: Data, in format: DocumentFormat, replacing state: FileState?) throws {
        Console.giveBack()
        switch output {
        case .standardOutput: try Console.write(document: data, in: format, of: given.path, for: .migrate)
        case .file(let file):
            let isShown = AtomicFileWriter.isTerminal(file)
            let data = isShown ? try Console.spelled(data, in: format, of: given.path, for: .migrate) : data
            try replace(file, with: data, "file", in: nil)
        case .inPlace:
            guard let state else { throw SourceError(source: "\(given.path)", reason: .changedMeanwhile) }
            try replace(given.path, with: data, "document", in: state)
        }
    }
}
