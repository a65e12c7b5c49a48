import DocumentModel
import Foundation

extension MigrationTrace {
    /// The document in its newest version as an app would store it, in the format and the layout of the one that was
    /// read; nil when that version was not reached. A document that is current already is the bytes that were read,
    /// unless they are no JSON by its grammar.
    ///
    ///     let trace = MigrationChain(preferences: "Clock", keys: keys).trace(data, source: "clock.plist")
    ///     try trace.resultData()?.write(to: url)
    ///
    /// Of preferences some keys of which fail there is a result too: it has the others migrated, and those as they
    /// were.
    ///
    /// - Warning: Look at ``lost`` before you put it in the place of the old document.
    ///
    /// Of JSON5 it is JSON, without comments.
    ///
    /// - Throws: An error for a value that a property list cannot hold, or JSON in place of JSON5.
    public func resultData() throws -> Data? {
        if outcome == .current, let asRead = document?.dataAsRead { return asRead }
        if let number = result?.numberBeyondJSON { throw NotJSONError(path: number.path, number: number.briefText) }
        return try result.map { try $0.data(like: document ?? $0) }
    }

    /// Those of the ``dropped`` fields that ``result`` does not have either, and those of whose values under one name it has
    /// only the last. Closures that edit a payload keep in it what no type reads.
    public var lost: [DocumentPath] {
        let passedOver = warnings.compactMap { warning in
            if case .field(let path, .duplicateName(isLastRead: true, _, _)) = warning { path } else { nil }
        }
        // Of two values under one name the path does not say which was dropped.
        guard let document, let result, document.textWarnings().isEmpty else {
            return dropped + passedOver.filter { !dropped.contains($0) }
        }
        return dropped.filter { path in
            // Of elements it takes all that are there.
            let place = DocumentPath(Array(path.components.prefix { $0 != .everyElement }))
            guard let old = document.root.descendant(at: place), let new = result.root.descendant(at: place) else {
                return true
            }
            return !old.isEqual(to: new)
        }
    }
}

extension Document {
    /// The bytes of the document in the format, the layout and the encoding of `original`.
    ///
    /// - Throws: ``PropertyListWritingError`` for a value that a property list cannot hold.
    package func data(like original: Document) throws -> Data {
        if let writer = PropertyListWriter(format: original.format) { return try writer.data(root) }
        var text = JSONWriter(layout: .matching(original)).data(root)
        let space = original.spaceBehindRoot
        if !space.isEmpty { text += space }
        return original.encoding.data(of: text, withByteOrderMark: original.hasByteOrderMark)
    }

    /// The bytes of the file; nil for a document that was made, and for a text that is no JSON by its grammar. A text
    /// in UTF-8 still has its byte order mark, one that was made UTF-8 has not.
    fileprivate var dataAsRead: Data? {
        guard let source, leniencies.isEmpty, format != .json5 else { return nil }
        return encoding == .utf8 ? source.data : encoding.data(of: source.data, withByteOrderMark: hasByteOrderMark)
    }

    /// What stands behind the outermost value, a line end as a rule.
    private var spaceBehindRoot: Data {
        guard let source, let end = root.sourceRange?.upperBound else { return Data() }
        let space = source.data(in: end..<source.count)
        return space.allSatisfy(\.isWhitespace) ? space : Data("\n".utf8)
    }

    /// A number of JSON5 that JSON has not.
    fileprivate var numberBeyondJSON: DocumentNode? {
        guard format == .json5 else { return nil }
        return root.nodes.first { $0.numberText.map { $0.utf8.last?.isDigit == false } ?? false }
    }
}

/// A value of JSON5 that cannot be written as JSON.
private struct NotJSONError: Error, CustomStringConvertible {
    let path: DocumentPath
    let number: String

    var description: String { "\(path): found the number \(number), which JSON does not have" }
}
