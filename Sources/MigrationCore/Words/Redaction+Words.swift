import DocumentModel

// The sentences about documents whose values were replaced.

extension Redaction {
    /// What is as in the document, line by line.
    ///
    /// - Parameters:
    ///   - outcome: How both documents end.
    ///   - hint: How to replace the names of members, if there is a way.
    package func words(outcome: MigrationOutcome, hint: String? = nil) -> [String] {
        func list(_ paths: [DocumentPath]) -> String {
            paths.map { "\($0)\(folds.words($0))" }.joined(separator: ", ")
        }
        let ending =
            switch outcome {
            case .current: "opens alike"
            case .migrated: "migrates alike"
            case .failed, .unreadable, .deleted: "fails alike"
            case .unrecognized: "belongs to no chain either"
            }
        var lines = ["\(ending); kept as they are: \(keptValues.isEmpty ? "no values" : list(keptValues))"]
        if redactsNames {
            lines.append("kept keys: \(keptNames.isEmpty ? "none" : list(keptNames))")
        } else {
            let data = namedByData.isEmpty ? "" : "; those of \(list(namedByData)) look like data"
            lines.append("keys are kept\(hint.map { " (\($0))" } ?? "")\(data)")
        }
        return lines + [Self.alwaysKept]
    }

    /// What is kept in any document.
    package static let alwaysKept = "true, false, null, punctuation, and the lengths of texts and lists are kept"
}

extension RedactionProblem: CustomStringConvertible {
    /// The problem in words.
    public var description: String {
        switch self {
        case .noDocument: "it does not parse, so its values are not known"
        case .noExperiments: "experiments are off, and redacting takes them"
        case .notRepeatable(let chain):
            "the chain \(chain) says that its migrations are not to be repeated (isRepeatable: false)"
        case .endsDifferently: "it ends in another way each time"
        case .notWritable: "it cannot be written again in its format"
        case .budgetSpent: "too many of its values seem to be needed, and the runs to find out which are spent"
        }
    }
}
