/// Operations that turn one document into another (RFC 6902, JSON Patch).
///
///     let patch = DocumentDifference(old: before.root, new: after.root).patch
///     let text = JSONWriter().string(patch.document.root)      // [{"op":"replace","path":"/rating","value":"meh"}]
///
/// Paths are JSON Pointers (RFC 6901).
public struct JSONPatch: Sendable {
    /// One operation.
    public enum Operation: Sendable {
        /// Adds `value` at `path`: as a new element before the existing one, or as a member, replacing an existing one.
        case add(path: String, value: DocumentNode)
        /// Removes the value at `path`.
        case remove(path: String)
        /// Replaces the value at `path` with `value`.
        case replace(path: String, value: DocumentNode)
        /// Removes the value at `from` and adds it at `path`.
        case move(from: String, path: String)
        /// Adds a copy of the value at `from` at `path`.
        case copy(from: String, path: String)
        /// Tests whether the value at `path` equals `value`.
        case test(path: String, value: DocumentNode)
    }

    /// The operations, in the order in which they are applied.
    public var operations: [Operation]

    /// Creates a patch from its operations.
    public init(_ operations: [Operation] = []) { self.operations = operations }

    /// Whether there are no operations.
    public var isEmpty: Bool { operations.isEmpty }
}

extension JSONPatch.Operation {
    /// The name of the operation in RFC 6902.
    public var name: String {
        switch self {
        case .add: "add"
        case .remove: "remove"
        case .replace: "replace"
        case .move: "move"
        case .copy: "copy"
        case .test: "test"
        }
    }

    /// The path to which it applies.
    public var path: String {
        switch self {
        case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
            .test(let path, _):
            path
        }
    }

    /// The path from which a value is taken; nil unless this is ``move(from:path:)`` or ``copy(from:path:)``.
    public var from: String? {
        switch self {
        case .move(let from, _), .copy(let from, _): from
        default: nil
        }
    }

    /// The value to add or to test for, or nil if the operation has none.
    public var value: DocumentNode? {
        switch self {
        case .add(_, let value), .replace(_, let value), .test(_, let value): value
        default: nil
        }
    }
}

// MARK: - JSON

extension JSONPatch {
    /// The patch in the format of RFC 6902: an array of objects.
    public var document: Document {
        var builder = DocumentBuilder()
        append(to: &builder)
        return builder.finish()
    }

    /// Appends the patch, an array of objects, to a document that is being built.
    public func append(to builder: inout DocumentBuilder) {
        builder.beginArray()
        for operation in operations {
            builder.beginObject()
            builder.key("op")
            builder.string(operation.name)
            if let from = operation.from {
                builder.key("from")
                builder.string(from)
            }
            builder.key("path")
            builder.string(operation.path)
            if let value = operation.value {
                builder.key("value")
                builder.append(value)
            }
            builder.end()
        }
        builder.end()
    }
}
