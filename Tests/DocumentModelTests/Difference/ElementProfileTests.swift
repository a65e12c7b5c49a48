import TestSupport
import Testing

@testable import DocumentModel

@Suite("The similarity of elements")
struct ElementProfileTests {
    /// Returns an object with some of `nameCount` names, which may occur more than once, and with few values.
    private func object(_ nameCount: Int, _ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 0..<8, using: &generator) * Int.random(in: 1...4, using: &generator)
        let values = ["1", "2", "\"text\"", "\"other\"", #"{"a": "text"}"#]
        let members = (0..<count).map { _ in
            "\"n\(Int.random(in: 0..<nameCount, using: &generator))\": \(values.randomElement(using: &generator) ?? "0")"
        }
        return "{\(members.joined(separator: ", "))}"
    }

    /// Compares each element of one array with each of the other, without their profiles and with them.
    private func similarities(_ olds: [String], _ news: [String]) throws -> [(least: Double, similarity: Double)] {
        let old = try Document(json: "[\(olds.joined(separator: ","))]").root
        let new = try Document(json: "[\(news.joined(separator: ","))]").root
        let hashes = ValueHashes.hashes(old, new) {}
        let oldSide = DifferenceBuilder.Side(old.document, hashes.old, partSize: 8)
        let newSide = DifferenceBuilder.Side(new.document, hashes.new, partSize: 8)
        var similarities: [(least: Double, similarity: Double)] = []
        for element in old.elements {
            for other in new.elements {
                similarities.append(
                    (
                        ElementProfile.leastSimilarity(of: element.index, in: oldSide, to: other.index, in: newSide),
                        ElementProfile(element.index, in: oldSide)
                            .similarity(to: ElementProfile(other.index, in: newSide))
                    ))
            }
        }
        withExtendedLifetime((old, new)) {}
        withExtendedLifetime(hashes) {}
        return similarities
    }

    @Test("the similarity of members with the same name is never more than that of their elements")
    func least() throws {
        var generator = SeededGenerator(seed: 1)
        var found: [(least: Double, similarity: Double)] = []
        for nameCount in 3..<30 {
            let olds = (0..<20).map { _ in object(nameCount, &generator) }
            let news = (0..<20).map { _ in object(nameCount, &generator) }
            found += try similarities(olds, news)
        }
        #expect(found.allSatisfy { $0.least <= $0.similarity })
        // It is more than 0 often enough to be of use.
        #expect(found.count { $0.least > 0 && $0.least < $0.similarity } > 100)
        #expect(found.count { $0.least > 0 && $0.least == $0.similarity } > 100)
    }

    @Test("members with the same name are paired in order, each once, and only the first ones of many")
    func pairs() throws {
        func least(_ old: String, _ new: String) throws -> Double { try similarities([old], [new])[0].least }
        #expect(try least(#"{"a": 1, "a": 1}"#, #"{"a": 1}"#) == 2.0 / 3)
        #expect(try least(#"{"a": 1, "a": 2}"#, #"{"b": 3, "a": 2, "a": 1}"#) == 1.6 / 5)
        #expect(try least("{}", "{}") == 0)
        #expect(try least(#"{"a": 1}"#, "{}") == 0)
        func many(_ names: Range<Int>, _ value: Int) -> String {
            "{\(names.map { "\"n\($0)\": \(value)" }.joined(separator: ", "))}"
        }
        #expect(try least(many(0..<24, 1), many(0..<24, 1)) == 1)
        #expect(try least(many(0..<30, 1), many(0..<24, 2)) == 0.4)
        // Nothing after the twenty-fourth is checked.
        #expect(try least(many(0..<30, 1), many(16..<46, 1)) == 8.0 / 24)
        // Arrays and strings have no names.
        #expect(try least("[1, 2]", "[2, 1]") == 1 && least(#""an old text""#, #""a new text""#) == 0)
        #expect(try least("[1]", #""text""#) == 0 && least("1", "1") == 0 && least("{}", "[]") == 0)
    }
}
