import DocumentModel

// The sentences about the conclusions from experiments with a failure.

extension MigrationTrace {
    /// The number of paths that fail, with the paths: `3 places fail: exercises[0].sets[1].reps, …`. Nil if there is
    /// only one failure, or no further ones are known. Paths of one field that fail alike count as one.
    package var placesSentence: String? {
        guard let failure, !furtherFailures.isEmpty else { return nil }
        var causes: [(failure: MigrationFailure, count: Int)] = []
        for failure in [failure] + furtherFailures {
            if let index = causes.firstIndex(where: { $0.failure.isLike(failure) }) {
                causes[index].count += 1
            } else {
                causes.append((failure, 1))
            }
        }
        let names = causes.map { cause in
            guard let place = cause.failure.place else { return cause.failure.message }
            return cause.count == 1 ? place.brief : "\(place.foldingIndices.brief) (\(cause.count) times)"
        }
        let count = furtherFailures.count + 1
        if Set(names).count == 1, let name = names.first, causes.count > 1 {
            return "\(count) things are wrong with \(name)"
        }
        return "\(count) places fail: \(names.joined(separator: ", "))"
    }
}

extension MigrationFailure {
    /// The claim about the culprit, with its evidence. Nil if the error itself names the field.
    var claim: String? {
        guard let culprit, culprit.proof == nil else { return culprit?.provedClaim }
        if culprit.certain || culprit.path == path { return nil }
        return path?.isRoot ?? true ? "likely; the migration named no field" : "likely by name"
    }

    /// The conclusions from experiments with the failure, or that there are none, one sentence per line. Empty if no
    /// experiments were run.
    package var experimentSentences: [String] {
        if [.malformed, .unreadable].contains(kind) { return ["no experiments without a document"] }
        return (culprit?.proofSentences ?? []) + [search?.sentence].compactMap(\.self)
    }

    /// The path of the failure in the document as it was read, as far as it is known.
    fileprivate var place: DocumentPath? { culprit?.path ?? path }

    /// Returns whether another failure has the same cause: the same field, possibly in another element.
    fileprivate func isLike(_ other: MigrationFailure) -> Bool {
        kind == other.kind && step == other.step && place?.foldingIndices == other.place?.foldingIndices
    }
}

extension DocumentPath {
    /// The path without the sign for the whole document.
    package var brief: String { String("\(self)".trimmingPrefix("$").trimmingPrefix(".")) }
}

extension MigrationFailure.Culprit {
    /// The proved claim about the field, or nil if there is no proof.
    fileprivate var provedClaim: String? {
        guard let proof else { return nil }
        // Next to the field, the text doesn't need to say that it is the cause.
        let claim = claim(of: proof) == CulpritProof.provedCause ? "proof" : claim(of: proof)
        let agreement = proof.agreementWords.map { "; \($0)" } ?? ""
        if others.isEmpty { return "\(claim): \(proof.words)" }
        return "one of \(others.count + 1) fields: \(proof.words)\(agreement)"
    }

    /// Returns the word for the field in the light of a proof. A passing value does not prove a field that need not be at
    /// fault.
    private func claim(of proof: CulpritProof) -> String {
        certain || proof.repair != nil ? proof.claim : CulpritProof.likelyCause
    }

    /// The field, for a line that doesn't name it elsewhere.
    var briefWords: String {
        if others.isEmpty { return certain ? "\(path)" : "likely \(path)" }
        return certain || proof != nil ? "one of \(tied)" : "likely one of \(tied)"
    }

    private var tied: String { ([path] + others).map(\.description).joined(separator: ", ") }

    /// The conclusions from the experiments, one sentence per line. Empty if there is no proof.
    package var proofSentences: [String] {
        guard let proof else { return [] }
        let word = claim(of: proof)
        let claim =
            others.isEmpty
            ? "\(word): \(path): \(proof.words)" : "one of these is the cause: \(tied); \(path) \(proof.words)"
        return [claim] + [proof.agreementWords].compactMap(\.self) + proof.valueSentences
    }
}

extension FailureSearch {
    /// A sentence about how much was tried, which says that it proves nothing.
    package var sentence: String {
        let reason: String? =
            switch because {
            case .differs: "the document does not fail alike in every run"
            case let because?: because.sentence
            case nil: changes == 0 ? "nothing was found that could be changed" : nil
            }
        let tried =
            switch changes {
            case 0: "no change was tried"
            case 1: "1 change was tried"
            default: "\(changes) changes were tried"
            }
        let (place, document) = isWhole ? ("", "the document") : (" in a smaller document that fails alike", "it")
        let change = passing.map { " (\($0.words))" } ?? ""
        let result =
            passes
            ? "one of them\(change) gets past the failure, but proves no cause" : "none opens \(document)"
        let parts = changes == 0 ? [tried, reason] : [tried + place, result, reason]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}

extension CulpritProof {
    fileprivate var claim: String { repair != nil ? "repair" : isOnlyRemoval ? Self.likelyCause : Self.provedCause }

    fileprivate static let provedCause = "proved cause"
    fileprivate static let likelyCause = "likely cause"

    /// The outcome for the document with the change, or that no change was found.
    package var words: String {
        let change: String
        switch self.change {
        case .set(_, let value)?: change = "with \(value.root.textOfTrial)"
        case .rename(_, let name)?: change = "when renamed to \(name)"
        case .add(_, let value)?: change = "when added as \(value.root.textOfTrial)"
        case .remove?: change = "without it"
        case nil: return "the error changes with this value and no other"
        }
        switch ending {
        case .opens: return "opens \(change)\(advisesNothing)"
        case .fails(let path?): return "gets past this \(change), then fails at \(path)"
        case .fails(nil): return "gets past this \(change), then fails elsewhere"
        case nil: return "passes \(change)"
        }
    }

    /// A note that a value which opens the document may not be the right one.
    private var advisesNothing: String {
        switch change {
        case .set?, .add?: repair == nil ? "; the right value is not known" : ""
        case .rename?, .remove?, nil: ""
        }
    }

    /// How the two values must agree for the document to pass.
    fileprivate var agreementWords: String? {
        switch agreement {
        case .exchanged?: "passes with the two exchanged"
        case .equal?: "passes with the two equal"
        case nil: nil
        }
    }

    /// The values that were tried, in two sentences that can be shortened by themselves: `gets past this with 0 to 5`,
    /// `does not with 6 and -1`. Empty if there is nothing to add.
    package var valueSentences: [String] {
        guard let edit = change else {
            return failing.isEmpty ? [] : ["does not get past this with \(Self.list(failing))"]
        }
        switch edit {
        case .rename, .remove: return []
        case .set, .add: break
        }
        if let range { return range }
        // It is obvious that values of another kind don't pass.
        let kinds = Set(passing.map(\.root.kind))
        let failing = failing.filter { kinds.contains($0.root.kind) }
        let passes = "gets past this with \(Self.list(passing))"
        if failing.isEmpty { return passing.count > 1 ? [passes] : [] }
        return [passes, "does not with \(Self.list(failing))"]
    }

    /// The range of whole numbers that were all tried and pass, and the numbers next to it that don't.
    private var range: [String]? {
        let numbers = passing.compactMap(\.root.wholeNumber).sorted()
        guard let low = numbers.first, let high = numbers.last, high > low, high - low + 1 == numbers.count else {
            return nil
        }
        let fails = failing.compactMap(\.root.wholeNumber)
        let near = [fails.filter { $0 > high }.min(), fails.filter { $0 < low }.max()].compactMap(\.self)
        guard !near.isEmpty else { return nil }
        let fail = near.map(String.init).joined(separator: " and ")
        return ["gets past this with \(low) to \(high)", "does not with \(fail)"]
    }

    /// This many characters are enough to distinguish strings.
    private static let longest = 18

    /// Returns up to four values, and the number of further ones.
    private static func list(_ values: [Document]) -> String {
        let all = values.map(\.root.textOfTrial).map {
            $0.utf8.first == UInt8(ascii: "\"") && $0.count > longest ? $0.prefix(longest - 2) + "…\"" : $0
        }
        var texts: [String] = []
        for text in all where !texts.contains(text) { texts.append(text) }
        let shown = texts.prefix(4)
        let more = texts.count - shown.count
        if more > 0 { return shown.joined(separator: ", ") + " and \(more) more" }
        guard shown.count > 1, let last = shown.last else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " and " + last
    }
}

extension DocumentNode {
    /// The value as text. Short objects and arrays are written in full.
    fileprivate var textOfTrial: String {
        guard kind.isContainer, nodes.count <= 12 else { return briefText }
        let text = JSONWriter(layout: .compact).string(self)
        return text.count <= 24 ? text : briefText
    }
}
