import DocumentSources
import MigrationCore

/// Where a document lies, for programs that open files at a line: a part of a file is told by its file.
struct ResultPlace {
    /// The file.
    let file: String
    /// The line and the column in the file of what a failure is about, from 1; nil where they are not known.
    let position: (line: Int, column: Int)?
    /// The line of the file at which the document begins, from 1; nil where it is not in the file as it lies there.
    let firstLine: Int?
    /// What a line about the document begins with that editors are to follow: `FILE:LINE:COLUMN` where the failure has a
    /// place, else the name of the document.
    let beginning: String

    init(_ result: CheckResult) {
        var file = result.source
        var firstLine: Int? = 1
        // The name of a file may contain `#`, that of a part cannot.
        let sign = file.utf8.lastIndex(of: UInt8(ascii: "#"))
        switch result.container {
        case .git:
            file = result.revision?.path ?? file
            // It is a place in another state of the file than the one that lies there.
            firstLine = nil
        case .sqlite:
            file = sign.map { String(file[..<$0]) } ?? file
            firstLine = nil
        case .jsonl:
            if let sign {
                // A report is foreign, so its numbers are bounded before anything is added to them.
                firstLine = UInt32(Substring(file.utf8[sign...].dropFirst("#L".utf8.count))).map(Int.init)
                file = String(file[..<sign])
            }
        case nil: break
        }
        self.file = file
        self.firstLine = firstLine
        guard let location = result.failure?.location, location.within == nil else {
            (position, beginning) = (nil, result.source)
            return
        }
        guard let firstLine else {
            (position, beginning) = (nil, "\(result.source):\(location.line):\(location.column)")
            return
        }
        let line = firstLine + location.line - 1
        (position, beginning) = ((line, location.column), "\(file):\(line):\(location.column)")
    }

    /// `FILE:LINE:COLUMN`, or the file where no more is known.
    var words: String { position.map { "\(file):\($0.line):\($0.column)" } ?? file }
}

extension CheckResult {
    /// The result with places in its sentences as those of the file that the document is a line of.
    var told: CheckResult {
        let firstLine = ResultPlace(self).firstLine ?? 1
        var told = self
        if let reason = failure?.reason { told.failure?.reason = reason.told(ofFileWithDocumentAtLine: firstLine) }
        told.warnings = warnings.map { $0.told(ofFileWithDocumentAtLine: firstLine) }
        return told
    }

    /// What is wrong with the document, in one sentence; nil where nothing is.
    var problemSentence: String? {
        switch outcome {
        case .failed, .unreadable: failure?.sentence ?? outcome.rawValue
        case .unrecognized: warnings.unrecognizedSentence
        case .current, .migrated: nil
        }
    }

    /// Why no chain claims a document that is unrecognized, and how to open it all the same; nothing for any other.
    var problemReasons: [String] {
        outcome == .unrecognized ? warnings.briefReasons(ofOneKind: container == .sqlite) : []
    }

    /// What the document drops and loses, in sentences.
    var lossSentences: [String] { fieldSentences + stepSentences }

    /// The fields that nothing reads, or only a step.
    var fieldSentences: [String] {
        let leftOver = leftOver ?? []
        let sentence = self.leftOver == nil ? dropped.unreadSentence(folds) : dropped.droppedSentence(folds)
        return (dropped.isEmpty ? [] : [sentence]) + (leftOver.isEmpty ? [] : [leftOver.leftOverSentence(folds)])
    }

    /// What experiments show of the steps: what is lost, what is narrowed, and of what nothing is known.
    var stepSentences: [String] {
        (lost ?? []).sentences(folds) + (narrowed ?? []).sentences(folds) + (examined?.sentences ?? [])
            + (reopens?.failure.map { [$0.reopeningSentence] } ?? [])
    }

    /// What kind of problem it is, in one word; nil where there is none.
    var problemKind: String? { outcome.isProblem ? failure?.kind.rawValue ?? outcome.rawValue : nil }

    /// The chain and the versions that the document took: `Poem 1 ✗ 2`; nothing where no chain is known.
    var pathWords: String {
        [chain, VersionText.path(of: self)].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
