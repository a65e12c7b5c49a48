import Foundation

/// Decodes a document like JSONDecoder, but several times as fast, as long as nothing goes wrong: the text is parsed
/// once, and every value is created from the tape.
///
/// All errors must come from JSONDecoder itself. So there is no result, and the caller has to use JSONDecoder, if this
/// decoder threw anything, even if the decoded type caught it; if the text isn't plain JSON in UTF-8 with an object or
/// an array at its root; or if the decoder is of a subclass or has settings that are unknown here.
///
/// JSONDecoder is also used if the decoder has anything in its `userInfo`, because types may change objects there, such
/// as a context that they insert objects into, and would do so twice. It is also used for deeply nested documents,
/// because the stack frames of this decoder are larger than JSONDecoder's, and for all documents in debug builds, where
/// the frames are several times as large.
///
/// A type may decode another document during its decoding, such as JSON in a string. If that attempt fails, so does the
/// outer one, and JSONDecoder decodes both. So no initializer runs more than twice, no matter how deeply they are
/// nested. This applies to everything that an initializer does on its own thread until it returns. Work that it starts
/// elsewhere, such as in a `Task`, is a separate decoding.
package struct FastJSONDecoding {
    package let document: Document
    private let strategies: DecodingStrategies

    /// Parses the document, or returns nil if JSONDecoder has to be used.
    package init?(_ data: Data, as decoder: JSONDecoder) {
        guard Self.isEnabled, let document = try? Document(parsing: SourceBytes(data)) else { return nil }
        self.init(document, as: decoder)
    }

    /// Uses a document that is parsed already, or returns nil if JSONDecoder has to be used.
    package init?(_ document: Document, as decoder: JSONDecoder) {
        guard Self.isEnabled, !Self.isLeftToJSONDecoder, type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5,
            !decoder.assumesTopLevelDictionary, decoder.userInfo.isEmpty
        else { return nil }
        strategies = DecodingStrategies(matching: decoder)
        guard strategies.areKnown, document.format == .json, document.encoding == .utf8, document.leniencies.isEmpty,
            document.root.kind.isContainer, document.root.depth <= Self.deepestNesting
        else { return nil }
        self.document = document
    }

    /// Returns the value of the document, or nil if JSONDecoder has to be used.
    package func value<Value: Decodable>(_ type: Value.Type) -> Value? {
        let session = DecodingSession(
            document, SharedSettings(strategies), companion: nil, record: nil, isWatched: false)
        let attempt = Outer(isLast: false)
        let value = attempt.run {
            try? NodeDecoder(session: session, index: document.root.index, place: CodingPlace(nil))
                .value(type, at: document.root.index, CodingPlace(nil))
        }
        return session.hasThrown || attempt.isAbandoned ? nil : value
    }

    // MARK: - Nested decodings

    /// A decoding that others may be nested in, on the thread that began it and until it ends there.
    ///
    /// A task that an initializer starts inherits the task-local values, and may run on another thread in the meantime,
    /// or later on the same one. Such a task doesn't count as nested.
    private final class Outer: Sendable {
        /// Whether this is the decoding by JSONDecoder after an attempt. An attempt fails together with those nested in
        /// it.
        let isLast: Bool
        private let thread = ThreadIdentity()
        private let state = Locked((isAbandoned: false, isOver: false))

        init(isLast: Bool) { self.isLast = isLast }

        var isAbandoned: Bool { state.withLock(\.isAbandoned) }

        func abandon() { state.withLock { $0.isAbandoned = true } }

        /// Runs `body` inside this decoding.
        func run<Value>(_ body: () throws -> Value) rethrows -> Value {
            defer { state.withLock { $0.isOver = true } }
            return try FastJSONDecoding.$inherited.withValue(self, operation: body)
        }

        /// Whether this is the decoding's thread, and the decoding hasn't ended.
        var isHere: Bool { thread.isCurrent && !state.withLock(\.isOver) }
    }

    @TaskLocal private static var inherited: Outer?

    private static var outer: Outer? { inherited.flatMap { $0.isHere ? $0 : nil } }

    private static var isLeftToJSONDecoder: Bool { outer?.isLast == true }

    /// Runs a decoding by JSONDecoder.
    ///
    /// - Throws: Any error that `body` throws; `Abandoned` inside an attempt, which then fails.
    package static func asking<Value>(_ body: () throws -> Value) throws -> Value {
        if let outer, !outer.isLast {
            outer.abandon()
            throw Abandoned()
        }
        return try Outer(isLast: true).run(body)
    }

    private struct Abandoned: Error {}

    // MARK: - Documents that are always left to JSONDecoder

    /// The maximum depth of nested values. JSONDecoder's stack frames are smaller: on a stack of 512 KB, which the
    /// threads of an app have, it can read all levels that it allows.
    private static let deepestNesting = 64

    /// Whether attempts are made at all; in a debug build only for tests.
    #if DEBUG
        @TaskLocal package static var isEnabled = false
    #else
        @TaskLocal package static var isEnabled = true
    #endif
}

extension DecodingStrategies {
    /// Whether all strategies are known here; a newer version of Foundation may have more.
    fileprivate var areKnown: Bool {
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: break
        #if canImport(Darwin)
            case .formatted: break
        #endif
        @unknown default: return false
        }
        switch data {
        case .deferredToData, .base64, .custom: break
        @unknown default: return false
        }
        switch keys {
        case .useDefaultKeys, .convertFromSnakeCase, .custom: break
        @unknown default: return false
        }
        switch nonConformingFloats {
        case .throw, .convertFromString: return true
        @unknown default: return false
        }
    }
}

/// The identity of a thread, valid while the thread runs.
private struct ThreadIdentity: @unchecked Sendable {
    /// The identity is only compared, and never used to access the thread.
    private let thread = pthread_self()

    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
