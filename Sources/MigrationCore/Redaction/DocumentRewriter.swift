import DocumentModel
import Foundation

/// Writes a document again, in its format and layout, with some of its values and names replaced, also those of
/// documents embedded in its values.
struct DocumentRewriter {
    /// Returns the replacement of a value or of the name of a member, or nil to keep it. It's called in reading order,
    /// with the path in the new document. The path of a name is that of the member.
    let replace: (_ value: Replacements.Value, _ path: DocumentPath, _ isName: Bool) -> Replacements.Value?
    /// Returns the replacement of the text between values in JSON5, which may be a comment.
    let replaceComment: (String) -> String

    /// Returns the bytes of the new document.
    ///
    /// - Parameter path: The path of the document, if it's embedded in another one.
    /// - Throws: ``PropertyListWritingError``; `DocumentParseError`.
    func data(of document: Document, at path: DocumentPath = .root) throws -> Data {
        // A document of JSON that was made in memory gets a text.
        let document =
            document.source == nil && !document.format.isPropertyList
            ? try Document(parsing: SourceBytes(document.data(like: document))) : document
        var changes = Changes()
        try collect(document.root, path, &changes)
        guard !document.format.isPropertyList, let source = document.source else {
            return try document.replacing(changes.values, names: changes.names).data(like: document)
        }
        var text = Data()
        var end = 0
        func copy(to next: Int) {
            let between = source.data(in: end..<next)
            text += document.comments == nil ? between : Data(comments(String(decoding: between, as: UTF8.self)).utf8)
        }
        for node in document.root.nodes where !node.kind.isContainer {
            guard let range = node.sourceRange else { continue }
            copy(to: range.lowerBound)
            let new = changes.names[node.id].map(Document.init(text:)) ?? changes.values[node.id] ?? nil
            text += new.map { JSONWriter().data($0.root) } ?? source.data(in: range)
            end = range.upperBound
        }
        copy(to: source.count)
        return document.encoding.data(
            of: text, withByteOrderMark: document.encoding != .utf8 && document.hasByteOrderMark)
    }

    private struct Changes {
        var values: [DocumentNode.ID: Document?] = [:]
        var names: [DocumentNode.ID: String] = [:]
    }

    private func collect(_ node: DocumentNode, _ path: DocumentPath, _ changes: inout Changes) throws {
        if node.kind.isContainer {
            var steps: [(component: DocumentPath.Component, value: DocumentNode)] = []
            node.forEachStep { steps.append(($0, $1)) }
            for (component, value) in steps {
                var component = component
                if let key = value.key, let name = key.string,
                    case .text(let new)? = replace(.text(ExactText(name)), path.appending(component), true)
                {
                    changes.names[key.id] = new.string
                    component = component.named(new.string)
                }
                try collect(value, path.appending(component), &changes)
            }
        } else if let held = node.held {
            let text = Array(try data(of: held.document, at: path))
            changes.values[node.id] = try held.holding(held.document, text: text)
        } else if let value = Replacements.Value(node), let new = replace(value, path, false) {
            changes.values[node.id] = new.document
        }
    }

    /// Returns the text between two values, with another text in place of each comment.
    private func comments(_ text: String) -> String {
        text.contains { $0.isLetter || $0.isNumber } ? replaceComment(text) : text
    }
}

extension Replacements {
    /// Returns copies of documents in which every value is replaced, equal values by equal ones in all of them.
    ///
    /// - Parameter redactsNames: Whether to replace the names of members too.
    /// - Throws: An error if a document cannot be written in its format.
    package func redactedCopies(of documents: [Document], redactsNames: Bool) throws -> [Document] {
        reserve(documents.flatMap { $0.root.nodes.filter { $0.kind == .key }.compactMap(Value.init) })
        let rewriter = DocumentRewriter { value, _, isName in
            isName && !redactsNames ? nil : self[value]
        } replaceComment: {
            self[$0]
        }
        return try documents.map { try Document(parsing: SourceBytes(rewriter.data(of: $0)), allowsJSON5: true) }
    }
}

extension DocumentPath.Component {
    /// The same step to a member with another name.
    fileprivate func named(_ name: String) -> Self {
        if case .laterKey(_, let occurrence) = self { .laterKey(name, occurrence: occurrence) } else { .key(name) }
    }
}
