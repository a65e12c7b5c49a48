import Foundation
import Testing

@testable import DocumentModel

@Suite("Long lists of paths")
struct PathFoldsTests {
    private func packages(_ count: Int, _ member: (Int) -> String) throws -> Document {
        let packages = (0..<count).map { "\"p\($0)\": {\(member($0))}" }.joined(separator: ", ")
        return try Document(json: "{\"packages\": {\(packages)}}")
    }

    private func paths(_ texts: [String]) -> [DocumentPath] { texts.compactMap(DocumentPath.init) }

    private func folded(_ texts: [String], in document: Document) -> (reported: [String], folds: PathFolds) {
        var folds = PathFolds()
        let reported = folds.fold(paths(texts), in: document.root)
        return (reported.map(\.description), folds)
    }

    @Test("more than ten paths that differ in the keys of one level are folded into one, with their number")
    func keys() throws {
        let document = try packages(14) { $0 == 3 ? #""a": 1"# : #""a": 1, "license": "MIT""# }
        let texts = (0..<14).filter { $0 != 3 }.map { "$.packages.p\($0).license" }
        let (reported, folds) = folded(texts + ["$.packages.p0.a"], in: document)
        #expect(reported == ["$.packages.*.license", "$.packages.p0.a"])
        let entry = folds.entries[paths(["$.packages.*.license"])[0]]
        #expect(entry == PathFold(count: 13, of: 14, paths: paths(texts)))
        #expect(folds.unfolding(paths(reported)) == paths(texts + ["$.packages.p0.a"]))
    }

    @Test("ten paths are not folded")
    func few() throws {
        let texts = (0..<10).map { "$.packages.p\($0).a" }
        let (reported, folds) = folded(texts, in: try packages(14) { _ in #""a": 1"# })
        #expect(reported == texts && folds.entries.isEmpty)
    }

    @Test("paths that differ in positions are folded into one, even with positions in two lists")
    func positions() throws {
        let row = "[\(Array(repeating: #"{"a": 1}"#, count: 4).joined(separator: ","))]"
        let rows = try Document(json: "[\(Array(repeating: row, count: 4).joined(separator: ","))]")
        let texts = (0..<12).map { "$[\($0 / 4)][\($0 % 4)].a" }
        let (reported, folds) = folded(texts, in: rows)
        #expect(reported == ["$[*][*].a"])
        #expect(folds.entries.values.map(\.count) == [12] && folds.entries.values.map(\.of) == [16])
    }

    @Test("the members of dictionaries are folded into one path if all of them are meant, whatever their names")
    func dictionaries() throws {
        let document = try packages(12) { "\"deps\": {\((0...$0 % 3).map { "\"d\($0)\": 1" }.joined(separator: ","))}" }
        let texts = (0..<12).flatMap { number in (0...number % 3).map { "$.packages.p\(number).deps.d\($0)" } }
        let (reported, folds) = folded(texts, in: document)
        #expect(reported == ["$.packages.*.deps.*"])
        #expect(folds.entries.values.map(\.count) == [24] && folds.entries.values.map(\.of) == [24])
    }

    @Test("the fields of a type keep their names, however many there are")
    func fields() throws {
        let names = (0..<20).map { "f\($0)" }
        let document = try Document(
            json: "{\"a\": [], \(names.map { "\"\($0)\": 1" }.joined(separator: ", "))}")
        let texts = names.map { "$.\($0)" }
        #expect(folded(texts, in: document).reported == texts)
    }

    @Test("a second list that would fold to the same path for other values is not folded")
    func clash() throws {
        let document = try packages(14) { _ in #""a": 1"# }
        let texts = (0..<14).map { "$.packages.p\($0).a" }
        var folds = PathFolds()
        #expect(folds.fold(paths(texts), in: document.root).count == 1)
        #expect(folds.fold(paths(Array(texts.dropLast())), in: document.root).count == 13)
        #expect(folds.fold(paths(texts), in: document.root).count == 1)
    }

    @Test("values that differ in more than their paths are folded separately")
    func kinds() throws {
        struct Value: Hashable {
            var path: DocumentPath
            let how: String
        }
        let document = try packages(30) { _ in #""a": 1"# }
        let values = (0..<30).map { number in
            Value(path: paths(["$.packages.p\(number).a"])[0], how: number < 12 ? "few" : "many")
        }
        var folds = PathFolds()
        let reported = folds.fold(values, at: \.path) { _ in document.root }
        // Two entries for one path would give two numbers.
        #expect(reported.count { $0.how == "few" } == 1 && reported.count { $0.how == "many" } == 18)
    }

    @Test("the paths of a fold are encoded with the first three, and decoded again")
    func coding() throws {
        let document = try packages(14) { _ in #""a": 1"# }
        let folds = folded((0..<14).map { "$.packages.p\($0).a" }, in: document).folds
        let data = try JSONEncoder().encode(folds)
        let written = try Document(parsing: SourceBytes(data)).root["$.packages.*.a"]
        #expect(written?["count"]?.numberText == "14" && written?["of"]?.numberText == "14")
        #expect(written?["first"]?.elements.compactMap(\.string) == (0..<3).map { "$.packages.p\($0).a" })
        let again = try JSONDecoder().decode(PathFolds.self, from: data)
        #expect(again.entries.keys == folds.entries.keys && again.covers(folds) && folds.covers(again))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PathFolds.self, from: Data(#"{"a": {"count": 1, "of": 1, "first": []}}"#.utf8))
        }
    }
}
