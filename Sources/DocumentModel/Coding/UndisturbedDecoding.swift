import Foundation

/// Does what a JSONDecoder does to a document as long as nothing goes wrong, several times as fast: the text is parsed
/// once, and every value is made from the tape.
///
/// Whatever JSONDecoder has to say of a document it shall say itself. So there is no value, and JSONDecoder is to be
/// asked, where this decoder threw anything, even if the decoded type caught it; where the text is not plain JSON in
/// UTF-8 with an object or an array at its root; and where the decoder is of a subclass, or is set to what is not known
/// here. A type that nearly always comes to that is mostly left to JSONDecoder at once.
///
/// So is a document whose decoder has anything in its `userInfo`: types find there what they change, a context that they
/// insert objects into say, and would do that twice. So is one that is nested deeply, because the frames of this decoder
/// are larger than JSONDecoder's, and so are all documents in debug builds, in which they are several times as large.
///
/// A type may decode another document on its way, JSON in a string say. Where that comes to nothing the whole does, and
/// JSONDecoder decodes both: no initializer runs more than twice, however deep they lie in one another. That holds for
/// what an initializer does on its own thread until it returns. What it begins elsewhere, in a `Task` say, is a decoding
/// of its own.
package struct UndisturbedDecoding {
    private let root: DocumentNode
    private let strategies: DecodingStrategies

    /// Parses the document; nil where JSONDecoder is to be asked.
    package init?(_ data: Data, as decoder: JSONDecoder) {
        guard Self.isMade || Self.triesAlways, !Self.isLeftToJSONDecoder, type(of: decoder) == JSONDecoder.self,
            !decoder.allowsJSON5,
            !decoder.assumesTopLevelDictionary, decoder.userInfo.isEmpty
        else { return nil }
        strategies = DecodingStrategies(matching: decoder)
        guard strategies.areKnown, let document = try? Document(parsing: SourceBytes(data)), document.format == .json,
            document.encoding == .utf8, document.leniencies.isEmpty, document.root.kind.isContainer,
            document.root.depth <= Self.deepestNesting
        else { return nil }
        root = document.root
    }

    /// The value of the document; nil where JSONDecoder is to be asked.
    package func value<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard Self.triesAlways || Self.luck.isWorthTrying(type) else { return nil }
        let session = DecodingSession(
            root.document, SharedSettings(strategies), companion: nil, record: nil, isWatched: false)
        defer { session.end() }
        let attempt = Outer(isLast: false)
        let value = attempt.run {
            try? NodeDecoder(session: session, index: root.index, place: CodingPlace(nil))
                .value(type, at: root.index, CodingPlace(nil))
        }
        let isUndisturbed = value != nil && !session.hasThrown && !attempt.isAbandoned
        Self.luck.note(type, isGood: isUndisturbed)
        return isUndisturbed ? value : nil
    }

    // MARK: - One in another

    /// What a decoding runs in, on the thread that began it and until it ends there.
    ///
    /// A task that an initializer begins inherits what is local to the task that it runs in, and may run on another thread
    /// meanwhile, or on the same one later. For a task this is nothing.
    private final class Outer: Sendable {
        /// Whether it is one by JSONDecoder, after an attempt. An attempt comes to nothing with what runs in it.
        let isLast: Bool
        private let thread = ThreadIdentity()
        private let state = Locked((isAbandoned: false, isOver: false))

        init(isLast: Bool) { self.isLast = isLast }

        var isAbandoned: Bool { state.withLock(\.isAbandoned) }

        func abandon() { state.withLock { $0.isAbandoned = true } }

        /// Runs `body` in this.
        func run<Value>(_ body: () throws -> Value) rethrows -> Value {
            defer { state.withLock { $0.isOver = true } }
            return try UndisturbedDecoding.$inherited.withValue(self, operation: body)
        }

        /// Whether this is its thread, and it has not ended.
        var isHere: Bool { thread.isCurrent && !state.withLock(\.isOver) }
    }

    @TaskLocal private static var inherited: Outer?

    private static var outer: Outer? { inherited.flatMap { $0.isHere ? $0 : nil } }

    private static var isLeftToJSONDecoder: Bool { outer?.isLast == true }

    /// Has JSONDecoder decode.
    ///
    /// - Throws: What `body` throws; `Abandoned` inside an attempt, which comes to nothing then.
    package static func asking<Value>(_ body: () throws -> Value) throws -> Value {
        if let outer, !outer.isLast {
            outer.abandon()
            throw Abandoned()
        }
        return try Outer(isLast: true).run(body)
    }

    private struct Abandoned: Error {}

    // MARK: - What is left to JSONDecoder in any case

    /// How deeply values may be nested. JSONDecoder's frames are smaller: on a stack of 512 KB, which threads of an app
    /// have, it reads all levels that it allows.
    private static let deepestNesting = 64

    /// Whether attempts are made at all; in a debug build only for tests.
    #if DEBUG
        @TaskLocal package static var isMade = false
    #else
        @TaskLocal package static var isMade = true
    #endif

    // MARK: - Luck

    private static let luck = Luck()

    /// Whether no type is left to JSONDecoder for its failures, nor in a debug build: for tests.
    @TaskLocal package static var triesAlways = false

    /// Which types are worth an attempt.
    private final class Luck: Sendable {
        private struct Attempts {
            /// How many came to nothing since the last that did not.
            var failures = 0
            /// How many documents are left to JSONDecoder before the next.
            var rest = 0
        }

        private let attempts = Locked<[ObjectIdentifier: Attempts]>([:])

        /// After so many failures in a row some documents are left out.
        private static let mostFailures = 4
        /// How many at most.
        private static let longestRest = 64

        func isWorthTrying(_ type: Any.Type) -> Bool {
            attempts.withLock { attempts in
                guard let known = attempts[ObjectIdentifier(type)], known.rest > 0 else { return true }
                attempts[ObjectIdentifier(type)]?.rest -= 1
                return false
            }
        }

        func note(_ type: Any.Type, isGood: Bool) {
            attempts.withLock { attempts in
                if isGood {
                    if attempts[ObjectIdentifier(type)] != nil { attempts[ObjectIdentifier(type)] = nil }
                    return
                }
                var known = attempts[ObjectIdentifier(type)] ?? Attempts()
                known.failures += 1
                if known.failures >= Self.mostFailures {
                    known.rest = min(Self.longestRest, 1 << min(known.failures - Self.mostFailures, 6))
                }
                attempts[ObjectIdentifier(type)] = known
            }
        }
    }
}

extension DecodingStrategies {
    /// Whether all of them are strategies that are known here: another version of Foundation may have more.
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

/// A thread, to be told from others while it runs.
private struct ThreadIdentity: @unchecked Sendable {
    /// The identity is compared and never used to reach the thread.
    private let thread = pthread_self()

    var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }
}
