import DocumentModel

/// A field of a version, compared with the previous version.
public struct OutlineChange: Sendable, Equatable {
    /// The ways in which a field can change.
    public enum Kind: Sendable, Hashable {
        /// The field did not change.
        case same
        /// The previous version does not have the field.
        case added
        /// Only the previous version has the field.
        case removed
        /// The field has another type, has become optional, or has become required.
        case changed
    }

    /// How the field changed.
    public var kind: Kind
    /// The field, or the old field if it was removed.
    public var field: VersionOutline.Field
    /// The old field, if there is one and it is known.
    public var old: VersionOutline.Field?
}

extension VersionOutline {
    /// Returns the fields of this version in order, compared with those of the previous version. Each removed field is
    /// inserted after the field it followed.
    ///
    /// - Parameter old: The fields of the previous version. Nil if they are not known, or there is no previous version;
    ///   all fields are then the same. If they are incomplete, no field is reported as added, and neither is a field
    ///   inside one of which only the name is known.
    public func changes(from old: VersionOutline?) -> [OutlineChange] {
        guard let old else { return fields.map { OutlineChange(kind: .same, field: $0, old: nil) } }
        var changes = fields.map { field in
            guard let before = old[field.path] else {
                let isNew = old.isComplete && old.knowsFields(inside: field.path.parent)
                return OutlineChange(kind: isNew ? .added : .same, field: field, old: nil)
            }
            return OutlineChange(kind: field.isLike(before) ? .same : .changed, field: field, old: before)
        }
        guard isComplete else { return changes }
        for (index, field) in old.fields.enumerated() where self[field.path] == nil {
            // Insert it after the field it followed, and after that field's children.
            let before = old.fields[..<index].last { last in
                last.path.components.count <= field.path.components.count || field.path.hasPrefix(last.path)
            }
            let position = before.flatMap { before in changes.lastIndex { $0.field.path.hasPrefix(before.path) } }
            changes.insert(OutlineChange(kind: .removed, field: field, old: field), at: position.map { $0 + 1 } ?? 0)
        }
        return changes
    }
}

extension VersionOutline {
    /// Returns whether the fields inside the value at a path are known, rather than only the value's name.
    fileprivate func knowsFields(inside path: DocumentPath?) -> Bool {
        guard var path, !path.isRoot else { return true }
        while self[path] == nil, let parent = path.parent { path = parent }
        return path.isRoot || self[path]?.type != nil
    }
}

extension VersionOutline.Field {
    /// The type as written in Swift, with a question mark if the field may be null. Nil if the type is not known.
    public var writtenType: String? {
        type.map { !allowsNull || $0.hasSuffix("?") ? $0 : "\($0)?" }
    }

    /// Returns whether the field is the same as another, as far as is known.
    fileprivate func isLike(_ other: VersionOutline.Field) -> Bool {
        guard isRequired == other.isRequired else { return false }
        guard type != nil, other.type != nil else { return true }
        return writtenType == other.writtenType && choices == other.choices
    }
}
