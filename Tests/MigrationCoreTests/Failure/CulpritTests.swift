import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Looking for the culprit")
struct CulpritTests {
    private func culprit(_ json: String, path: String?, message: String) throws -> String? {
        let root = try Document(json: json).root
        let finder = CulpritFinder(root: root) { $0.id != root["version"]?.id }
        let culprit = finder.likeliest(path: path.flatMap { DocumentPath($0) }, message: message)
        #expect(culprit?.certain != true)
        return culprit?.path.description
    }

    private let poem = #"{"version": 1, "author": "Anonymous", "poem": "An epicure", "starRating": 9}"#

    @Test("a name that has all the words of the one in the error is likely")
    func byName() throws {
        #expect(try culprit(poem, path: "$.rating", message: "No longer valid") == "$.starRating")
        #expect(try culprit(#"{"authorBorn": 1830}"#, path: "$.author.born", message: "") == "$.authorBorn")
        #expect(try culprit(#"{"star_rating": 1}"#, path: "$.rating", message: "") == "$.star_rating")
    }

    @Test("a name or a value in the message is likely")
    func byMessage() throws {
        #expect(try culprit(poem, path: nil, message: "Star rating 9 is no longer valid") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "9 is too much.") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "It was given 9...") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "Nobody called 'Anonymous' wrote it") == "$.author")
        #expect(try culprit(poem, path: nil, message: "starRating must be at most 5") == "$.starRating")
        #expect(try culprit(#"{"n": 9}"#, path: nil, message: "found 9.0") == "$.n")
    }

    @Test("in the elements of arrays it is the value in the message that tells one field from its likes")
    func records() throws {
        let trip = #"{"places": [{"city": "Nice", "nights": -3}, {"city": "Lyon", "nights": 2}], "nights": 7}"#
        #expect(try culprit(trip, path: "$.legs", message: "Nice has -3 nights") == "$.places[0].nights")
        #expect(try culprit(trip, path: nil, message: "nobody sleeps in 'Lyon'") == "$.places[1].city")
        // A name alone does not say which of them.
        #expect(try culprit(#"{"places": [{"nights": 1}, {"nights": 2}]}"#, path: "$.nights", message: "") == nil)
        #expect(try culprit(#"{"places": [{"nights": 1}, {"nights": 1}]}"#, path: nil, message: "1 nights") == nil)
    }

    @Test("nothing is found where nothing resembles")
    func nothing() throws {
        #expect(try culprit(poem, path: "$.mood", message: "Too gloomy") == nil)
        #expect(try culprit(poem, path: nil, message: "It did not work") == nil)
        #expect(try culprit(#"{"a": "x", "b": 2}"#, path: nil, message: "There is a problem") == nil)
        #expect(try culprit("{}", path: "$.rating", message: "x") == nil)
        #expect(try culprit("[1, 2]", path: "$[0].a", message: "x 1") == nil)
    }

    @Test("the version is never the culprit, though the message has its number")
    func version() throws {
        #expect(try culprit(poem, path: nil, message: "Line 1 is empty") == nil)
    }

    @Test("a word of the message that happens to be a value is no quotation")
    func chance() throws {
        let json = #"{"mood": "valid", "kind": "is", "n": 90}"#
        #expect(try culprit(json, path: nil, message: "The field is no longer valid: 9") == nil)
    }

    @Test("one word of several in common is not enough")
    func siblings() throws {
        #expect(try culprit(#"{"authorName": "x", "authorTitle": "y"}"#, path: "$.authorBorn", message: "") == nil)
        #expect(try culprit(#"{"lastName": "x"}"#, path: "$.firstName", message: "") == nil)
    }

    @Test("where two fields speak alike there is no culprit")
    func tie() throws {
        #expect(try culprit(#"{"firstName": "a", "lastName": "b"}"#, path: "$.name", message: "") == nil)
        #expect(try culprit(#"{"a": 9, "b": 9}"#, path: nil, message: "9 is too much") == nil)
        #expect(
            try culprit(#"{"firstName": "a", "lastName": "b"}"#, path: "$.name", message: "'b' is no name")
                == "$.lastName")
    }

    @Test("an element of a list is looked into only where the error's path leads through it")
    func elements() throws {
        let json = #"{"items": [{"unitPrice": 1}, {"unitPrice": 2}]}"#
        #expect(try culprit(json, path: "$.items[1].price", message: "") == "$.items[1].unitPrice")
        #expect(try culprit(json, path: "$.price", message: "") == nil)
    }

    @Test(
        "names are taken apart into their words",
        arguments: [
            ("starRating", ["star", "rating"]), ("star_rating", ["star", "rating"]),
            ("StarRating", ["star", "rating"]),
            ("star-rating 2", ["star", "rating", "2"]), ("URL", ["url"]), ("", []), ("_", []),
            ("größeInCm", ["größe", "in", "cm"]),
        ])
    func words(name: String, words: [String]) {
        #expect(FieldName(name).words == words)
    }

    @Test("resemblance is the same both ways, and whole only for the same words")
    func resemblance() {
        let names = ["rating", "starRating", "star_rating", "raitng", "author", "auhtor", "a", "", "x1"].map(
            FieldName.init)
        for left in names {
            for right in names {
                #expect(left.resemblance(to: right) == right.resemblance(to: left))
                #expect(
                    (left.resemblance(to: right) == 1)
                        == (left.words.joined() == right.words.joined() && !left.words.isEmpty))
            }
        }
        #expect(FieldName("author").resemblance(to: FieldName("auhtor")) >= 0.6)
    }

    @Test(
        "the distance of two texts counts letters inserted, deleted, replaced and exchanged",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("author", "auhtor", 1),
            ("ab", "ba", 1),
            ("ca", "abc", 3), ("chekc", "check", 1),
        ])
    func editDistance(left: String, right: String, distance: Int) {
        #expect(Array(left).editDistance(to: Array(right)) == distance)
        #expect(Array(right).editDistance(to: Array(left)) == distance)
    }
}
