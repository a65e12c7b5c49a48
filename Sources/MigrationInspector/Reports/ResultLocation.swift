import DocumentSources
import MigrationCore

/// The location of a document, for programs that open files at a line. For a part of a file, it's the location in that
/// file.
struct ResultLocation {
    /// The path of the file.
    let file: String
    /// The line and the column of the failure in the file, from 1; nil if they aren't known.
    let position: (line: Int, column: Int)?
    /// The line of the file on which the document begins, from 1; nil if the current file doesn't contain the document
    /// as it is.
    let firstLine: Int?
    /// The beginning of a line about the document that editors can follow: `FILE:LINE:COLUMN` if the failure has a
    /// location, or else the name of the document.
    let beginning: String

    init(_ result: CheckResult) {
        var file = result.source
        var firstLine: Int? = 1
        // The name of a file may contain `#`, but that of a part can't.
        let sign = file.utf8.lastIndex(of: UInt8(ascii: "#"))
        switch result.container {
        case .git:
            file = result.revision?.path ?? file
            // The location is in another state of the file than the current one.
            firstLine = nil
        case .sqlite:
            file = sign.map { String(file[..<$0]) } ?? file
            firstLine = nil
        case .jsonl:
            if let sign {
                // A report may come from anywhere, so its numbers are limited before anything is added to them.
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

    /// `FILE:LINE:COLUMN`, or the file if the position isn't known.
    var words: String { position.map { "\(file):\($0.line):\($0.column)" } ?? file }
}

extension CheckResult {
    /// The result with the locations in its sentences converted to the file that the document is a line of.
    var reported: CheckResult {
        let firstLine = ResultLocation(self).firstLine ?? 1
        var reported = self
        if let reason = failure?.reason {
            reported.failure?.reason = reason.relocated(toFileWithDocumentAtLine: firstLine)
        }
        reported.warnings = warnings.map { $0.relocated(toFileWithDocumentAtLine: firstLine) }
        return reported
    }

    /// A sentence about the problem with the document; nil if there is none.
    var problemSentence: String? {
        switch outcome {
        case .failed, .unreadable: failure?.sentence ?? outcome.rawValue
        case .unrecognized:
            (observed.map { "\($0.words); " } ?? "") + warnings.unrecognizedSentence
        case .current, .migrated, .deleted: nil
        }
    }

    /// The reasons why no chain claims an unrecognized document, and how to open it anyway; empty for any other
    /// document.
    var problemReasons: [String] {
        outcome == .unrecognized ? warnings.briefReasons(ofOneKind: container == .sqlite) : []
    }

    /// Sentences about everything that the document drops and loses.
    var lossSentences: [String] { fieldSentences + stepSentences }

    /// Sentences about fields that nothing reads, or that only a step reads.
    var fieldSentences: [String] {
        let leftOver = leftOver ?? []
        let sentence = self.leftOver == nil ? dropped.unreadSentence(folds) : dropped.droppedSentence(folds)
        return (dropped.isEmpty ? [] : [sentence]) + (leftOver.isEmpty ? [] : [leftOver.leftOverSentence(folds)])
    }

    /// Sentences about the findings of experiments: the values that are lost or narrowed, those that weren't examined,
    /// and a failure to open the result again.
    var stepSentences: [String] {
        (lost ?? []).sentences(folds) + (narrowed ?? []).sentences(folds) + (examined?.sentences ?? [])
            + (reopens?.failure.map { [$0.reopeningSentence] } ?? [])
    }

    /// The kind of problem in one word; nil if there is none.
    var problemKind: String? { outcome.isProblem ? failure?.kind.rawValue ?? outcome.rawValue : nil }

    /// The chain and the versions that the document went through: `Poem 1 ✗ 2`; empty if no chain is known.
    var pathWords: String {
        [chain, VersionText.path(of: self)].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
