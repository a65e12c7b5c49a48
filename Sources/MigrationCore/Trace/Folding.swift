import DocumentModel

// Traces in the form that reports use, with long lists of paths folded.

extension MigrationTrace {
    /// Returns the trace with its long lists of paths folded: more than ten paths that differ only in indices, or in
    /// the keys of one level, become one. ``folds`` has their meaning.
    public func folding() -> MigrationTrace {
        var trace = self
        (trace.dropped, trace.leftOver, trace.folds) = foldedFields
        for index in steps.indices {
            trace.steps[index].finding = steps[index].foldedFinding
        }
        trace.writing?.finding = writing?.finding?.folding(in: document)
        trace.parts = parts.map { $0.folding() }
        return trace
    }

    /// The fields that nothing reads, and those that only a step reads, both folded.
    package var foldedFields: (dropped: [DocumentPath], leftOver: [DocumentPath]?, folds: PathFolds) {
        guard let root = document?.root else { return (dropped, leftOver, folds) }
        var folds = folds
        let dropped = folds.fold(dropped, in: root)
        return (dropped, leftOver.map { folds.fold($0, in: root) }, folds)
    }

    /// Returns the losses of steps with their paths folded. The paths lead into the document before each step.
    func folding<Value: Hashable>(
        _ values: [Value]?, at path: WritableKeyPath<Value, DocumentPath>, step: KeyPath<Value, MigrationFailure.Step?>,
        part: KeyPath<Value, DocumentPath?>, into folds: inout PathFolds
    ) -> [Value]? {
        values.map { values in
            folds.fold(values, at: path) { value in
                // The path of a part leads into the document as it was read.
                let own = steps.first { value[keyPath: part] == nil && $0.ends == value[keyPath: step] }
                return (own?.before ?? document)?.root
            }
        }
    }
}

extension MigrationStep {
    /// The conclusions from experiments with the step, with long lists of paths folded.
    package var foldedFinding: StepFinding? { finding?.folding(in: before) }
}

extension StepFinding {
    /// Returns the finding with its long lists of paths folded.
    fileprivate func folding(in before: Document?) -> StepFinding {
        guard let root = before?.root else { return self }
        var finding = self
        finding.lost = finding.folds.fold(lost, in: root)
        finding.narrowed = finding.folds.fold(narrowed, at: \.path) { _ in root }
        finding.intended = finding.folds.fold(intended, in: root)
        return finding
    }
}

extension KeyedDecodingContainer {
    /// Decodes the folds of a report. Reports written before paths were folded have none.
    func decode(_ type: PathFolds.Type, forKey key: Key) throws -> PathFolds {
        try decodeIfPresent(type, forKey: key) ?? PathFolds()
    }
}
