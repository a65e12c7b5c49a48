import Foundation

/// The state that all decoders and containers of one decoding share.
final class DecodingSession {
    let document: Document
    /// The reader of all values.
    let reader: NodeReader
    private let settings: SharedSettings<DecodingStrategies>
    let companion: (any DecodingCompanion)?
    let record: ReadRecord?
    let hasDefaultKeys: Bool
    /// Whether the decoder threw any errors, even if the decoded type caught them.
    private(set) var hasThrown = false

    var strategies: DecodingStrategies { settings.value }
    var view: TapeView { reader.view }
    var isPropertyList: Bool { reader.isPropertyList }

    /// The thread that began the decoding. Decoders and containers cache results only on this thread. A type may decode
    /// parts of its value on other threads, where everything is looked up again.
    private let thread = pthread_self()

    /// Whether the current thread is the one that began the decoding.
    @inline(__always)
    var isOnOwnThread: Bool { pthread_equal(thread, pthread_self()) != 0 }

    /// - Parameter isWatched: Whether to report the position to the process that watches this one, if there is one.
    init(
        _ document: Document, _ settings: SharedSettings<DecodingStrategies>,
        companion: (any DecodingCompanion)?, record: ReadRecord?, isWatched: Bool = true
    ) {
        self.document = document
        reader = NodeReader(document, recording: record, isWatched: isWatched)
        self.settings = settings
        self.companion = companion
        self.record = record
        hasDefaultKeys = settings.value.hasDefaultKeys || reader.isPropertyList
    }

    /// The `userInfo` of decoders.
    var userInfo: [CodingUserInfoKey: Any] {
        var all: [CodingUserInfoKey: Any] = strategies.userInfo
        if let companion, let key = type(of: companion).key { all[key] = companion }
        return all
    }

    /// Returns the node at `index`.
    func node(_ index: Int) -> DocumentNode { DocumentNode(document: document, index: index) }

    /// Records an error of the decoder itself, which is then thrown.
    func note(_ detail: DecodingErrorDetail) {
        hasThrown = true
        record?.note(detail)
    }

    /// Returns the context for an error of the decoder itself, and records the error.
    func context(
        _ path: [any CodingKey], _ description: String, _ problem: DecodingErrorDetail.Problem
    ) -> DecodingError.Context {
        note(DecodingErrorDetail(codingPath: path, problem: problem, description: description))
        return .init(codingPath: path, debugDescription: description)
    }

    /// Returns whether there is no value, or a null. Property lists have no null; Foundation writes a string instead.
    func isNull(_ index: Int?) -> Bool {
        guard let index else { return true }
        let kind = view[index].kind
        return kind == .null || kind == .string && isPropertyList && isPropertyListNull(index)
    }

    private func isPropertyListNull(_ index: Int) -> Bool {
        PropertyListNull.utf8.withUnsafeBytes(node(index).hasText)
    }

    /// Returns the conversion from names in the object at `place` to the names that types use, or nil if they are the
    /// same.
    func keyConversion(at place: CodingPlace) -> ((String) -> String)? {
        guard !hasDefaultKeys else { return nil }
        switch strategies.keys {
        case .useDefaultKeys: return nil
        case .convertFromSnakeCase: return SnakeCase.toCamelCase
        case .custom(let convert):
            let keys = place.keys
            return { convert(keys + [PathCodingKey($0)]).stringValue }
        @unknown default: return nil
        }
    }
}

// MARK: - Scalars

/// The scalars for which the rules of JSON and property lists differ. `path` is evaluated only for errors.
extension DecodingSession {
    func boolean(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> Bool {
        if let index, let value = reader.boolean(at: index) { return value }
        // If a null is found for a Bool, JSONDecoder reports a wrong type; for all other scalar types, it reports a
        // missing value.
        if isPropertyList { try requireValue(Bool.self, at: index, path: path()) }
        throw typeMismatch(Bool.self, at: index, path: path())
    }

    func string(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> String {
        if let index, let value = reader.string(at: index) ?? (isNull(index) ? nil : node(index).string) {
            return value
        }
        try requireValue(String.self, at: index, path: path())
        throw typeMismatch(String.self, at: index, path: path())
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        if let index, let value = reader.integer(type, at: index) { return value }
        if T.bitWidth > 64, isPropertyList {
            throw DecodingError.typeMismatch(
                type, context(path(), "Decoder has not implemented support for \(type)", .mismatch(type)))
        }
        return try anyInteger(type, at: index, path: path())
    }

    @inline(never)
    private func anyInteger<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        try requireValue(type, at: index, path: path())
        guard let index, view[index].kind == .number else { throw typeMismatch(type, at: index, path: path()) }
        return isPropertyList
            ? try propertyListInteger(type, at: index, path: path()) : try jsonInteger(type, at: index, path: path())
    }

    func double(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> Double {
        if let index, let value = reader.double(at: index) { return value }
        return try real(Double.self, at: index, path: path())
    }

    func real<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        try requireValue(type, at: index, path: path())
        if let index, view[index].kind == .number {
            return isPropertyList
                ? try propertyListReal(type, at: index, path: path()) : try jsonReal(type, at: index, path: path())
        }
        if !isPropertyList, let index, let value = nonConformingReal(type, at: index) { return value }
        throw typeMismatch(type, at: index, path: path())
    }

    // MARK: - Errors

    /// - Throws: `DecodingError.valueNotFound` if there is no value, or a null.
    func requireValue(_ type: Any.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]) throws {
        guard isNull(index) else { return }
        let what = isPropertyList ? "value of \(type)" : "value of type \(type)"
        throw missing(type, "Cannot get \(what) -- found null value instead", path: path())
    }

    func missing(_ type: Any.Type, _ description: String, path: [any CodingKey]) -> DecodingError {
        .valueNotFound(type, context(path, description, .missingValue(type)))
    }

    func typeMismatch(_ type: Any.Type, at index: Int?, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            context(
                path, "Expected to decode \(type) but found \(kindDescription(at: index)) instead.", .mismatch(type)))
    }

    /// Returns a description of the value at `index` in the wording of Foundation's decoders.
    private func kindDescription(at index: Int?) -> String {
        guard let index else { return isPropertyList ? "a null value" : "null" }
        let node = view[index]
        switch node.kind {
        case .object: return "a dictionary"
        case .array: return "an array"
        case .string, .key: return "a string"
        case .number where isPropertyList: return node.flags.contains(.integer) ? "an integer" : "a real number"
        case .number: return "number"
        case .boolean: return isPropertyList ? "a boolean" : "bool"
        case .null: return isPropertyList ? "a null value" : "null"
        case .date: return "a date"
        case .data: return "a data value"
        }
    }
}

/// The position of the decoder, for a process that watches the decoding in another one.
package enum DecodingPlace {
    /// The memory in which decoders store the index of the current node, or nil if no process watches.
    ///
    /// It is set once, before anything is decoded, and only in a process that decodes on one thread.
    package nonisolated(unsafe) static var current: UnsafeMutablePointer<Int64>?
}
