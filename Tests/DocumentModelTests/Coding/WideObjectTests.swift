import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("Decoding objects with very many members")
struct WideObjectTests {
    /// Asks for members by the names in its decoder's `userInfo`.
    private struct Asking: Decodable {
        static let namesKey = CodingUserInfoKey(rawValue: "names")
        let numbers: [Int?]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: PathCodingKey.self)
            let names = Self.namesKey.flatMap { decoder.userInfo[$0] as? [String] } ?? []
            numbers = try names.map { try container.decodeIfPresent(Int.self, forKey: PathCodingKey($0)) }
        }
    }

    private func json(_ names: [String]) -> String {
        "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
    }

    private static let counts = [63, 64, 65, 66, 200]

    @Test("each member is found in any order and any number of times, as by Foundation", arguments: counts)
    func order(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let names = (0..<count).map { "name \($0)" }
        var twice = names
        twice[count - 2] = names[1]
        twice[10] = names[count - 1]
        for names in [names, twice] {
            let data = Data(json(names).utf8)
            let wanted = names + ["none"] + names.shuffled(using: &generator) + names.reversed() + [names[1], names[1]]
            let foundation = JSONDecoder()
            let key = try #require(Asking.namesKey)
            foundation.userInfo[key] = wanted
            let decoder = DocumentDecoder(strategies: DecodingStrategies(userInfo: [key: wanted]))
            let document = try Document(parsing: SourceBytes(data))
            let ours = try decoder.decode(Asking.self, from: document.root).numbers
            #expect(try ours == foundation.decode(Asking.self, from: data).numbers)
            let all = try DocumentDecoder().decode([String: Int].self, from: document.root)
            #expect(try all == JSONDecoder().decode([String: Int].self, from: data))
        }
    }

    @Test("the last of two members with one name counts in a large property list, as in Foundation", arguments: counts)
    func propertyLists(count: Int) throws {
        var names = (0..<count).map { "name \($0)" }
        names[count - 2] = names[1]
        let members = names.enumerated().map { "<key>\($1)</key><integer>\($0)</integer>" }
        let text = "<plist version=\"1.0\"><dict>\(members.joined())</dict></plist>"
        let document = try Document(parsing: SourceBytes(text))
        let ours = try DocumentDecoder().decode([String: Int].self, from: document.root)
        #expect(ours.count == count - 1 && ours[names[1]] == count - 2)
        let xml = Data("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\(text)".utf8)
        #expect(try PropertyListDecoder().decode([String: Int].self, from: xml) == ours)
        let key = try #require(Asking.namesKey)
        let decoder = DocumentDecoder(strategies: DecodingStrategies(userInfo: [key: names + names]))
        #expect(try decoder.decode(Asking.self, from: document.root).numbers == (names + names).map { ours[$0] })
    }

    @Test("a name that is equivalent to one in ASCII finds its member, as in Foundation", arguments: [3, 200])
    func equivalent(count: Int) throws {
        let names = ["K", ";", "`"] + (3..<count).map { "name \($0)" }
        let wanted = ["\u{212A}", "\u{37E}", "\u{1FEF}", "\u{FF2B}", "é"]
        let key = try #require(Asking.namesKey)
        let foundation = JSONDecoder()
        foundation.userInfo[key] = wanted
        let decoder = DocumentDecoder(strategies: DecodingStrategies(userInfo: [key: wanted]))
        let ours = try decoder.decode(Asking.self, from: Document(json: json(names)).root).numbers
        #expect(try ours == foundation.decode(Asking.self, from: Data(json(names).utf8)).numbers)
        #expect(ours == [0, 1, 2, nil, nil])
    }
}
