import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Where a value came from in a step")
struct StepOriginTests {
    private func origins(_ paths: [String], _ before: String, _ after: String) throws -> [String] {
        let step = MigrationStep(
            from: .number(1), to: .number(2), fromType: "Old", toType: "New", note: nil, seconds: 0,
            before: try Document(json: before), ending: .made(try Document(json: after)))
        return try paths.map { step.origin(of: try #require(DocumentPath($0))).description }
    }

    @Test("is where it was, also for what is inside it, and for what is not there at all")
    func places() throws {
        #expect(
            try origins(
                ["$", "$.title", "$.rows[0].v", "$.rows[1]", "$.rows[0].none", "$.none", "$.rows[7]"],
                #"{"name": "An epicure", "rows": [{"id": 1, "v": 1}, {"id": 2, "v": 2}, {"id": 3, "v": 3}]}"#,
                #"{"title": "An epicure", "rows": [{"id": 2, "v": 2}, {"id": 3, "v": 30}]}"#)
                == ["$", "$.name", "$.rows[1].v", "$.rows[2]", "$.rows[1].none", "$.none", "$.rows[7]"])
    }

    @Test("of a value that the step made is the field of a like name that it took away, if there is only one")
    func likeNames() throws {
        #expect(
            try origins(
                ["$.rating", "$.rating.stars"], #"{"starRating": "*****", "n": 1}"#,
                #"{"rating": {"stars": 5}, "n": 1}"#)
                == ["$.starRating", "$.rating.stars"])
        #expect(
            try origins(["$.name"], #"{"firstName": "a", "lastName": "b"}"#, #"{"name": "b, a"}"#) == ["$.name"])
    }

    @Test("of a value that the step made is else inside what was there before around it, where that was then")
    func made() throws {
        let before =
            #"{"list": [{"id": 1, "street": "Bath Road"}, {"id": 2, "street": "Elm Street"}]}"#
        let after =
            #"{"list": [{"id": 2, "address": {"street": "Elm Street", "zip": {"code": 1}}}]}"#
        #expect(
            try origins(
                ["$.list[0].address.zip.code", "$.list[0].address.street", "$.list[0].address", "$.list[0].address.x"],
                before, after)
                == [
                    "$.list[1].address.zip.code", "$.list[1].street", "$.list[1].address", "$.list[1].address.x",
                ])
    }
}
