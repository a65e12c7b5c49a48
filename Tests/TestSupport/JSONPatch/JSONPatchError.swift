import DocumentModel

/// Why a JSON Patch could not be read or applied.
package struct JSONPatchError: Error, Hashable, Sendable {
    /// What was wrong.
    package enum Reason: Hashable, Sendable {
        /// The patch is not written as RFC 6902 has it; the text says what would have been right.
        case malformed(String)
        /// The path is no JSON Pointer: not empty and not beginning with `/`, or with a `~` that neither 0 nor 1 follows.
        case notAPointer(String)
        /// Nothing is at this path.
        case nothing(at: String)
        /// The last step of this path is not a position of the array that it leads into, which has so many elements.
        case notAPosition(String, count: Int)
        /// The container that this path leads into is a value of this kind, which has nothing inside.
        case notAContainer(String, kind: NodeKind)
        /// The value would move into itself.
        case movesIntoItself(from: String, to: String)
        /// The document itself cannot be taken away.
        case removesDocument
        /// Another value is at this path than `test` asked for.
        case testFailed(String)
    }

    /// The position of the operation in the patch, from 0; nil where the whole patch is wrong.
    package let operation: Int?
    /// What was wrong.
    package let reason: Reason

    /// Makes an error from its parts.
    package init(operation: Int?, reason: Reason) {
        self.operation = operation
        self.reason = reason
    }
}

extension JSONPatchError: CustomStringConvertible {
    /// One sentence: which operation, and what was wrong with it.
    package var description: String {
        guard let operation else { return "JSON Patch: \(reason)" }
        return "JSON Patch, operation \(operation): \(reason)"
    }
}

extension JSONPatchError.Reason: CustomStringConvertible {
    /// What was wrong, in words.
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
