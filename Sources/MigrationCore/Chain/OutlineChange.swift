import DocumentModel

/// A field of a version beside the version before.
public struct OutlineChange: Sendable, Hashable {
    /// What became of a field.
    public enum Kind: Sendable, Hashable {
        /// It is as it was.
        case same
        /// The version before does not have it.
        case added
        /// Only the version before has it.
        case removed
        /// It is of another type, may be missing now, or has to be there now.
        case changed
    }

    /// What became of it.
    public var kind: Kind
    /// The field; of one that was removed, as it was.
    public var field: VersionOutline.Field
    /// The field as it was, where that is known and it was there.
    public var old: VersionOutline.Field?
}

extension VersionOutline {
    /// The fields beside those of the version before: those of this version in their order, each that is gone behind
    /// what it stood behind.
    ///
    /// - Parameter old: Those of the version before; nil where they are not known, or there is none: then all are the
    ///   same. Of one that is not known to its end, what it does not have is not said to be added.
    public func changes(from old: VersionOutline?) -> [OutlineChange] {
        guard let old else { return fields.map { OutlineChange(kind: .same, field: $0, old: nil) } }
        var changes = fields.map { field in
            guard let before = old[field.path] else {
                return OutlineChange(kind: old.isComplete ? .added : .same, field: field, old: nil)
            }
            return OutlineChange(kind: field.isLike(before) ? .same : .changed, field: field, old: before)
        }
        guard isComplete else { return changes }
        for (index, field) in old.fields.enumerated() where self[field.path] == nil {
            // Behind what it stood behind, and what that has inside.
            let before = old.fields[..<index].last { last in
                last.path.components.count <= field.path.components.count || field.path.hasPrefix(last.path)
            }
            let position = before.flatMap { before in changes.lastIndex { $0.field.path.hasPrefix(before.path) } }
            changes.insert(OutlineChange(kind: .removed, field: field, old: field), at: position.map { $0 + 1 } ?? 0)
        }
        return changes
    }
}

extension VersionOutline.Field {
    /// The type as it is written in Swift: with a question mark where the field may be null; nil where it is not known.
    public var writtenType: String? {
        type.map { !allowsNull || $0.hasSuffix("?") ? $0 : "\($0)?" }
    }

    /// Whether it is the same as another, as far as that is known.
    fileprivate func isLike(_ other: VersionOutline.Field) -> Bool {
        guard isRequired == other.isRequired else { return false }
        guard type != nil, other.type != nil else { return true }
        return writtenType == other.writtenType && choices == other.choices
    }
}
