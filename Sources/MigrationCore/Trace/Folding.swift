import DocumentModel

// Traces as reports tell them: with long lists of paths folded.

extension MigrationTrace {
    /// The trace with its long lists of paths made short: more than ten that differ only in positions, or in the keys of
    /// one level, are one. ``folds`` has what it stands for.
    public func folding() -> MigrationTrace {
        var trace = self
        (trace.dropped, trace.leftOver, trace.folds) = foldedFields
        for index in steps.indices {
            trace.steps[index].finding = steps[index].toldFinding
        }
        trace.writing?.finding = writing?.finding?.folding(in: document)
        trace.parts = parts.map { $0.folding() }
        return trace
    }

    /// The fields that nothing reads, or only a step, folded.
    package var foldedFields: (dropped: [DocumentPath], leftOver: [DocumentPath]?, folds: PathFolds) {
        guard let root = document?.root else { return (dropped, leftOver, folds) }
        var folds = folds
        let dropped = folds.fold(dropped, in: root)
        return (dropped, leftOver.map { folds.fold($0, in: root) }, folds)
    }

    /// What steps lost, folded, and the documents before them that the paths lead into.
    func folding<Value: Hashable>(
        _ values: [Value]?, at path: WritableKeyPath<Value, DocumentPath>, step: KeyPath<Value, MigrationFailure.Step?>,
        part: KeyPath<Value, DocumentPath?>, into folds: inout PathFolds
    ) -> [Value]? {
        values.map { values in
            folds.fold(values, at: path) { value in
                // The place of a part is one in the document as it was read.
                let own = steps.first { value[keyPath: part] == nil && $0.ends == value[keyPath: step] }
                return (own?.before ?? document)?.root
            }
        }
    }
}

extension MigrationStep {
    /// What experiments show of the step, with long lists of paths made short.
    package var toldFinding: StepFinding? { finding?.folding(in: before) }
}

extension StepFinding {
    /// The finding with its long lists of paths made short.
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
    /// The folds of a report; none in one that was written before paths were folded.
    func decode(_ type: PathFolds.Type, forKey key: Key) throws -> PathFolds {
        try decodeIfPresent(type, forKey: key) ?? PathFolds()
    }
}
