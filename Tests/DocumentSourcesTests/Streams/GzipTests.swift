import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Files packed by gzip")
struct GzipTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func pack(_ text: String, to name: String) throws -> String {
        try folder.write(try Gzip.pack(Data(text.utf8), as: "x"), to: name)
    }

    private func walk(_ name: String) throws -> (found: [DocumentReference], leftOut: DocumentWalker.LeftOut) {
        var found: [DocumentReference] = []
        let leftOut = try DocumentWalker([GivenName(FilePath(folder.path(name)))]).walk { found += $0 }
        return (found, leftOut)
    }

    private func text(_ document: DocumentReference) throws -> String {
        String(decoding: try document.read().data, as: UTF8.self)
    }

    @Test("a packed file in a folder is what the ending before .gz says, or else what its content says")
    func inFolder() throws {
        try pack("{\"a\":1}", to: "all/a.json.gz")
        try pack("1\n2\n", to: "all/b.jsonl.gz")
        try pack("{\"c\":1}", to: "all/c.gz")
        try pack("a text", to: "all/d.gz")
        try pack("{\"e\":1}", to: "all/e.json")
        try folder.write("{\"f\":1}", to: "all/f.json.gz")
        let (found, leftOut) = try walk("all")
        let place = folder.path("all/")
        #expect(
            found.map { $0.name.replacingOccurrences(of: place, with: "") }
                == ["a.json.gz", "b.jsonl.gz#L1", "b.jsonl.gz#L2", "c.gz", "e.json", "f.json.gz"])
        #expect(try found.map(text) == ["{\"a\":1}", "1", "2", "{\"c\":1}", "{\"e\":1}", "{\"f\":1}"])
        #expect(found.map(\.container) == [nil, .jsonl, .jsonl, nil, nil, nil])
        #expect(leftOut == [.otherKind: 1])
    }

    @Test("a line of a packed file is named by its number")
    func line() throws {
        let path = try pack("1\n\n3\n", to: "b.jsonl.gz")
        #expect(try text(GivenName(FilePath("\(path)#L3")).document) == "3")
        let error = try #require(throws: SourceError.self) { try GivenName(FilePath("\(path)#L9")).document.read() }
        #expect(error.reason == .noSuchLine(lineCount: 3))
    }

    @Test("a packed file is read again when it has changed")
    func changed() throws {
        let document = GivenName(FilePath(try pack("1", to: "a.json.gz"))).document
        let stamp = document.stamp
        #expect(try text(document) == "1")
        usleep(30_000)
        try pack("22", to: "a.json.gz")
        #expect(try text(document) == "22" && document.stamp != stamp)
    }

    @Test("a member that is cut short has no documents, and the error says how much of it was unpacked")
    func damaged() throws {
        let lines = (0..<20_000).map { "{\"number\": \($0), \"other\": \($0 &* 2_654_435_761 % 1_000_003)}\n" }.joined()
        let packed = try Gzip.pack(Data(lines.utf8), as: "x")
        let path = try folder.write(packed.prefix(packed.count / 2), to: "cut.jsonl.gz")
        let found = try walk("cut.jsonl.gz").found
        guard found.count == 1, case .gzip(.damaged(let byteCount, let message))? = found[0].problem?.reason else {
            Issue.record("\(found)")
            return
        }
        #expect(byteCount > 100_000 && byteCount < lines.utf8.count && message == "unexpected end of file")
        #expect(found[0].name == path && found[0].isGiven)
    }

    /// Returns a complete member whose trailer is damaged, which gzip notices at the end.
    private static func damagedMember(_ text: String, at byte: Int) throws -> Data {
        var member = try Gzip.pack(Data(text.utf8), as: "x")
        member[member.endIndex - byte] ^= 1
        return member
    }

    @Test(
        "an unpacked member has documents only if its checksum and its length are right",
        arguments: [(8, "crc"), (1, "length")])
    func trailer(byte: Int, word: String) throws {
        let good = try Gzip.pack(Data("1\n22".utf8), as: "x")
        let packed = try good + Self.damagedMember("3\n4\n", at: byte) + good
        try folder.write(packed, to: "a.jsonl.gz")
        let name = folder.path("a.jsonl.gz")
        let found = try walk("a.jsonl.gz").found
        let stream = DocumentStream("-") { ResumedStream(SourceBytes(packed), then: nil) }
        let streamed = try find(in: stream)
        #expect(try found.dropLast().map(text) == ["1", "22"] && streamed.found.map(text) == ["1", "22"])
        let message = "invalid compressed data--\(word) error"
        #expect(found.last?.problem?.reason == .gzip(.followed(offset: good.count, message: message)))
        #expect(streamed.problem?.reason == found.last?.problem?.reason)
        // It is not found by its name either.
        #expect(try text(GivenName(FilePath("\(name)#L2")).document) == "22")
        let error = #expect(throws: SourceError.self) { try GivenName(FilePath("\(name)#L3")).document.read() }
        #expect(error?.reason == found.last?.problem?.reason)
        let none = DocumentStream("-") {
            () throws(SourceError) in
            ResumedStream(SourceBytes(packed.dropFirst(good.count)), then: nil)
        }
        #expect(try find(in: none).found.isEmpty)
    }

    private func find(in stream: DocumentStream) throws -> (found: [DocumentReference], problem: SourceError?) {
        var found: [DocumentReference] = []
        let search = DocumentSearch(
            isGiven: true, columns: [], isCancelled: { false }, waiting: {}, deliver: { found.append($0) })
        do { try stream.find(search) } catch { return (found, error) }
        return (found, nil)
    }

    @Test(
        "data after the last good member is one more document, unreadable, with its offset",
        arguments: [
            ("text behind", Array("more\n".utf8)), ("one byte", [1]), ("zeros and a byte", [0, 0, 0, 7]),
            ("half a magic number", [0x1F]),
            ("another method", [0x1F, 0x8B, 7] + Array(repeating: 0x71, count: 30)),
            ("unknown flags", [0x1F, 0x8B, 8, 0xE0] + Array(repeating: 0x71, count: 30)),
            ("compress", [0x1F, 0x9D] + Array(repeating: 0x71, count: 30)),
            ("a member cut short", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB]),
        ] as [(String, [UInt8])])
    func behindLastMember(name: String, rest: [UInt8]) throws {
        for (ending, text) in [("json", "{\"a\":1}"), ("jsonl", "1\n22\n")] {
            let member = try Gzip.pack(Data(text.utf8), as: "x")
            for count in [1, 2] where ending == "jsonl" || count == 1 {
                let good = Data((0..<count).flatMap { _ in member })
                let path = try folder.write(good + rest, to: "a.\(ending).gz")
                let found = try walk("a.\(ending).gz").found
                let documents = found.dropLast()
                #expect(documents.count == (ending == "json" ? 1 : 2 * count), "\(name)")
                #expect(try documents.first.map(self.text) == (ending == "json" ? text : "1"))
                let last = try #require(found.last?.problem)
                guard case .gzip(.followed(let offset, _)) = last.reason, last.source == path else {
                    Issue.record("\(name): \(last)")
                    continue
                }
                // Zeros are padding, up to the first byte that is not zero.
                #expect(offset == good.count + rest.prefix { $0 == 0 }.count, "\(name)")
                #expect(found.last?.isGiven == false)
            }
        }
    }

    @Test("zeros after the last member are padding")
    func padding() throws {
        try folder.write(try Gzip.pack(Data("1".utf8), as: "x") + Data(count: 700), to: "a.json.gz")
        let found = try walk("a.json.gz").found
        #expect(try found.map(text) == ["1"])
    }

    @Test("the end of the good members is found before any number of false beginnings")
    func falseMembers() throws {
        let good = try Gzip.pack(Data("1\n".utf8), as: "x")
        let falseBeginnings = Data((0..<100_000).flatMap { _ in [0x1F, 0x8B, 8, 0] as [UInt8] })
        var damaged = try Gzip.pack(Data([7]) + falseBeginnings, as: "x")
        damaged[damaged.endIndex - 8] ^= 1
        for rest in [falseBeginnings, damaged] {
            try folder.write(good + rest, to: "a.jsonl.gz")
            let found = try walk("a.jsonl.gz").found
            guard found.count == 2, case .gzip(.followed(good.count, _))? = found[1].problem?.reason else {
                Issue.record("\(found)")
                continue
            }
        }
    }

    @Test("the end of a good member is found whatever its blocks and its header are")
    func ends() throws {
        var random = SystemRandomNumberGenerator()
        let texts: [Data] = [
            Data(), Data("a".utf8), Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }),
            Data(repeating: 7, count: 300_000), Data((0..<90_000).map { "\($0 &* 2_654_435_761)" }.joined().utf8),
        ]
        // A checksum of the header, extra bytes, a name and a comment (RFC 1952, section 2.3.1).
        let fields: [(flag: UInt8, bytes: [UInt8])] = [
            (0, []), (2, []), (4, [3, 0, 1, 2, 3]), (8, Array("name\0".utf8)), (16, Array("\0".utf8)),
            (30, [1, 0, 0x1F] + Array("a\0b\0".utf8)),
        ]
        var members = Data()
        for text in texts {
            for field in fields {
                var member = try Gzip.pack(text, as: "x")
                member[3] = field.flag
                member.insert(contentsOf: field.bytes, at: 10)
                if field.flag & 2 != 0 {
                    let end = 10 + field.bytes.count
                    let sum = Self.checksum(member.prefix(end))
                    member.insert(contentsOf: [UInt8(sum & 0xFF), UInt8(sum >> 8 & 0xFF)], at: end)
                }
                members += member
                let packed = SourceBytes(members + [1, 2, 3])
                let error = SourceError(source: "x", reason: .gzip(.damaged(byteCount: 0, message: "")))
                let located = try GzipMembers(packed, of: "x", isCancelled: { false }).located(error)
                #expect(located.reason == .gzip(.followed(offset: members.count, message: "")), "\(field.flag)")
            }
        }
    }

    /// CRC-32, as gzip uses it (RFC 1952, section 8).
    private static func checksum(_ bytes: Data) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    @Test("data after packed bytes is listed with its offset, for a file and for standard input")
    func namesOfRests() throws {
        let member = try Gzip.pack(Data("{\"a\":1}".utf8), as: "x")
        let path = FilePath(try folder.write(member + Data("more".utf8), to: "a.json.gz"))
        let stream = DocumentStream("-") { ResumedStream(SourceBytes(member + Data("more".utf8)), then: nil) }
        var names: [String] = []
        try DocumentWalker([GivenName(path), GivenName("-", meaning: .source(stream))]).walk { found in
            names += found.map { $0.names(below: path).label }
        }
        let rest = ", from byte \(member.count)"
        #expect(names == ["a.json.gz", "a.json.gz\(rest)", "standard input", "standard input\(rest)"])
    }

    @Test("a packed file in a folder whose name does not say so is read like one that is named directly")
    func unsaid() throws {
        let member = try Gzip.pack(Data("1\n2\n".utf8), as: "x")
        for name in ["a.json", "b.jsonl", "c.resolved"] {
            try folder.write(member + Data("more".utf8), to: "all/\(name)")
        }
        try folder.write(member, to: "all/d.sqlite")
        try folder.write(member, to: "all/e.txt")
        let (found, leftOut) = try walk("all")
        let given = try ["a.json", "b.jsonl", "c.resolved", "d.sqlite"].flatMap { try walk("all/\($0)").found }
        #expect(found.count == 8 && found == given && leftOut == [.otherKind: 1])
        #expect(found.map(\.problem?.reason) == given.map(\.problem?.reason))
        #expect(found.map(\.isInPackedFile) == given.map(\.isInPackedFile))
    }

    @Test("a packed file in a folder whose name says nothing is a document, even with other data after it")
    func unnamedWithRest() throws {
        try folder.write(try Gzip.pack(Data("{\"a\":1}".utf8), as: "x") + Data("more".utf8), to: "all/a.gz")
        let (found, leftOut) = try walk("all")
        #expect(try found.dropLast().map(text) == ["{\"a\":1}"] && found.last?.isRest == true && leftOut == [:])
    }

    @Test(
        "data after the last member is unreadable on standard input and in a commit too, after the packed documents",
        arguments: [Data("more".utf8), Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB])])
    func behindLastMemberElsewhere(rest: Data) throws {
        let git = try GitFolder()
        for (text, count) in [("{\"a\":1}", 1), ("1\n2\n", 2)] {
            let member = try Gzip.pack(Data(text.utf8), as: "x")
            let stream = DocumentStream("-") { ResumedStream(SourceBytes(member + rest), then: nil) }
            let (found, error) = try find(in: stream)
            guard case .gzip(.followed(member.count, _))? = error?.reason else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            #expect(found.count == count)
            // Asking again gives the same error. Lines are delivered once.
            let again = try find(in: stream)
            #expect(again.problem == error && again.found.count == (count == 1 ? 1 : 0))
            guard count == 1 else { continue }

            try git.folder.write(member + rest, to: "a.json.gz")
            try git.commit("one")
            var committed: [DocumentReference] = []
            _ = try DocumentWalker([GivenName(FilePath("HEAD:\(git.path("a.json.gz"))"))]).walk { committed += $0 }
            #expect(try committed.dropLast().map(self.text) == [text])
            #expect(committed.last?.problem?.reason == error?.reason)
        }
    }

    @Test("the last line of a good member is a document even without a line end, whatever follows the member")
    func lastLine() throws {
        let packed = try Gzip.pack(Data("1\n22".utf8), as: "x") + Data("more".utf8)
        try folder.write(packed, to: "a.jsonl.gz")
        let found = try walk("a.jsonl.gz").found
        #expect(try found.dropLast().map(self.text) == ["1", "22"] && found.last?.problem != nil)
        let stream = DocumentStream("-") { ResumedStream(SourceBytes(packed), then: nil) }
        #expect(try find(in: stream).found.map(self.text) == ["1", "22"])
    }

    @Test("the search for the end of the last good member ends when it is cancelled")
    func cancelled() throws {
        let packed = try Gzip.pack(Data("1".utf8), as: "x")
        let error = SourceError(source: "x", reason: .gzip(.damaged(byteCount: 1, message: "")))
        // Cancelled after some questions: in the members, and in what gzip says about them.
        for count in [0, 3] {
            var asked = 0
            let members = GzipMembers(SourceBytes(packed), of: "x") {
                asked += 1
                return asked > count
            }
            #expect(throws: SourceError(source: "x", reason: .cancelled)) { try members.located(error) }
        }
    }

    @Test("a packed stream whose reading was cancelled can be read again from its beginning")
    func resumed() throws {
        let packed = SourceBytes(try Gzip.pack(Data("1\n2\n".utf8), as: "x"))
        for count in 0..<6 {
            let stream = DocumentStream("-") { ResumedStream(packed, then: nil) }
            let whole = DocumentReference(stream)
            var asked = 0
            let error = #expect(throws: SourceError.self) {
                try whole.read(isCancelled: {
                    asked += 1
                    return asked > count
                })
            }
            #expect(error?.reason == .cancelled)
            #expect(try text(whole) == "1\n2\n" && stream.isPacked)
        }
    }

    @Test("packed data on standard input and in a commit is unpacked too")
    func elsewhere() throws {
        let packed = SourceBytes(try Gzip.pack(Data("{\"a\":1}\n{\"b\":2}\n".utf8), as: "x"))
        var found: [DocumentReference] = []
        let search = DocumentSearch(
            isGiven: true, columns: [], isCancelled: { false }, waiting: {}, deliver: { found.append($0) })
        let stream = DocumentStream("-") { ResumedStream(packed, then: nil) }
        try stream.find(search)
        #expect(try found.map(text) == ["{\"a\":1}", "{\"b\":2}"] && stream.isPacked)
        let git = try GitFolder()
        try git.folder.write(try Gzip.pack(Data("{\"a\":1}".utf8), as: "x"), to: "a.json.gz")
        try git.commit("first")
        #expect(try text(GivenName(FilePath("HEAD:\(git.path("a.json.gz"))")).document) == "{\"a\":1}")
    }

    @Test("a packed store must be unpacked first, whether its name or its content says that it is one")
    func store() throws {
        for name in ["a.sqlite.gz", "a.gz", "a.json.gz"] {
            try pack("SQLite format 3\0 and so on", to: "\(name)/\(name)")
            let document = try #require(try walk(name).found.first)
            let error = try #require(throws: SourceError.self) { try document.read() }
            #expect(error.reason == .gzip(.store), "\(name)")
        }
    }

    @Test("packing gives the same bytes every time, for any length")
    func packing() throws {
        let data = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        let packed = try Gzip.pack(data, as: "x")
        #expect(try packed == Gzip.pack(data, as: "x"))
        #expect(try Gzip.unpack(SourceBytes(packed), as: "x", DocumentReading()).data == data)
    }
}
