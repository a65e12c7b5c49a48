import DocumentModel
import Foundation

extension MigrationTrace {
    /// Returns the document in its newest version as an app would store it, in the format and layout of the original.
    /// Nil if that version was not reached. A document that is already current is returned byte for byte, unless it
    /// is JSON with extra commas, which are removed.
    ///
    ///     let trace = MigrationChain(preferences: "Clock", keys: keys).trace(data, source: "clock.plist")
    ///     try trace.resultData()?.write(to: url)
    ///
    /// Preferences have a result even if some keys fail: it contains the other keys migrated, and the failed keys as
    /// they were.
    ///
    /// - Warning: Check ``lost`` before you replace the old document.
    ///
    /// The result of migrating a JSON5 document is JSON, without comments.
    ///
    /// - Throws: An error if a value cannot be stored in a property list, or cannot be written as JSON in place of
    ///   JSON5.
    public func resultData() throws -> Data? {
        if outcome == .current, let asRead = document?.dataAsRead { return asRead }
        if let number = result?.numberBeyondJSON { throw NotJSONError(path: number.path, number: number.briefText) }
        return try result.map { try $0.data(like: document ?? $0) }
    }

    /// The ``dropped`` fields that ``result`` lacks too, and the fields with duplicate names of which ``result`` has
    /// only the last value. A closure that edits a payload keeps the fields that no type reads.
    public var lost: [DocumentPath] {
        let passedOver = warnings.compactMap { warning in
            if case .field(let path, .duplicateName(isLastRead: true, _, _)) = warning { path } else { nil }
        }
        // If a name is duplicated, the path doesn't show which of the values was dropped.
        guard let document, let result, !document.root.hasDuplicateNamesInside else {
            return dropped + passedOver.filter { !dropped.contains($0) }
        }
        return dropped.filter { path in
            // A path with `[*]` is lost unless the whole array is unchanged.
            let place = DocumentPath(Array(path.components.prefix { $0 != .everyElement }))
            guard let old = document.root.descendant(at: place), let new = result.root.descendant(at: place) else {
                return true
            }
            return !old.isEqual(to: new)
        }
    }
}

extension Document {
    /// Returns the bytes of the document in the format, layout, and encoding of `original`.
    ///
    /// - Throws: ``PropertyListWritingError`` if a value cannot be stored in a property list.
    package func data(like original: Document) throws -> Data {
        if let writer = PropertyListWriter(format: original.format) { return try writer.data(root) }
        var text = JSONWriter(layout: .matching(original)).data(root)
        let space = original.spaceBehindRoot
        if !space.isEmpty { text += space }
        return original.encoding.data(of: text, withByteOrderMark: original.hasByteOrderMark)
    }

    /// The bytes of the file. Nil for a document that was made in memory, and for JSON with extra commas. Text in UTF-8
    /// still has its byte order mark; text that was converted to UTF-8 does not.
    package var dataAsRead: Data? { leniencies.isEmpty ? textAsRead : nil }

    /// The bytes of the file, also of JSON with extra commas. Nil for a document that was made in memory.
    package var textAsRead: Data? {
        guard let source else { return nil }
        return encoding == .utf8 ? source.data : encoding.data(of: source.data, withByteOrderMark: hasByteOrderMark)
    }

    /// The whitespace after the outermost value, usually a newline.
    private var spaceBehindRoot: Data {
        guard let source, let end = root.sourceRange?.upperBound else { return Data() }
        let space = source.data(in: end..<source.count)
        return space.allSatisfy(\.isWhitespace) ? space : Data("\n".utf8)
    }

    /// The first number that JSON5 allows and JSON does not.
    fileprivate var numberBeyondJSON: DocumentNode? {
        guard format == .json5 else { return nil }
        return root.nodes.first { $0.numberText.map { $0.utf8.last?.isDigit == false } ?? false }
    }
}

/// A JSON5 value that cannot be written as JSON.
private struct NotJSONError: Error, CustomStringConvertible {
    let path: DocumentPath
    let number: String

    var description: String { "\(path): found the number \(number), which JSON does not have" }
}
