/// Operations that turn one document into another (RFC 6902, JSON Patch).
///
///     let patch = DocumentDifference(old: before.root, new: after.root).patch
///     let text = JSONWriter().string(patch.document.root)      // [{"op":"replace","path":"/rating","value":"meh"}]
///
/// Paths are JSON Pointers (RFC 6901).
public struct JSONPatch: Sendable {
    /// One operation.
    public enum Operation: Sendable {
        /// Puts `value` at `path`: as a new element before the one that stands there, or as a member, whether there is
        /// one or not.
        case add(path: String, value: DocumentNode)
        /// Takes away what is at `path`.
        case remove(path: String)
        /// Puts `value` in place of what is at `path`.
        case replace(path: String, value: DocumentNode)
        /// Takes away what is at `from`, then adds it at `path`.
        case move(from: String, path: String)
        /// Adds at `path` what is at `from`.
        case copy(from: String, path: String)
        /// Asks that what is at `path` equals `value`.
        case test(path: String, value: DocumentNode)
    }

    /// The operations, in the order in which they apply.
    public var operations: [Operation]

    /// The patch of these operations.
    public init(_ operations: [Operation] = []) { self.operations = operations }

    /// Whether there are no operations.
    public var isEmpty: Bool { operations.isEmpty }
}

extension JSONPatch.Operation {
    /// The word for the operation.
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

    /// Where it applies.
    public var path: String {
        switch self {
        case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path), .copy(_, let path),
            .test(let path, _):
            path
        }
    }

    /// Where a value is taken from; nil unless this is ``move(from:path:)`` or ``copy(from:path:)``.
    public var from: String? {
        switch self {
        case .move(let from, _), .copy(let from, _): from
        default: nil
        }
    }

    /// The value that is added or asked for; nil where the operation has none.
    public var value: DocumentNode? {
        switch self {
        case .add(_, let value), .replace(_, let value), .test(_, let value): value
        default: nil
        }
    }
}

// MARK: - JSON

extension JSONPatch {
    /// The patch as RFC 6902 writes it: an array of objects.
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
