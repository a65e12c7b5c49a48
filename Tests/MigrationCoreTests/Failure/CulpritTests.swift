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

    @Test("a name with all words of the error's field is a likely culprit")
    func byName() throws {
        #expect(try culprit(poem, path: "$.rating", message: "No longer valid") == "$.starRating")
        #expect(try culprit(#"{"authorBorn": 1830}"#, path: "$.author.born", message: "") == "$.authorBorn")
        #expect(try culprit(#"{"star_rating": 1}"#, path: "$.rating", message: "") == "$.star_rating")
    }

    @Test("a field whose name or value is in the message is a likely culprit")
    func byMessage() throws {
        #expect(try culprit(poem, path: nil, message: "Star rating 9 is no longer valid") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "9 is too much.") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "It was given 9...") == "$.starRating")
        #expect(try culprit(poem, path: nil, message: "Nobody called 'Anonymous' wrote it") == "$.author")
        #expect(try culprit(poem, path: nil, message: "starRating must be at most 5") == "$.starRating")
        #expect(try culprit(#"{"n": 9}"#, path: nil, message: "found 9.0") == "$.n")
    }

    @Test(
        "a message mentions a field by its exact name, or by its words whole and in a row",
        arguments: [
            ("email", "The e-mail is wrong", true),
            ("unit_price", "unit_price: too low", true), ("unitPrice", "The UNIT PRICE is too low", true),
            ("unitPrice", "The unit prices are too low", false), ("unitPrice", "The price of a unit", false),
            ("price", "The prices are too low", false), ("price", "underpriced", false), ("price", "(price)", true),
            ("price", "Price", true), ("n", "n is wrong", false), ("no", "no", true), ("", "the empty name", false),
            ("a.b", "a b is wrong", true), ("name", "", false),
        ])
    func mentions(name: String, message: String, isMentioned: Bool) {
        #expect(MessageWords(message).mentions(name) == isMentioned)
    }

    @Test(
        "a message quotes a number in any spelling, and a string in quotation marks or too long to be there by chance",
        arguments: [
            ("9", "It is 9", true), ("9", "It is 9.", true), ("9", "It is 19", false), ("9", "It is 9.5", false),
            ("-3", "-3 nights", true), ("3", "-3 nights", false), ("-3", "minus 3", false), ("1000", "1e3 is it", true),
            ("1e3", "more than 1000!", true), ("0.5", "+0.5", true), ("12", "(12)", true), ("7", "a7", true),
            (#""Anonymous""#, "Anonymous wrote it", false), (#""Anonymous""#, "'Anonymous' wrote it", true),
            (#""x""#, "is \"x\"", true), (#""x""#, "is `x`", true), (#""x""#, "is ‘x’", true),
            (#""x""#, "is “x”", true),
            (#""x""#, "is «x»", true), (#""x""#, "ist „x“", true), (#""x""#, "is 'xy'", false),
            (#""""#, "is ''", false),
            (#""Elm Street""#, "in Elm Street.", true), (#""Elm Street""#, "in Elm Streets", false),
            (#""Elm Street""#, "in NElm Street", false), (#""a b""#, "a b", false), (#""a bc""#, "a bc", true),
            ("true", "it is true", false), ("null", "it is null", false), ("[9]", "9", false),
        ])
    func quotes(value: String, message: String, isQuoted: Bool) throws {
        #expect(MessageWords(message).quotes(try Document(json: value).root) == isQuoted)
    }

    @Test("a field that a decoder names is certain, one that an author names is likely, and neither is the document")
    func named() throws {
        let root = try Document(json: #"{"a": [1, {"b": 2}], "ratings": 1}"#).root
        let finder = CulpritFinder(root: root)
        func culprit(
            _ path: String, _ problem: FieldProblem = .noLongerValid(message: "")
        ) -> MigrationFailure.Culprit? {
            finder.culprit(of: .field(path: DocumentPath(path) ?? .root, problem: problem))
        }
        for path in ["$.a", "$.a[1]", "$.a[1].b"] {
            let place = try #require(DocumentPath(path))
            #expect(culprit(path) == .init(path: place, certain: false))
            #expect(culprit(path, .decoding(kind: .dataCorrupted, message: "")) == .init(path: place, certain: true))
        }
        #expect(culprit("$") == nil && culprit("$.x[2]") == nil)
        #expect(culprit("$.rating") == .init(path: DocumentPath([.key("ratings")]), certain: false))
        // An element of a field is named by the name of the field.
        #expect(culprit("$.rating[3]")?.path == DocumentPath([.key("ratings")]))
        #expect(culprit("$.a[2]") == .init(path: DocumentPath([.key("a")]), certain: false))
    }

    @Test("all fields except those of records are searched in a document with very many values")
    func manyRecords() throws {
        for (count, path) in [(10, "$.rows[3].n"), (25_001, nil)] as [(Int, String?)] {
            let rows = (0..<count).map { #"{"n": \#($0 == 3 ? 9 : 1), "m": 1}"# }.joined(separator: ",")
            let json = #"{"rows": [\#(rows)], "head": {"level": 8}}"#
            #expect(try culprit(json, path: nil, message: "9 is too much") == path)
            #expect(try culprit(json, path: nil, message: "The level is wrong") == "$.head.level")
        }
    }

    @Test("the value in the message distinguishes one field in the elements of arrays from the others")
    func records() throws {
        let trip = #"{"places": [{"city": "Nice", "nights": -3}, {"city": "Lyon", "nights": 2}], "nights": 7}"#
        #expect(try culprit(trip, path: "$.legs", message: "Nice has -3 nights") == "$.places[0].nights")
        #expect(try culprit(trip, path: nil, message: "nobody sleeps in 'Lyon'") == "$.places[1].city")
        // A name alone does not say which of them.
        #expect(try culprit(#"{"places": [{"nights": 1}, {"nights": 2}]}"#, path: "$.nights", message: "") == nil)
        #expect(try culprit(#"{"places": [{"nights": 1}, {"nights": 1}]}"#, path: nil, message: "1 nights") == nil)
    }

    @Test("a culprit is not found if nothing is similar")
    func nothing() throws {
        #expect(try culprit(poem, path: "$.mood", message: "Too gloomy") == nil)
        #expect(try culprit(poem, path: nil, message: "It did not work") == nil)
        #expect(try culprit(#"{"a": "x", "b": 2}"#, path: nil, message: "There is a problem") == nil)
        #expect(try culprit("{}", path: "$.rating", message: "x") == nil)
        #expect(try culprit("[1, 2]", path: "$[0].a", message: "x 1") == nil)
    }

    @Test("the version is never the culprit, even if the message has its number")
    func version() throws {
        #expect(try culprit(poem, path: nil, message: "Line 1 is empty") == nil)
    }

    @Test("a word of the message that happens to be a value is not a quotation")
    func chance() throws {
        let json = #"{"mood": "valid", "kind": "is", "n": 90}"#
        #expect(try culprit(json, path: nil, message: "The field is no longer valid: 9") == nil)
    }

    @Test("one shared word of several is not enough")
    func siblings() throws {
        #expect(try culprit(#"{"authorName": "x", "authorTitle": "y"}"#, path: "$.authorBorn", message: "") == nil)
        #expect(try culprit(#"{"lastName": "x"}"#, path: "$.firstName", message: "") == nil)
    }

    @Test("a tie between two fields gives no culprit")
    func tie() throws {
        #expect(try culprit(#"{"firstName": "a", "lastName": "b"}"#, path: "$.name", message: "") == nil)
        #expect(try culprit(#"{"a": 9, "b": 9}"#, path: nil, message: "9 is too much") == nil)
        #expect(
            try culprit(#"{"firstName": "a", "lastName": "b"}"#, path: "$.name", message: "'b' is no name")
                == "$.lastName")
    }

    @Test("an element of a list is searched only if the error's path leads through it")
    func elements() throws {
        let json = #"{"items": [{"unitPrice": 1}, {"unitPrice": 2}]}"#
        #expect(try culprit(json, path: "$.items[1].price", message: "") == "$.items[1].unitPrice")
        #expect(try culprit(json, path: "$.price", message: "") == nil)
    }

    @Test(
        "names are split into words",
        arguments: [
            ("starRating", ["star", "rating"]), ("star_rating", ["star", "rating"]),
            ("StarRating", ["star", "rating"]),
            ("star-rating 2", ["star", "rating", "2"]), ("URL", ["url"]), ("", []), ("_", []),
            ("größeInCm", ["größe", "in", "cm"]),
        ])
    func words(name: String, words: [String]) {
        #expect(FieldName(name).words == words)
    }

    @Test("similarity is symmetric, and is 1 only for the same words")
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
        "the distance of two strings counts inserted, deleted, replaced and swapped letters",
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
