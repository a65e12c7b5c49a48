import DocumentModel

extension MigrationTrace {
    /// Returns whether a redacted document ended in the same way as the original: with the same chain, version, steps
    /// and outcome, with failures, warnings and parts that say the same, and with the same fields dropped.
    package func ends(like original: MigrationTrace, _ replacements: Replacements) -> Bool {
        func isSame(_ paths: [DocumentPath]?, as originals: [DocumentPath]?) -> Bool {
            guard let paths, let originals else { return (paths == nil) == (originals == nil) }
            return paths.count == originals.count
                && zip(paths, originals).allSatisfy { replacements.isSame($0, as: $1) }
        }
        func isSame(_ reasons: [Reason], as originals: [Reason]) -> Bool {
            reasons.count == originals.count
                && zip(reasons, originals).allSatisfy {
                    replacements.isSame(message: $0.description, as: $1.description)
                }
        }
        guard outcome == original.outcome, chain == original.chain, target == original.target,
            detection.version == original.detection.version, steps.map(\.to) == original.steps.map(\.to),
            isSame([path].compactMap(\.self), as: [original.path].compactMap(\.self)),
            isSame(dropped, as: original.dropped), isSame(leftOver, as: original.leftOver),
            isSame(warnings, as: original.warnings),
            isSame([notEncodable].compactMap(\.self), as: [original.notEncodable].compactMap(\.self)),
            failures.count == original.failures.count, parts.count == original.parts.count
        else { return false }
        return zip(failures, original.failures).allSatisfy { $0.isSame(as: $1, replacements) }
            && zip(parts, original.parts).allSatisfy { $0.ends(like: $1, replacements) }
    }
}

extension MigrationFailure {
    /// Returns whether a redacted document failed like the original: with the same kind of error, in the same step, at
    /// the same place, and with the same words.
    fileprivate func isSame(as original: MigrationFailure, _ replacements: Replacements) -> Bool {
        guard kind == original.kind, step == original.step, (path == nil) == (original.path == nil) else {
            return false
        }
        if let path, let other = original.path, !replacements.isSame(path, as: other) { return false }
        if case .crashed(let crash, _) = reason, case .crashed(let other, _) = original.reason, !crash.isSame(as: other)
        {
            return false
        }
        return kind == .timedOut || replacements.isSame(message: message, as: original.message)
    }
}

extension Replacements {
    /// Returns whether a path leads through the same positions, and through the same names or their replacements.
    fileprivate func isSame(_ path: DocumentPath, as original: DocumentPath) -> Bool {
        path.components.count == original.components.count
            && zip(path.components, original.components).allSatisfy { component, other in
                switch (component, other) {
                case (.key(let name), .key(let old)): isSame(name, as: old)
                case (.laterKey(let name, let count), .laterKey(let old, let oldCount)):
                    count == oldCount && isSame(name, as: old)
                default: component == other
                }
            }
    }
}
