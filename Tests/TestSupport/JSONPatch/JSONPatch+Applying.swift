import DocumentModel

extension JSONPatch {
    /// Returns the document that results from applying the operations to `node`.
    ///
    /// Either all operations apply or none does; `node` never changes. If several members have the same name, the first
    /// one counts. After an operation on such a name, at most one member has it.
    ///
    /// - Throws: ``JSONPatchError`` with the first operation that doesn't apply.
    public func applied(to node: DocumentNode) throws -> Document {
        var target = PatchTarget(node)
        for (position, operation) in operations.enumerated() {
            do {
                try target.apply(operation)
            } catch let reason as JSONPatchError.Reason {
                throw JSONPatchError(operation: position, reason: reason)
            }
        }
        return target.document(format: node.document.format)
    }

    /// Reads a patch: an array of objects with `op`, `path` and the other members that the operation needs. Unknown
    /// members are ignored, as RFC 6902 requires.
    ///
    /// - Throws: ``JSONPatchError`` with the first invalid operation.
    public init(_ node: DocumentNode) throws {
        guard node.kind == .array else {
            throw JSONPatchError(operation: nil, reason: .malformed("a patch is an array of operations"))
        }
        self.init()
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

extension JSONPatchError.Reason: Error {}

/// A document while a patch is applied to it.
private struct PatchTarget {
    private var root: PatchValue

    init(_ node: DocumentNode) { root = PatchValue(node) }

    func document(format: DocumentFormat) -> Document {
        var builder = DocumentBuilder()
        root.append(to: &builder)
        return builder.finish(format: format)
    }

    mutating func apply(_ operation: JSONPatch.Operation) throws {
        switch operation {
        case .add(let path, let value): try add(PatchValue(value), at: path)
        case .remove(let path): _ = try remove(at: path)
        case .replace(let path, let value):
            guard let (container, token) = try container(of: path) else {
                root = PatchValue(value)
                return
            }
            try container.replace(token, with: PatchValue(value), path: path)
        case .move(let from, let path):
            guard !path.utf8.starts(with: (from + "/").utf8) else {
                throw JSONPatchError.Reason.movesIntoItself(from: from, to: path)
            }
            if from.utf8.elementsEqual(path.utf8) {
                _ = try value(at: from)
            } else {
                try add(try remove(at: from), at: path)
            }
        case .copy(let from, let path): try add(try value(at: from).copy(), at: path)
        case .test(let path, let expected):
            var builder = DocumentBuilder()
            try value(at: path).append(to: &builder)
            guard builder.finish().root.isEqual(to: expected) else { throw JSONPatchError.Reason.testFailed(path) }
        }
    }

    private mutating func add(_ value: PatchValue, at path: String) throws {
        guard let (container, token) = try container(of: path) else {
            root = value
            return
        }
        try container.add(value, token, path: path)
    }

    private func remove(at path: String) throws -> PatchValue {
        guard let (container, token) = try container(of: path) else { throw JSONPatchError.Reason.removesDocument }
        return try container.remove(token, path: path)
    }

    private func value(at path: String) throws -> PatchValue {
        guard let (container, token) = try container(of: path) else { return root }
        return try container.child(token, path: path)
    }

    /// Returns the container that `path` leads into and the last token, or `nil` for the path of the whole document.
    private func container(of path: String) throws -> (PatchValue, token: String)? {
        guard let tokens = Self.tokens(of: path) else { throw JSONPatchError.Reason.notAPointer(path) }
        guard let last = tokens.last else { return nil }
        return (try tokens.dropLast().reduce(root) { try $0.child($1, path: path) }, last)
    }

    /// Returns the tokens of a JSON Pointer, or `nil` if it is invalid (RFC 6901, sections 3 and 4).
    private static func tokens(of pointer: String) -> [String]? {
        guard !pointer.isEmpty else { return [] }
        guard pointer.unicodeScalars.first == "/" else { return nil }
        var tokens: [String] = []
        for token in pointer.unicodeScalars.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let name = DocumentPath.unescaped(pointerToken: token) else { return nil }
            tokens.append(name)
        }
        return tokens
    }
}
