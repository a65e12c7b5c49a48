import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import Testing

@testable import MigrationWorker

#if os(Linux)
    @Suite("The shape that is blamed", .serialized)
    struct NearestShapeTests {
        private let visits = Visits()
        private let host = WorkerHost(limits: WorkerLimits(seconds: 4))

        private static let newest = #"""
            {"cars": [{"plate": "AB", "seats": 4}, {"plate": "CD", "seats": 5}], "name": "Mill",
             "owner": {"name": "Ada", "phone": "1"}}
            """#
        private static let middle = #"{"name": "Mill", "owner": {"name": "Ada", "phone": "1"}, "cars": ["AB", "CD"]}"#
        private static let oldest = #"{"name": "Mill", "cars": "AB"}"#

        /// Documents with one wrong value, with its path and the shape that the document has.
        private static let wrong: [(text: String, path: String, shape: String)] = [
            (newest.replacing(#""seats": 5"#, with: #""seats": "five""#), "$.cars[1].seats", "Garage"),
            (newest.replacing(#", "seats": 5"#, with: ""), "$.cars[1].seats", "Garage"),
            (newest.replacing(#""seats": 4"#, with: #""seats": null"#), "$.cars[0].seats", "Garage"),
            (newest.replacing(#""CD""#, with: "12"), "$.cars[1].plate", "Garage"),
            (newest.replacing(#""1""#, with: "1"), "$.owner.phone", "Garage"),
            (newest.replacing(#""Mill""#, with: "1"), "$.name", "Garage"),
            (middle.replacing(#""CD""#, with: "12"), "$.cars[1]", "Middle"),
            (middle.replacing(#""1""#, with: "[]"), "$.owner.phone", "Middle"),
            (oldest.replacing(#""Mill""#, with: "5"), "$.name", "Oldest"),
        ]

        @Test(
            "the shape whose fields fit the document best is blamed, with the wrong value",
            arguments: ["shaped", "parked"], wrong.indices)
        func nearest(kind: String, index: Int) throws {
            let (text, path, shape) = Self.wrong[index]
            let file = try visits.folder.write(Data(text.utf8), to: "\(kind)\(index).json")
            var request = WorkerRequest(GivenName(FilePath(file)).document)
            request.chain = "\(kind) garage"
            let trace = try host.answer(to: request, wanting: .trace)
            #expect(trace.failure?.path?.description == path)
            guard case .noShapeFits(let attempts, let nearest?)? = trace.failure?.reason else {
                Issue.record("\(String(describing: trace.failure))")
                return
            }
            #expect(attempts[nearest].type == shape)
            let proved = try host.proving(trace, of: request)?.failure?.culprit
            #expect(proved?.path.description == path && proved?.certain == true && proved?.others == [])
            let checked = try host.answer(to: request, wanting: .outcome)
            #expect(checked.failure?.path == trace.failure?.path && checked.failure?.message == trace.failure?.message)
        }
    }
#endif
