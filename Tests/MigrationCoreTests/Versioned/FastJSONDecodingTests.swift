import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

/// Compares `decode(versioned:)` of a JSONDecoder with the same decoding by the decoder itself.
@Suite("Fast decoding of JSON")
struct FastJSONDecodingTests {
    // MARK: - Results of JSONDecoder

    /// The result of decoding a document.
    private enum Outcome: Equatable {
        case value(String)
        case error(String)

        init(_ body: () throws -> some Encodable) {
            do {
                let value = try body()
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                encoder.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
                self = .value(try String(decoding: encoder.encode(value), as: UTF8.self))
            } catch {
                self = .error(Self.words(error))
            }
        }

        /// Returns everything that a type can see of an error.
        static func words(_ error: any Error) -> String {
            guard let error = error as? DecodingError else { return "\(type(of: error)) \(error)" }
            switch error {
            case .keyNotFound(let key, let context): return "no \(key.stringValue) \(words(context))"
            case .typeMismatch(let type, let context): return "no \(type) \(words(context))"
            case .valueNotFound(let type, let context): return "null for \(type) \(words(context))"
            case .dataCorrupted(let context): return "corrupted \(words(context))"
            @unknown default: return "\(error)"
            }
        }

        private static func words(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }
            return "\(path) \(context.debugDescription) \(context.underlyingError.map { "\(type(of: $0))" } ?? "")"
        }
    }

    private func expectAsAlone<Value: VersionedCodable>(
        _ type: Value.Type, _ data: Data, by decoder: JSONDecoder = JSONDecoder(), _ comment: Comment? = nil
    ) {
        let ours = FastJSONDecoding.$isEnabled.withValue(true) {
            Outcome { try decoder.decode(versioned: type, from: data) }
        }
        let alone = Outcome { try Value.decodeTransparently(from: data) { try decoder.decode($0, from: $1) } as Value }
        let text = String(decoding: data, as: UTF8.self)
        #expect(ours == alone, comment ?? "\(text)")
    }

    // MARK: - Types

    /// Reads what it can, and keeps the decoder's error for what it cannot.
    struct Tolerant: Codable {
        var read: String

        init(_ read: String) { self.read = read }

        init(from decoder: any Decoder) throws {
            do {
                read = "\(try decoder.singleValueContainer().decode(Int8.self))"
            } catch DecodingError.typeMismatch(_, let context) {
                read = "mismatch: \(Outcome.words(DecodingError.typeMismatch(Int.self, context)))"
            } catch let error as DecodingError {
                if let nested = try? decoder.container(keyedBy: Key.self).decode(Tolerant.self, forKey: .a) {
                    read = "a: \(nested.read)"
                } else {
                    read = "other: \(Outcome.words(error))"
                }
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            if let number = Int8(read) { try container.encode(number) } else { try container.encode(read) }
        }

        private enum Key: CodingKey { case a }
    }

    enum Season: String, Codable { case spring, autumn }

    struct Nested: Codable {
        var title: String
        var deep: [[Double?]]
        var more: [Nested]?
    }

    /// A class whose superclass reads from a super decoder.
    class Base: Codable {
        var legs: Int
        init(legs: Int) { self.legs = legs }
    }

    final class Derived: Base {
        var name: String
        init(name: String) {
            self.name = name
            super.init(legs: 4)
        }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            name = try container.decodeIfPresent(String.self, forKey: .name) ?? "none of \(container.allKeys.count)"
            try super.init(from: container.superDecoder())
        }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(name, forKey: .name)
            try super.encode(to: container.superEncoder())
        }
        private enum Key: CodingKey { case name }
    }

    struct Album: VersionedCodable {
        var title: String
        var count: UInt16
        var rating: Double?
        var isOpen: Bool
        var season: Season
        var taken: Date
        var place: URL?
        var price: Decimal
        var cover: Data?
        var tolerant: [Tolerant]
        var notes: [String: Int]
        var pages: [Int: Bool]
        var nested: Nested
        var animal: Derived
        var large: [Int64]
        var small: Float?

        static let version: Int? = 2
        typealias PreviousVersion = AlbumV1

        init(
            title: String, season: Season = .spring, tolerant: [Tolerant] = [Tolerant("1")],
            notes: [String: Int] = ["n": 1]
        ) {
            (self.title, count, rating, isOpen, self.season) = (title, 3, 2.5, true, season)
            (taken, place, price, cover) = (
                Date(timeIntervalSinceReferenceDate: 12.5), URL(string: "https://a.b/c"), 1.25, Data([1, 2, 3])
            )
            (self.tolerant, self.notes, pages) = (tolerant, notes, [7: false])
            nested = Nested(title: "äöü", deep: [[1, nil], []], more: [Nested(title: "\\\"\n", deep: [], more: nil)])
            (animal, large, small) = (Derived(name: "x"), [Int64.max, Int64.min, 0], 0.5)
        }

        init(from old: AlbumV1) throws {
            guard old.count >= 0 else {
                throw VersionedDecodingError.fieldNoLongerValid(.init(codingPath: [], debugDescription: "negative"))
            }
            self.init(title: old.name, tolerant: old.tolerant.map { [$0] } ?? [])
        }
    }

    struct AlbumV1: VersionedCodable {
        var name: String
        var count: Int
        var tolerant: Tolerant?

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    // MARK: - Documents

    private static let replacements = [
        "null", "true", "0", "-1", "-0", "256", "300", "1.5", "1e2", "1e400", "1e-400", "0e1", "0E4", "0e0", "-0e1",
        "9007199254740993",
        "18446744073709551616", "\"x\"", "\"\"", "\"\\ud800\"", "\"\\u00e9\"", "\"Y29kZQ==\"", "[]", "{}", "[null]",
        "{\"a\":1}", "{\"a\":{\"a\":\"b\"}}", "[1,\"x\"]", "[1,]",
    ]

    /// Returns the text of `node` with some values replaced, and some members removed, repeated, renamed or moved.
    private func write(_ node: DocumentNode, changing rate: Double, _ random: inout SeededGenerator) throws -> String {
        func isChanged() -> Bool { Double.random(in: 0..<1, using: &random) < rate }
        if isChanged() { return Self.replacements.randomElement(using: &random) ?? "null" }
        switch node.kind {
        case .object:
            var members: [String] = []
            for member in node.members {
                let value = try write(member.value, changing: rate, &random)
                let text = "\(JSONWriter().string(member.key)):\(value)"
                guard isChanged() else {
                    members.append(text)
                    continue
                }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: members += [text, "\(JSONWriter().string(member.key)):null"]
                case 1: members.append("\"other\":\(value)")
                case 2: members.insert(text, at: 0)
                default: break
                }
            }
            return "{\(members.joined(separator: ","))}"
        case .array:
            return "[\(try node.elements.map { try write($0, changing: rate, &random) }.joined(separator: ", "))]"
        default: return JSONWriter().string(node)
        }
    }

    private static var right: Document {
        get throws { try DocumentEncoder().encode(versioned: Album(title: "T")) }
    }

    private static let earlier = #"{"version":1,"name":"T","count":3,"tolerant":{"a":5}}"#

    // MARK: - Tests

    @Test(
        "values and errors are the same as with JSONDecoder, whatever is wrong and whichever type catches it",
        arguments: 0..<4)
    func mutations(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let documents = [try Self.right, try Document(json: Self.earlier)]
        var fast = 0
        for number in 0..<1_500 {
            let rate = [0.01, 0.03, 0.1][number % 3]
            let data = Data(try write(documents[number % 2].root, changing: rate, &random).utf8)
            expectAsAlone(Album.self, data)
            let value = FastJSONDecoding.$isEnabled.withValue(true) {
                FastJSONDecoding(data, as: JSONDecoder())?.value(Album.self)
            }
            if value != nil {
                fast += 1
                #expect(number % 2 == 0)
            }
        }
        // Enough documents are decoded without JSONDecoder for the comparison to mean something.
        #expect(fast > 50)
    }

    @Test("values and errors are the same as with JSONDecoder if bytes are wrong", arguments: 0..<2)
    func bytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let originals = [Array(JSONWriter().string(try Self.right.root).utf8), Array(Self.earlier.utf8)]
        let pieces: [[UInt8]] = [
            [0], [0x20], [0x22], [0x2C], [0x5C], [0x7B], [0x5D], [0xC3], [0xFF], Array("\u{FEFF}".utf8),
            Array("//".utf8),
            Array("e9".utf8), Array("\\u".utf8), Array("'".utf8),
        ]
        for number in 0..<1_500 {
            var text = originals[number % 2]
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let start = Int.random(in: 0...text.count, using: &random)
                let end = min(text.count, start + Int.random(in: 0...2, using: &random))
                text.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
            }
            expectAsAlone(Album.self, Data(text))
        }
    }

    @Test("the decoder's settings are honored, and a decoder with unknown settings decodes by itself")
    func settings() throws {
        let json = #"{"version":2,"the_title":"T","when":"2024-05-06T07:08:09Z","far":"+","bytes":"AQI="}"#
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        for dates in [
            JSONDecoder.DateDecodingStrategy.iso8601, .secondsSince1970, .deferredToDate,
            .custom { decoder in
                Date(timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self).count))
            },
            .custom { _ in throw CancellationError() },
        ] {
            decoder.dateDecodingStrategy = dates
            expectAsAlone(Setting.self, Data(json.utf8), by: decoder)
        }
        decoder.dateDecodingStrategy = .iso8601
        decoder.dataDecodingStrategy = .deferredToData
        expectAsAlone(Setting.self, Data(json.utf8), by: decoder)
        decoder.dataDecodingStrategy = .base64
        FastJSONDecoding.$isEnabled.withValue(true) {
            #expect(FastJSONDecoding(Data(json.utf8), as: decoder)?.value(Setting.self)?.far == .infinity)
        }
        decoder.keyDecodingStrategy = .custom { keys in
            keys.last?.stringValue == "the_title" ? Setting.Key.theTitle : keys[keys.count - 1]
        }
        expectAsAlone(Setting.self, Data(json.utf8), by: decoder)

        FastJSONDecoding.$isEnabled.withValue(true) { leftToDecoder(json) }
        decoder.userInfo[Setting.suffix] = "!"
        #expect(try decoder.decode(versioned: Setting.self, from: Data(json.utf8)).theTitle == "T!")
        #expect(FastJSONDecoding(try #require(json.data(using: .utf16)), as: JSONDecoder()) == nil)
    }

    private func leftToDecoder(_ json: String) {
        #expect(FastJSONDecoding(Data(json.utf8), as: OtherDecoder()) == nil)
        let lenient = JSONDecoder()
        lenient.allowsJSON5 = true
        #expect(FastJSONDecoding(Data(json.utf8), as: lenient) == nil)
        let headless = JSONDecoder()
        headless.assumesTopLevelDictionary = true
        #expect(FastJSONDecoding(Data(json.utf8), as: headless) == nil)
        #expect(FastJSONDecoding(Data("7".utf8), as: JSONDecoder()) == nil)
        #expect(FastJSONDecoding(Data("{\"a\":1,}".utf8), as: JSONDecoder()) == nil)
        let contextual = JSONDecoder()
        contextual.userInfo[Setting.suffix] = "!"
        #expect(FastJSONDecoding(Data(json.utf8), as: contextual) == nil)
    }

    @Test("a document nested more than 64 levels deep is left to JSONDecoder, whose stack frames are smaller")
    func depth() {
        FastJSONDecoding.$isEnabled.withValue(true) {
            for depth in [64, 65, 500] {
                let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                #expect((FastJSONDecoding(Data(json.utf8), as: JSONDecoder()) == nil) == (depth > 64))
            }
        }
    }

    @Test("a type that inserts objects into a context in userInfo inserts each of them once, whatever it catches")
    func contexts() throws {
        let decoder = JSONDecoder()
        for value in ["3", "\"x\""] {
            let context = Counted.Runs()
            decoder.userInfo[Counted.context] = context
            try FastJSONDecoding.$isEnabled.withValue(true) {
                _ = try decoder.decode(versioned: Counted.self, from: Data("{\"version\":1,\"value\":\(value)}".utf8))
            }
            #expect(context.count == 1)
        }
    }

    /// Starts a task that decodes another document, and may wait for it.
    struct Starter: VersionedCodable {
        var note: String?

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        @TaskLocal static var waits = false
        @TaskLocal static var results: AsyncStream<String>.Continuation?

        init(from decoder: any Decoder) throws {
            let isDone = DispatchSemaphore(value: 0)
            let results = Self.results
            Task {
                let inner = Data(#"{"version":1,"value":"x"}"#.utf8)
                do {
                    let counted = try JSONDecoder().decode(versioned: Counted.self, from: inner)
                    results?.yield("value with error \(counted.error != nil)")
                } catch {
                    results?.yield("\(error)")
                }
                isDone.signal()
            }
            if Self.waits { isDone.wait() }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test(
        "a task started by an initializer decodes independently, during the initializer and after it",
        arguments: [true, false])
    func tasks(waits: Bool) async {
        let (results, continuation) = AsyncStream<String>.makeStream()
        // On a separate thread, because the initializer waits.
        Thread {
            FastJSONDecoding.$isEnabled.withValue(true) {
                Starter.$waits.withValue(waits) {
                    Starter.$results.withValue(continuation) {
                        _ = try? JSONDecoder().decode(versioned: Starter.self, from: Data(#"{"version":1}"#.utf8))
                    }
                }
            }
        }
        .start()
        #expect(await results.first { _ in true } == "value with error true")
    }

    @Test(
        "an initializer runs once if nothing goes wrong, and again by the decoder itself if the type catches an error")
    func runs() throws {
        func read(_ json: String) throws -> Counted {
            try FastJSONDecoding.$isEnabled.withValue(true) {
                try Counted.$runs.withValue(.init()) {
                    try JSONDecoder().decode(versioned: Counted.self, from: Data(json.utf8))
                }
            }
        }
        let once = try read(#"{"version":1,"value":3}"#)
        #expect(once.run == 1 && once.error == nil)
        let twice = try read(#"{"version":1,"value":"x"}"#)
        #expect(twice.run == 2)
        let alone = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Value.self, from: Data(#"{"value":"x"}"#.utf8))
        }
        #expect(twice.error == alone.map { Outcome.words($0) })
        // Steps run once in any case.
        let error = #expect(throws: VersionedDecodingError.self) {
            try JSONDecoder().decode(versioned: Album.self, from: Data(#"{"version":1,"name":"T","count":-1}"#.utf8))
        }
        guard case .fieldNoLongerValid? = error else { return #expect(Bool(false)) }
    }

    /// Holds another value of this type as JSON in a string.
    struct Shell: VersionedCodable {
        var inner: String?
        var number: Int?

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        enum Key: String, CodingKey { case inner, number }

        init(from decoder: any Decoder) throws {
            Counted.runs.count += 1
            let container = try decoder.container(keyedBy: Key.self)
            number = try container.decodeIfPresent(Int.self, forKey: .number)
            guard let text = try container.decodeIfPresent(String.self, forKey: .inner) else { return }
            inner = try JSONDecoder().decode(versioned: Shell.self, from: Data(text.utf8)).inner ?? "core"
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test(
        "initializers run at most twice, however deeply documents are nested in strings",
        arguments: [0, 1, 5])
    func nesting(depth: Int) throws {
        func json(_ core: String) throws -> String {
            try (0..<depth).reduce(core) { inner, _ in
                let text = String(decoding: try JSONEncoder().encode(inner), as: UTF8.self)
                return "{\"version\":1,\"inner\":\(text)}"
            }
        }
        func runs(_ core: String) throws -> Int {
            let runs = Counted.Runs()
            _ = try? FastJSONDecoding.$isEnabled.withValue(true) {
                try Counted.$runs.withValue(runs) {
                    try JSONDecoder().decode(versioned: Shell.self, from: Data(json(core).utf8))
                }
            }
            return runs.count
        }
        #expect(try runs(#"{"version":1,"number":1}"#) == depth + 1)
        for _ in 0..<10 {
            let failing = try runs(#"{"version":1,"number":"x"}"#)
            #expect(failing <= 2 * (depth + 1) && failing >= depth + 1)
        }
        expectAsAlone(Shell.self, Data(try json(#"{"version":1,"number":"x"}"#).utf8))
        #expect(try runs(#"{"version":1,"number":1}"#) <= 2 * (depth + 1))
    }

    /// Reads its members on several threads.
    struct Parallel: VersionedCodable {
        var sum = 0

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        init(from decoder: any Decoder) throws {
            nonisolated(unsafe) let container = try decoder.container(keyedBy: PathCodingKey.self)
            let keys = container.allKeys.filter { $0.stringValue != "version" }
            let sums = Sums()
            DispatchQueue.concurrentPerform(iterations: keys.count) { index in
                let key = keys[index]
                if key.stringValue.hasPrefix("list") {
                    let array = try? container.decode([[Int]].self, forKey: key)
                    let nested = try? container.nestedUnkeyedContainer(forKey: key)
                    sums.add((array ?? []).joined().reduce(nested?.codingPath.count ?? 0, +))
                } else {
                    sums.add((try? container.decode(Int.self, forKey: key)) ?? 0)
                }
            }
            sum = sums.value
        }

        private final class Sums: @unchecked Sendable {
            private let lock = NSLock()
            private(set) var value = 0
            func add(_ number: Int) { lock.withLock { value += number } }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(sum)
        }
    }

    @Test("a type may read from several threads, as with JSONDecoder", arguments: [10, 63, 64, 300])
    func threads(count: Int) throws {
        func data(_ member: (Int) -> String) -> Data {
            Data("{\"version\":1,\((0..<count).map(member).joined(separator: ","))}".utf8)
        }
        let numbers = data { "\"key \($0)\":\($0)" }
        // JSONDecoder itself supports only scalars here.
        let lists = data { "\"list \($0)\":[[\($0)],[1,2]]" }
        for _ in 0..<20 {
            expectAsAlone(Parallel.self, numbers)
            let fast = FastJSONDecoding.$isEnabled.withValue(true) {
                FastJSONDecoding(lists, as: JSONDecoder())?.value(Parallel.self)
            }
            let value = try #require(fast)
            #expect(value.sum == (0..<count).reduce(0) { $0 + $1 + 4 })
        }
    }

    private final class OtherDecoder: JSONDecoder, @unchecked Sendable {}

    private struct Value: Decodable { var value: Int }

    struct Setting: VersionedCodable {
        static let suffix = CodingUserInfoKey(rawValue: "suffix")!

        var theTitle: String
        var when: Date
        var far: Double
        var bytes: Data

        enum Key: String, CodingKey { case theTitle, when, far, bytes }

        static let version: Int? = 2
        typealias PreviousVersion = NothingEarlier

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            theTitle = try container.decode(String.self, forKey: .theTitle)
            theTitle += decoder.userInfo[Self.suffix] as? String ?? ""
            when = try container.decode(Date.self, forKey: .when)
            far = try container.decode(Double.self, forKey: .far)
            bytes = try container.decode(Data.self, forKey: .bytes)
        }
    }

    /// Counts how often its initializer was started for a decoding of the test.
    struct Counted: VersionedCodable {
        var run: Int
        var error: String?

        enum Key: String, CodingKey { case value }

        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier

        @TaskLocal static var runs = Runs()
        static let context = CodingUserInfoKey(rawValue: "context")!

        final class Runs: @unchecked Sendable { var count = 0 }

        init(from decoder: any Decoder) throws {
            Self.runs.count += 1
            (decoder.userInfo[Self.context] as? Runs)?.count += 1
            run = Self.runs.count
            do {
                _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .value)
            } catch let thrown as DecodingError {
                error = Outcome.words(thrown)
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }
}
