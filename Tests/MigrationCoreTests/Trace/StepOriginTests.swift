import DocumentModel
import Testing

@testable import MigrationCore

@Suite("The origin of a value in a step")
struct StepOriginTests {
    private func origins(_ paths: [String], _ before: String, _ after: String) throws -> [String] {
        let step = MigrationStep(
            from: .number(1), to: .number(2), fromType: "Old", toType: "New", note: nil, seconds: 0,
            before: try Document(json: before), ending: .made(try Document(json: after)))
        return try paths.map { step.origin(of: try #require(DocumentPath($0))).description }
    }

    @Test("the origin of a value is its old path, even for values inside it and for missing ones")
    func places() throws {
        #expect(
            try origins(
                ["$", "$.title", "$.rows[0].v", "$.rows[1]", "$.rows[0].none", "$.none", "$.rows[7]"],
                #"{"name": "An epicure", "rows": [{"id": 1, "v": 1}, {"id": 2, "v": 2}, {"id": 3, "v": 3}]}"#,
                #"{"title": "An epicure", "rows": [{"id": 2, "v": 2}, {"id": 3, "v": 30}]}"#)
                == ["$", "$.name", "$.rows[1].v", "$.rows[2]", "$.rows[1].none", "$.none", "$.rows[7]"])
    }

    @Test("the origin of a value that the step made is the only removed field with a similar name")
    func likeNames() throws {
        #expect(
            try origins(
                ["$.rating", "$.rating.stars"], #"{"starRating": "*****", "n": 1}"#,
                #"{"rating": {"stars": 5}, "n": 1}"#)
                == ["$.starRating", "$.rating.stars"])
        #expect(
            try origins(["$.name"], #"{"firstName": "a", "lastName": "b"}"#, #"{"name": "b, a"}"#) == ["$.name"])
    }

    @Test("the origin of any other new value is inside the old path of its container")
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
