import Foundation

/// A change to a document, as data: for an experiment, or for something that a person wants to try.
///
///     let stars = DocumentPath.root.appending(key: "stars")
///     let changed = try document.applying([.rename(stars, to: "rating")])
///
/// In JSON: `{"operation": "set", "path": "$.rating", "value": 3}`. The value of a renaming is the new name.
public enum DocumentEdit: Sendable, Equatable {
    /// Replaces the value at the path.
    case set(DocumentPath, Document)
    /// Renames the member at the path.
    case rename(DocumentPath, to: String)
    /// Removes the value at the path.
    case remove(DocumentPath)
    /// Adds a value at a path that leads to no value: as the last member of its object, or as an element before the one
    /// at that position or after the last one.
    case add(DocumentPath, Document)

    /// The path of the change.
    public var path: DocumentPath {
        switch self {
        case .set(let path, _), .rename(let path, _), .remove(let path), .add(let path, _): path
        }
    }
}

extension Document {
    /// Returns the document with changes applied in order.
    ///
    /// Unchanged values keep their spelling. A path may lead into an embedded document (JSON, JSON5 or a property list
    /// in a string, in data or in base64). Embedded text keeps its spaces and comments around the change;
    /// an embedded binary property list is written again. A changed document has no source, so its values have no source
    /// positions. In a property list, the objects that represent dates, data and non-finite numbers in JSON are
    /// converted to those values.
    ///
    /// - Throws: ``DocumentEditError`` for the first change that is not possible.
    public func applying(_ edits: [DocumentEdit]) throws(DocumentEditError) -> Document {
        var document = self
        for edit in edits { document = try document.applying(edit) }
        return document
    }

    private func applying(_ edit: DocumentEdit) throws(DocumentEditError) -> Document {
        let edit = try edit.direct(in: root)
        let changed = try edit.changedNode(in: root)
        var builder = DocumentBuilder()
        builder.append(root) { node, builder in
            if node.index == changed.index {
                edit.append(node, to: &builder)
            } else if node.inside(at: changed.index) == nil {
                builder.append(node)
            } else {
                return false
            }
            return true
        }
        let document = builder.finish(format: format)
        if document.isTooDeep { throw DocumentEditError(path: edit.path, problem: .tooDeep) }
        return document
    }
}

extension Document {
    /// Returns the document with many values changed at once, in time proportional to its size. Unchanged values keep
    /// their spelling. A changed document has no source.
    ///
    /// - Parameter changes: The replacement for each value; nil removes the value. Values inside a changed value are
    ///   ignored, and the root cannot be removed.
    /// - Parameter names: The replacement for each name of a member.
    package func replacing(
        _ changes: [DocumentNode.ID: Document?], names: [DocumentNode.ID: String] = [:]
    ) -> Document {
        let places = (Array(changes.keys) + names.keys).sorted()
        func append(_ node: DocumentNode, to builder: inout DocumentBuilder) {
            if let value = changes[node.id] ?? nil { return builder.append(wrapped: value.root, in: format) }
            let next = places.partitioningIndex { $0 >= node.id }
            guard next < places.count, places[next].index < node.endIndex else { return builder.append(node) }
            if node.kind == .object { builder.beginObject() } else { builder.beginArray() }
            for child in node.children where changes[child.value.id] != .some(nil) {
                if let key = child.key {
                    if let name = names[key.id] { builder.key(name) } else { builder.append(key) }
                }
                append(child.value, to: &builder)
            }
            if node.isIdentifier { builder.endDictionary() } else { builder.end() }
        }
        var builder = DocumentBuilder()
        append(root, to: &builder)
        return builder.finish(format: format)
    }
}

extension DocumentEdit {
    /// Checks that the change can be applied to a document, without applying it.
    ///
    /// - Throws: ``DocumentEditError``.
    package func check(in document: Document) throws(DocumentEditError) {
        let placed = moved(to: document.root.withPositions(path))
        if try placed.ofHeldDocument(in: document.root) == nil { _ = try placed.changedNode(in: document.root) }
    }

    /// Returns the equivalent change whose path leads to a value of the document itself: with positions for elements,
    /// and if the path leads into an embedded document, the change of the value that contains it.
    func direct(in root: DocumentNode) throws(DocumentEditError) -> DocumentEdit {
        let placed = moved(to: root.withPositions(path))
        return try placed.ofHeldDocument(in: root) ?? placed
    }

    /// Returns the equivalent change of the value that contains an embedded document, if the path leads into one, or
    /// nil otherwise.
    private func ofHeldDocument(in root: DocumentNode) throws(DocumentEditError) -> DocumentEdit? {
        let isSet = if case .set = self { true } else { false }
        guard let place = isSet ? path : path.parent else { return nil }
        let (found, rest) = root.deepestDescendant(along: place)
        guard !isSet || !rest.isEmpty, let held = found.held else { return nil }
        let outer = Array(place.components.dropLast(rest.count))
        do throws(DocumentEditError) {
            let given = moved(to: DocumentPath(Array(path.components.dropFirst(outer.count))))
            let inner = try given.ofHeldDocument(in: held.document.root) ?? given
            let changed = try held.document.applying([inner])
            guard let value = try? held.holding(changed, text: inner.spliced(into: held.document)) else {
                throw DocumentEditError(path: given.path, problem: .notInPropertyList)
            }
            return .set(DocumentPath(outer), value)
        } catch {
            throw DocumentEditError(
                path: DocumentPath(outer + error.path.components), problem: error.problem)
        }
    }

    /// Returns the same change at another path.
    package func moved(to path: DocumentPath) -> DocumentEdit {
        switch self {
        case .set(_, let value): .set(path, value)
        case .rename(_, let name): .rename(path, to: name)
        case .remove: .remove(path)
        case .add(_, let value): .add(path, value)
        }
    }

    /// Returns the node that has to be written again: the value to set, or else the container.
    func changedNode(in root: DocumentNode) throws(DocumentEditError) -> DocumentNode {
        func fail(_ problem: DocumentEditError.Problem) -> DocumentEditError {
            DocumentEditError(path: path, problem: problem)
        }
        let (found, rest) = root.deepestDescendant(along: path)
        if case .set = self {
            guard rest.isEmpty else { throw fail(.missing) }
            return found
        }
        guard let last = path.components.last, let parent = path.parent, let container = root.descendant(at: parent)
        else { throw fail(path.isRoot ? .isRoot : .missing) }
        switch self {
        case .add:
            switch last {
            case .key where container.kind == .object, .index(0...container.count) where container.kind == .array: break
            default: throw fail(.missing)
            }
            if rest.isEmpty, container.kind == .object { throw fail(.exists) }
        case .rename(_, let name):
            guard rest.isEmpty, container.kind == .object else { throw fail(.missing) }
            if container[name] != nil { throw DocumentEditError(path: parent.appending(key: name), problem: .exists) }
        case .remove, .set: if !rest.isEmpty { throw fail(.missing) }
        }
        return container
    }

    /// Appends the node with the change applied. If several members have the same name, all of them are removed or
    /// renamed, because otherwise another one would become the first; a path can name one of them to change only that.
    /// Setting a value changes a single member, but decoders of property lists read the last one.
    fileprivate func append(_ node: DocumentNode, to builder: inout DocumentBuilder) {
        if case .set(_, let value) = self { return builder.append(wrapped: value.root, in: node.document.format) }
        if node.kind == .object { builder.beginObject() } else { builder.beginArray() }
        let isMeant = meaning(in: node)
        var isAdded = false
        for child in node.children {
            switch self {
            case .remove where isMeant(child): continue
            case .rename(_, let name) where isMeant(child): builder.key(name)
            case .add(_, let value) where isMeant(child):
                builder.append(wrapped: value.root, in: node.document.format)
                isAdded = true
            default: if let key = child.key { builder.append(key) }
            }
            builder.append(child.value)
        }
        if case .add(_, let value) = self, !isAdded {
            if let name = path.lastKey { builder.key(name) }
            builder.append(wrapped: value.root, in: node.document.format)
        }
        if node.isIdentifier { builder.endDictionary() } else { builder.end() }
    }

    /// Returns a function that returns whether the change concerns a child of the container `node`.
    func meaning(in node: DocumentNode) -> (DocumentNode.Child) -> Bool {
        guard let last = path.components.last else { return { _ in false } }
        guard case .laterKey = last else { return { $0.component == last } }
        let meant = node.child(at: last)?.id
        return { $0.value.id == meant }
    }
}

extension Document {
    /// Creates a document that consists of a string.
    package init(text: String) {
        var builder = DocumentBuilder()
        builder.string(text)
        self = builder.finish()
    }
}

extension DocumentBuilder {
    /// Appends a value that was written as JSON to a document of that format.
    mutating func append(wrapped value: DocumentNode, in format: DocumentFormat) {
        guard format.isPropertyList else { return append(value, asPropertyList: false) }
        append(value) { node, builder in
            let member = node.firstChild
            guard let name = member?.key?.string, member?.next == nil, let text = member?.value.string else {
                guard node.isNull else { return false }
                builder.string(PropertyListNull.string)
                return true
            }
            if name == "$date", let date = PropertyListDate.date(text.utf8) {
                builder.date(date)
            } else if name == "$data", let data = Data(base64Encoded: text) {
                builder.data(data)
            } else if name == "$real", ["nan", "inf", "-inf"].contains(text) {
                builder.number(text)
            } else {
                return false
            }
            return true
        }
    }
}

/// An error that says why a change to a document is not possible.
public struct DocumentEditError: Error, Sendable, Codable, Hashable {
    /// The kind of problem.
    public enum Problem: String, Sendable, Codable {
        /// The path leads to no value or, for an addition, to no object or array.
        case missing
        /// There is already a value with that name.
        case exists
        /// The root can only be set.
        case isRoot
        /// The document would be nested too deeply to be read.
        case tooDeep
        /// The value is in an embedded property list, which cannot contain it.
        case notInPropertyList
    }

    /// The path of the change.
    public var path: DocumentPath
    /// The kind of problem.
    public var problem: Problem
}

// MARK: - JSON

extension DocumentEdit: Codable {
    private enum CodingKeys: String, CodingKey { case operation, path, value }
    private enum Operation: String, Codable { case set, rename, remove, add }

    /// Reads a change.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let path = try container.decode(DocumentPath.self, forKey: .path)
        switch try container.decode(Operation.self, forKey: .operation) {
        case .set: self = .set(path, try container.decode(Document.self, forKey: .value))
        case .rename: self = .rename(path, to: try container.decode(String.self, forKey: .value))
        case .remove: self = .remove(path)
        case .add: self = .add(path, try container.decode(Document.self, forKey: .value))
        }
    }

    /// Writes the change.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let operation: Operation
        switch self {
        case .set(_, let value):
            operation = .set
            try container.encode(value, forKey: .value)
        case .rename(_, let name):
            operation = .rename
            try container.encode(name, forKey: .value)
        case .remove: operation = .remove
        case .add(_, let value):
            operation = .add
            try container.encode(value, forKey: .value)
        }
        try container.encode(operation, forKey: .operation)
        try container.encode(path, forKey: .path)
    }
}
