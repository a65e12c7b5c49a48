import DocumentSources
import MigrationCore

/// Where a document lies, for programs that open files at a line: a part of a file is told by its file.
struct ResultPlace {
    /// The file.
    let file: String
    /// The line and the column in the file of what a failure is about, from 1; nil where they are not known.
    let position: (line: Int, column: Int)?

    init(_ result: CheckResult) {
        var file = result.source
        var firstLine: Int? = 1
        switch result.container {
        case .git:
            file = result.revision?.path ?? file
            // It is a place in another state of the file than the one that lies there.
            firstLine = nil
        case .sqlite:
            file = file.lastIndex(of: "#").map { String(file[..<$0]) } ?? file
            firstLine = nil
        case .jsonl:
            if let part = file.range(of: "#L", options: .backwards) {
                firstLine = Int(file[part.upperBound...])
                file = String(file[..<part.lowerBound])
            }
        case nil: break
        }
        self.file = file
        position = firstLine.flatMap { firstLine in
            guard let location = result.failure?.location, location.within == nil else { return nil }
            return (firstLine + location.line - 1, location.column)
        }
    }

    /// `FILE:LINE:COLUMN`, or the file where no more is known.
    var words: String { position.map { "\(file):\($0.line):\($0.column)" } ?? file }
}

extension CheckResult {
    /// What is wrong with the document, in one sentence; nil where nothing is.
    var problemSentence: String? {
        switch outcome {
        case .failed, .unreadable: failure?.sentence ?? outcome.rawValue
        case .unrecognized: warnings.unrecognizedSentence
        case .current, .migrated: nil
        }
    }

    /// What the document drops and loses, in sentences.
    var lossSentences: [String] {
        (dropped.isEmpty ? [] : [dropped.droppedSentence]) + (lost ?? []).lossSentences
    }

    /// What kind of problem it is, in one word; nil where there is none.
    var problemKind: String? { outcome.isProblem ? failure?.kind.rawValue ?? outcome.rawValue : nil }

    /// The chain and the versions that the document took: `Poem 1 ✗ 2`; nothing where no chain is known.
    var pathWords: String {
        [chain, VersionText.path(of: self)].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
