import DocumentModel

// The sentences about failures and losses that screens and reports put around the sentences of reasons.

extension MigrationFailure {
    /// The kind, path, culprit, and message: `fieldNoLongerValid at $.rating (likely $.starRating): Star rating 9 is
    /// …`.
    package var sentence: String {
        var culprit = ""
        if let found = self.culprit, found.path != path || !found.others.isEmpty {
            culprit = " (\(found.briefWords))"
        }
        return "\(kind.words(at: path))\(culprit): \(message)"
    }

    /// The message with its path, for use where the field is not shown.
    package var messageWithPath: String {
        guard let path, !path.isRoot, kind != .unsupportedVersion else { return message }
        return "\(path): \(message)"
    }

    /// The message for display next to the presumed culprit.
    package var messageAtCulprit: String {
        claim.map { "\(message) (\($0))" } ?? message
    }

    /// A description of the presumed culprit, for use if the message is shown elsewhere.
    package var culpritWords: String { claim ?? "named by the error" }

    /// A description of a missing field that the error names: a decoder misses a field that should be present, and a
    /// step names one that it could not make.
    package var absence: String {
        (kind == .keyNotFound || kind == .valueNotFound ? "missing" : "never made") + ": \(kind.rawValue) names it"
    }
}

extension MigrationFailure.Kind {
    /// Returns the kind and the path: `keyNotFound at $.author`.
    func words(at path: DocumentPath?) -> String { rawValue + (path.map { " at \($0)" } ?? "") }
}

extension CheckReport.Cause {
    /// The common properties of failures: `3 × Poem 1 ✗ 2: keyNotFound at $.author, the first: …`.
    package var sentence: String {
        let step = step.map { " \($0.from) ✗ \($0.to)" } ?? ""
        let chain = chain.map { "\($0)\(step): " } ?? ""
        return "\(count) × \(chain)\(kind.words(at: path)), the first: \(message)"
    }
}

extension MigrationFailure {
    /// A sentence which says that the migrated document does not open again.
    package var reopeningSentence: String { "what is written does not open again: \(sentence)" }
}

extension MigratedDocument {
    /// Why there is no document to write although nothing failed.
    package var reasonsForNoResult: String {
        if result.outcome == .unrecognized { return result.warnings.unrecognizedSentence }
        return notWritable ?? notEncodable.map(\.unwrittenSentence) ?? "there is no result"
    }
}

extension MigrationTrace {
    /// A short description of why there is no chain to show.
    package var headline: String {
        switch (outcome, failure?.reason) {
        case (.unreadable, _): "could not be read"
        case (_, .malformed(.empty(isWhitespace: false))?): "empty: there is nothing in it"
        case (_, let reason) where reason?.kind == .malformed: "malformed: the text is not a document"
        case (.unrecognized, _): "no chain claims this document"
        default: outcome.rawValue
        }
    }

    /// Why no document can be written although nothing failed.
    package var reasonsForNoResult: String { MigratedDocument(self).reasonsForNoResult }

    /// The text that replaces a version that was not determined.
    package var unknownVersion: String {
        [.crashed, .timedOut].contains(failure?.kind) ? "not known" : "could not be determined"
    }

    /// The text for a part that failed although the rest of the document has a result.
    package var keptSentence: String { "\(path ?? .root) is kept as it was" }
}

extension MigrationStep {
    /// Why there is no document to compare the result of the step with.
    package var withoutBefore: String {
        "what version \(from) made cannot be written, so there is nothing to compare with"
    }
}

extension Sequence<Reason> {
    /// A short description of why no chain claims a document, with the chains that claim it equally, if any.
    package var unrecognizedSentence: String {
        tie.map { "\($0); \(Self.howToChoose)" } ?? kindOfFile?.description ?? "belongs to no chain this program knows"
    }

    /// The reason that the document is of a kind that no chain reads.
    private var kindOfFile: Reason? {
        first {
            switch $0 {
            case .keyedArchive, .documentInside: true
            default: false
            }
        }
    }

    private var tie: Reason? { first { if case .tie = $0 { true } else { false } } }

    private static var howToChoose: String { "choose with --chain NAME" }
}

extension [DocumentPath] {
    /// Returns the fields as a sentence. Folded fields include the number of fields that they stand for. If there are
    /// many fields, the first twenty are listed, with the number of further ones.
    func briefly(_ folds: PathFolds = PathFolds()) -> String { Array(prefix(20)).sentence(of: count, folds) }

    /// Returns the sentence about dropped fields.
    package func droppedSentence(_ folds: PathFolds = PathFolds()) -> String {
        "dropped, the app does not read it: \(briefly(folds))"
    }

    /// Returns the sentence about fields that the newest type does not read, if it isn't known what the steps read.
    package func unreadSentence(_ folds: PathFolds) -> String {
        "the newest type does not read \(briefly(folds)); whether a step does was not looked at"
    }

    /// Returns the sentence about fields that steps read and leave in the payload.
    package func leftOverSentence(_ folds: PathFolds) -> String { "left over, a step read it: \(briefly(folds))" }

    /// The sentence about names that occur more than once, of which only the last value is left.
    package var duplicatesSentence: String {
        "\(briefly()) \(count == 1 ? "occurs" : "occur") more than once, and only the last value would be left "
            + "(--allow-dropped accepts it)"
    }

    /// The sentence about fields that keep a document from being written.
    package func lossSentence(_ folds: PathFolds = PathFolds()) -> String {
        "nothing reads \(folds.refolding(self).briefly(folds)), so that would be lost (--allow-dropped accepts it)"
    }
}
