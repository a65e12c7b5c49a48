import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Values of which the result keeps a part")
struct PartialLossTests {
    private struct Diary: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = DiaryV1
        var days: [Int]
        init(from old: DiaryV1) { days = Set(old.times.map { $0 / 86_400 }).sorted() }
    }

    private struct DiaryV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var times: [Int]
    }

    @Test("different values of which the step makes one are not lost, and another one that it makes is neither")
    func merged() throws {
        let document = try Document(json: #"{"version": 1, "times": [600000000, 600000060, 700000000]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Diary.self))
        #expect(step.lost == [])
    }

    private struct Club: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = ClubV1
        var members: [String]
        init(from old: ClubV1) { members = old.members.filter(\.isActive).map(\.name) }
    }

    private struct ClubV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Member: Codable { var name: String, isActive: Bool }
        var members: [Member]
    }

    @Test("elements that a filter takes away are lost, however many there are")
    func filtered() throws {
        let members = (0..<7).map { #"{"name": "n\#($0)", "isActive": \#($0 % 3 == 0)}"# }
        let document = try Document(json: #"{"version": 1, "members": [\#(members.joined(separator: ","))]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Club.self))
        #expect(step.lost == ["$.members[1]", "$.members[2]", "$.members[4]", "$.members[5]"])
    }

    private struct Tagged: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TaggedV1
        var tags: String, source: String
        init(from old: TaggedV1) {
            let all = old.tags.compactMap(\.self)
            tags = all.count == old.tags.count ? all.filter { !$0.isEmpty }.joined(separator: ", ") : ""
            source = "import"
        }
    }

    private struct TaggedV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var tags: [String?]
    }

    @Test("a text that is empty because of a null is not said to be made by the step")
    func besideNull() throws {
        let document = try Document(json: #"{"version": 1, "tags": [null, ""]}"#)
        let step = try ExaminedStep(document, of: MigrationChain(Tagged.self))
        #expect(step.origins(of: "$.tags") != [])
        #expect(step.origins(of: "$.source") == [])
    }

    private struct Site: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = SiteV1
        var latitude: Double, decade: Int, year: Int, file: String, first: String, last: String
        init(from old: SiteV1) {
            latitude = (old.latitude * 10).rounded() / 10
            decade = (old.age + 9) / 10 * 10
            year = Int(old.built.suffix(4)) ?? 0
            file = old.path.split(separator: "/").last.map(String.init) ?? ""
            let names = old.owner.split(separator: " ")
            (first, last) = (String(names.first ?? ""), String(names.last ?? ""))
        }
    }

    private struct SiteV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var latitude: Double, age: Int, built: String, path: String, owner: String
    }

    @Test(
        "a number that is rounded in either direction, and a text that loses its beginning or its middle, are narrowed")
    func eitherWay() throws {
        let document = try Document(
            json: #"""
                {"version": 1, "latitude": 1.25, "age": 31, "built": "Oct 2021", "path": "/home/mia/plan.txt",
                 "owner": "Ann Mary Lee"}
                """#)
        let step = try ExaminedStep(document, of: MigrationChain(Site.self))
        let narrowed = Set((step.finding?.narrowed ?? []).map { "\($0.path) \($0.how.rawValue)" })
        #expect(
            narrowed == [
                "$.latitude digits", "$.age digits", "$.built cut", "$.path cut", "$.owner cut",
            ])
        let whole = try Document(
            json: #"""
                {"version": 1, "latitude": 1.5, "age": 30, "built": "2021", "path": "plan.txt", "owner": "Ann Lee"}
                """#)
        #expect(try ExaminedStep(whole, of: MigrationChain(Site.self)).finding?.narrowed == [])
    }
}
