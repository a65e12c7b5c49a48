import DisplayText
import DocumentModel
import MigrationCore

// How the screens describe losses, warnings and outcomes, apart from the sentences of reasons.

extension MigrationTrace {
    /// A short summary of the fields that were or may have been dropped, and of the number of warnings; nil if there
    /// are neither.
    var remarks: String? {
        var words: [String] = []
        let reported = foldedFields
        if let first = reported.dropped.first {
            let others = reported.dropped.count - 1
            let kind = leftOver == nil ? "not known whether read" : "dropped"
            let rest = others > 0 ? " and \(NumberWords.grouped(others)) more" : ""
            words.append("\(kind): \(first.shown)\(reported.folds.words(first))\(rest)")
        }
        if !warnings.isEmpty {
            words.append(warnings.count == 1 ? "1 warning" : "\(NumberWords.grouped(warnings.count)) warnings")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The dropped fields, one after the other. Folded fields are given with their count.
    var droppedSentences: [String] {
        // A step from an older version than the document's may read the field.
        let readers = detection.version.map { $0 == .unversioned ? "" : " from \($0) on" } ?? ""
        let words =
            leftOver == nil
            ? "is not read by the newest type; whether a step reads it is not known" : "is read by no version\(readers)"
        let reported = foldedFields
        return reported.dropped.enumerated().map { number, path in
            "\(path)\(reported.folds.words(path))" + (number == 0 ? " \(words)" : "")
        }
    }

    /// The outcome of a document that did not fail, or else nil.
    var outcomeSentence: String? {
        switch outcome {
        case .current: return "already current: there is nothing to migrate"
        case .migrated:
            let target = target.map { "\($0)" } ?? "the newest version"
            if steps.isEmpty { return "already version \(target); parts of it were migrated" }
            let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
            let time = steps.reduce(decodingSeconds) { $0 + $1.seconds }
            return "migrated to \(target) in \(count), \(NumberWords.seconds(time))"
        case .failed, .unreadable, .unrecognized, .deleted: return nil
        }
    }
}

extension CheckResult {
    /// The change of a document whose earlier result was different.
    var wordsOfChange: String {
        outcome == .unreadable ? "can no longer be read" : "has changed since it was checked"
    }
}
