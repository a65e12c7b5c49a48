import DisplayText
import DocumentModel
import MigrationCore

// What the screens say of losses, warnings and outcomes, around the sentences of reasons.

extension MigrationTrace {
    /// What was dropped, or may be, and how many warnings there are, in a few words; nil where there is nothing of either.
    var remarks: String? {
        var words: [String] = []
        let told = foldedFields
        if let first = told.dropped.first {
            let others = told.dropped.count - 1
            let kind = leftOver == nil ? "not known whether read" : "dropped"
            let rest = others > 0 ? " and \(NumberWords.grouped(others)) more" : ""
            words.append("\(kind): \(first.shown)\(told.folds.words(first))\(rest)")
        }
        if !warnings.isEmpty {
            words.append(warnings.count == 1 ? "1 warning" : "\(NumberWords.grouped(warnings.count)) warnings")
        }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    /// The fields that are dropped, one after the other, and those that are folded with their number.
    var droppedSentences: [String] {
        // An older version than the document's may have read it.
        let readers = detection.version.map { $0 == .unversioned ? "" : " from \($0) on" } ?? ""
        let words =
            leftOver == nil
            ? "is not read by the newest type; whether a step reads it is not known" : "is read by no version\(readers)"
        let told = foldedFields
        return told.dropped.enumerated().map { number, path in
            "\(path)\(told.folds.words(path))" + (number == 0 ? " \(words)" : "")
        }
    }

    /// What came of a document that did not fail; nil of one that did.
    var outcomeSentence: String? {
        switch outcome {
        case .current: return "already current: there is nothing to migrate"
        case .migrated:
            let target = target.map { "\($0)" } ?? "the newest version"
            if steps.isEmpty { return "already version \(target); parts of it were migrated" }
            let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
            let time = steps.reduce(decodingSeconds) { $0 + $1.seconds }
            return "migrated to \(target) in \(count), \(NumberWords.seconds(time))"
        case .failed, .unreadable, .unrecognized: return nil
        }
    }
}

extension CheckResult {
    /// What happened to a document of which this came now, and something else before.
    var wordsOfChange: String {
        outcome == .unreadable ? "can no longer be read" : "has changed since it was checked"
    }
}
