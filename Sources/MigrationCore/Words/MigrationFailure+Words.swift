import DocumentModel

// All sentences about failures and losses, as screen and reports put them around the sentences of reasons.

extension MigrationFailure {
    /// The kind, the path, the culprit and the message: `fieldNoLongerValid at $.rating (likely $.starRating): Star
    /// rating 9 is …`.
    package var sentence: String {
        var culprit = ""
        if let found = self.culprit, found.path != path || !found.others.isEmpty {
            culprit = " (\(found.briefWords))"
        }
        return "\(kind.words(at: path))\(culprit): \(message)"
    }

    /// The message with its path, for a place that does not show the field.
    package var messageWithPath: String {
        guard let path, !path.isRoot, kind != .unsupportedVersion else { return message }
        return "\(path): \(message)"
    }

    /// The message beside the field that is taken for the culprit.
    package var messageAtCulprit: String {
        claim.map { "\(message) (\($0))" } ?? message
    }

    /// What the field is that is taken for the culprit, where the message stands elsewhere.
    package var culpritWords: String { claim ?? "named by the error" }

    /// The words for a field that the error names and that is not there: a decoder misses a field that should be there;
    /// a step names one that it could not make.
    package var absence: String {
        (kind == .keyNotFound || kind == .valueNotFound ? "missing" : "never made") + ": \(kind.rawValue) names it"
    }
}

extension MigrationFailure.Kind {
    /// The kind and the path: `keyNotFound at $.author`.
    func words(at path: DocumentPath?) -> String { rawValue + (path.map { " at \($0)" } ?? "") }
}

extension CheckReport.Cause {
    /// What failures have in common: `3 × Poem 1 ✗ 2: keyNotFound at $.author, the first: …`.
    package var sentence: String {
        let step = step.map { " \($0.from) ✗ \($0.to)" } ?? ""
        let chain = chain.map { "\($0)\(step): " } ?? ""
        return "\(count) × \(chain)\(kind.words(at: path)), the first: \(message)"
    }
}

extension MigrationFailure {
    /// That what was made fails when it is opened again.
    package var reopeningSentence: String { "what is written does not open again: \(sentence)" }
}

extension MigratedDocument {
    /// Why there is nothing to be written though nothing failed.
    package var reasonsForNoResult: String {
        if result.outcome == .unrecognized { return result.warnings.unrecognizedSentence }
        return notWritable ?? notEncodable.map(\.unwrittenSentence) ?? "there is no result"
    }
}

extension MigrationTrace {
    /// Why there is no chain to show, in a few words.
    package var headline: String {
        switch (outcome, failure?.reason) {
        case (.unreadable, _): "could not be read"
        case (_, .malformed(.empty(isWhitespace: false))?): "empty: there is nothing in it"
        case (_, let reason) where reason?.kind == .malformed: "malformed: the text is not a document"
        case (.unrecognized, _): "no chain claims this document"
        default: outcome.rawValue
        }
    }

    /// Why nothing can be written though nothing failed.
    package var reasonsForNoResult: String { MigratedDocument(self).reasonsForNoResult }

    /// Why the version is not told, where it was not found out.
    package var unknownVersion: String {
        [.crashed, .timedOut].contains(failure?.kind) ? "not known" : "could not be determined"
    }

    /// What became of a part that failed while the rest of the document has a result.
    package var keptSentence: String { "\(path ?? .root) is kept as it was" }
}

extension MigrationStep {
    /// Why there is nothing to compare with what the step made.
    package var withoutBefore: String {
        "what version \(from) made cannot be written, so there is nothing to compare with"
    }
}

extension Sequence<Reason> {
    /// Why no chain claims a document, in a few words: the chains that claim it alike, if that is so.
    package var unrecognizedSentence: String {
        tie.map { "\($0); \(Self.howToChoose)" } ?? archive?.description ?? "belongs to no chain this program knows"
    }

    private var archive: Reason? { first { if case .keyedArchive = $0 { true } else { false } } }

    private var tie: Reason? { first { if case .tie = $0 { true } else { false } } }

    private static var howToChoose: String { "choose with --chain NAME" }
}

extension [DocumentPath] {
    /// The fields in a sentence, the folded ones with how many they stand for; of very many, the first twenty, and how many
    /// more.
    func briefly(_ folds: PathFolds = PathFolds()) -> String { Array(prefix(20)).sentence(of: count, folds) }

    /// The fields that are dropped.
    package func droppedSentence(_ folds: PathFolds = PathFolds()) -> String {
        "dropped, the app does not read it: \(briefly(folds))"
    }

    /// The fields that the newest type does not read, where it is not known what the steps read.
    package func unreadSentence(_ folds: PathFolds) -> String {
        "the newest type does not read \(briefly(folds)); whether a step does was not looked at"
    }

    /// The fields that steps read and leave.
    package func leftOverSentence(_ folds: PathFolds) -> String { "left over, a step read it: \(briefly(folds))" }

    /// The fields that keep a document from being written.
    package var lossSentence: String {
        "nothing reads \(briefly()), so that would be lost (--allow-dropped accepts it)"
    }
}
