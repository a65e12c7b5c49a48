import DocumentModel

/// An error in reading or applying a JSON Patch.
package struct JSONPatchError: Error, Hashable, Sendable {
    /// The reason for an error.
    package enum Reason: Hashable, Sendable {
        /// The patch doesn't follow RFC 6902. The text says what would be right.
        case malformed(String)
        /// The path isn't a JSON Pointer: it isn't empty and doesn't start with `/`, or contains a `~` that isn't
        /// followed by 0 or 1.
        case notAPointer(String)
        /// There is no value at this path.
        case nothing(at: String)
        /// The last token of this path isn't an index of its array, which has `count` elements.
        case notAPosition(String, count: Int)
        /// The container that this path leads into is a value of this kind, which has no children.
        case notAContainer(String, kind: NodeKind)
        /// The value would be moved into itself.
        case movesIntoItself(from: String, to: String)
        /// The document itself can't be removed.
        case removesDocument
        /// The value at this path differs from the one that `test` expects.
        case testFailed(String)
    }

    /// The index of the operation in the patch, or `nil` if the whole patch is invalid.
    package let operation: Int?
    /// The reason for the error.
    package let reason: Reason

    /// Creates an error from its parts.
    package init(operation: Int?, reason: Reason) {
        self.operation = operation
        self.reason = reason
    }
}

extension JSONPatchError: CustomStringConvertible {
    /// A sentence with the operation and the reason.
    package var description: String {
        guard let operation else { return "JSON Patch: \(reason)" }
        return "JSON Patch, operation \(operation): \(reason)"
    }
}

extension JSONPatchError.Reason: CustomStringConvertible {
    /// The reason in words.
    package var description: String {
        switch self {
        case .malformed(let expected): expected
        case .notAPointer(let path): "'\(path)' is no JSON Pointer; one looks like /lines/3"
        case .nothing(let path): "nothing is at '\(path)'"
        case .notAPosition(let path, let count):
            "'\(path)' does not end in a position of the array there, which has \(count) elements"
        case .notAContainer(let path, let kind): "'\(path)' leads into a \(kind), which has nothing inside"
        case .movesIntoItself(let from, let path): "'\(from)' cannot move into itself, to '\(path)'"
        case .removesDocument: "the document itself cannot be taken away"
        case .testFailed(let path): "another value is at '\(path)' than the patch expects"
        }
    }
}
