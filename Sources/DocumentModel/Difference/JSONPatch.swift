/// Operations that turn one document into another (RFC 6902, JSON Patch).
///
///     let patch = DocumentDifference(old: before.root, new: after.root).patch
///     let text = JSONWriter().string(patch.document.root)      // [{"op":"replace","path":"/rating","value":"meh"}]
///     let again = try JSONPatch(patch.document.root).applied(to: before.root)
///
/// Paths are JSON Pointers (RFC 6901).
public struct JSONPatch: Sendable {
    /// One operation.
    public enum Operation: Sendable {
        /// Puts `value` at `path`: as a new element before the one that stands there, or as a member, whether there is one or not.
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

    /// Reads a patch: an array of objects, each with `op`, `path` and what the operation needs besides. Other members are passed
    /// over,
    /// as the RFC has it.
    ///
    /// - Throws: ``JSONPatchError`` that names the first operation that is none.
    public init(_ node: DocumentNode) throws {
        guard node.kind == .array else {
            throw JSONPatchError(operation: nil, reason: .malformed("a patch is an array of operations"))
        }
        operations = try node.elements.enumerated().map { position, element in
            func text(_ name: String) throws -> String {
                guard let text = element[name]?.string else {
                    throw JSONPatchError(operation: position, reason: .malformed("'\(name)' must be there, a string"))
                }
                return text
            }
            func value() throws -> DocumentNode {
                guard let value = element["value"] else {
                    throw JSONPatchError(operation: position, reason: .malformed("'value' must be there"))
                }
                return value
            }
            let name = try text("op")
            switch name {
            case "add": return .add(path: try text("path"), value: try value())
            case "remove": return .remove(path: try text("path"))
            case "replace": return .replace(path: try text("path"), value: try value())
            case "move": return .move(from: try text("from"), path: try text("path"))
            case "copy": return .copy(from: try text("from"), path: try text("path"))
            case "test": return .test(path: try text("path"), value: try value())
            default:
                throw JSONPatchError(
                    operation: position,
                    reason: .malformed("'\(name)' is no operation; one is add, remove, replace, move, copy or test"))
            }
        }
    }
}
