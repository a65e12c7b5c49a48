import DocumentModel
import Testing

@testable import MigrationCore

@Suite("Values of which no experiment shows that nothing made them")
struct WeakEvidenceTests {
    /// Returns the finding about a step that `make` performs on the text of JSON. It refuses what it makes no JSON of.
    private func finding(
        _ text: String, findsOrigins: Bool = true, _ make: @escaping (DocumentNode) -> String
    ) throws -> StepFinding {
        let before = try Document(json: text)
        var search = try #require(
            StepSearch(
                before: before, after: try Document(json: make(before.root)), versions: [], findsOrigins: findsOrigins
            ) { before in (try? Document(json: make(before.root))).map { .made($0) } ?? .refused(.refused) })
        return try #require(try search.finding())
    }

    /// The paths of the values of which the finding says that the step made them.
    private func made(_ finding: StepFinding) -> [String] {
        finding.origins.filter(\.from.isEmpty).map { "\($0.path)" }
    }

    @Test("a word of a text is not made by the step, even if only another word of the text showed a change")
    func parts() throws {
        let finding = try finding(#"{"sky": "wind 12.5 north"}"#) { root in
            let words = (root["sky"]?.string ?? "").split(separator: " ")
            let from = words.last.map { ["north", "south"].contains(String($0)) ? String($0) : "north" } ?? "north"
            return #"{"speed": "\#(words.dropFirst().first ?? "0")", "from": "\#(from)", "unit": "knots"}"#
        }
        #expect(!made(finding).contains("$.from"))
    }

    @Test("a Boolean is not made by the step if a lost value may decide it")
    func booleans() throws {
        func step(_ root: DocumentNode) -> String {
            #"{"express": \#(root["speed"]?.string == "by courier"), "unit": "kg"}"#
        }
        let lost = try finding(#"{"speed": "slow"}"#, step)
        #expect(made(lost) == ["$.unit"] && lost.lost.map { "\($0)" } == ["$.speed"])
    }

    @Test("a text that holds a document is not made by the step that writes it again")
    func documents() throws {
        let finding = try finding(#"{"name": "Ada"}"#) { root in
            #"{"name": "\#(root["name"]?.string ?? "")", "held": "{\"a\":1}", "unit": "kg"}"#
        }
        #expect(made(finding) == ["$.unit"])
    }

    @Test(
        "a check finds that a string is kept in other letters, without looking for origins", arguments: [true, false])
    func letters(findsOrigins: Bool) throws {
        let finding = try finding(#"{"owner": "Nat", "place": {"city": "Crewe"}}"#, findsOrigins: findsOrigins) {
            root in
            let city = root["place"]?["city"]?.string ?? ""
            return #"{"owner": "\#((root["owner"]?.string ?? "").lowercased())", "city": "\#(city.uppercased())"}"#
        }
        #expect(finding.narrowed.map { "\($0.path) \($0.how)" } == ["$.owner case", "$.place.city case"])
    }

    @Test("a text is not made by the step if another kind of a value changes it", arguments: [true, false])
    func otherKinds(isKept: Bool) throws {
        let finding = try finding(#"{"zip": 12345, "name": "Ada"}"#) { root in
            let kept = isKept ? #""zip": \#(root["zip"].map { JSONWriter(layout: .compact).string($0) } ?? "0"),"# : ""
            return #"{\#(kept) "name": "\#(root["name"]?.string ?? "")", "code": "\#(root["zip"]?.string ?? "")", "#
                + #""unit": "kg"}"#
        }
        #expect(made(finding) == ["$.unit"])
    }

    @Test(
        "a date of which the result keeps the year or the month is narrowed",
        arguments: [
            ("2024-03-05", 4), ("2024-03-05", 7), ("2024-03-05T10:20:30Z", 4), ("2023/11/30 08:00", 7),
            ("2024-03-01", 4),
        ])
    func days(date: String, kept: Int) throws {
        let finding = try finding(#"{"sent": "\#(date)"}"#) { root in
            let text = root["sent"]?.string ?? ""
            // The text has to be a date, so that a shorter one is refused.
            guard text.wholeMatch(of: /\d{4}[-\/](0[1-9]|1[0-2])[-\/](0[1-9]|[12]\d|3[01])([T ].*)?/) != nil else {
                return ""
            }
            return #"{"period": "\#(text.prefix(kept))"}"#
        }
        #expect(finding.narrowed.map { "\($0.path) \($0.how)" } == ["$.sent day"])
    }

    @Test(
        "a value has not moved to one that is equal by chance", arguments: ["ounces / 2 + size", "size * 2", "ounces"])
    func chance(price: String) throws {
        let finding = try finding(#"{"ounces": 4, "size": 2}"#) { root in
            let ounces = root["ounces"]?.numberText.flatMap(Double.init) ?? 0
            let size = root["size"]?.numberText.flatMap(Double.init) ?? 0
            let result =
                switch price {
                case "ounces": ounces
                case "size * 2": size * 2
                default: ounces / 2 + size
                }
            return #"{"size": \#(size), "price": \#(result)}"#
        }
        #expect(finding.notMoved.isEmpty == (price == "ounces"))
    }

    @Test("a value is not lost if the value of a sibling in its place changes the result", arguments: 0..<12)
    func siblings(fields: Int) throws {
        let others = (0..<fields).map { #""field\#($0)": "text\#($0)", "# }.joined()
        let crates =
            #"{"crates": [{"fruit": "fig", "kg": 1, "grade": "C"}, {"fruit": "nut", "kg": 5, "grade": "A"}, "#
            + #"{"fruit": "fig", "kg": 2, "grade": "C"}, {"fruit": "plum", "kg": 4, "grade": "A"}]}"#
        let finding = try finding(#"{\#(others)"sheds": [\#(crates)]}"#) { root in
            var total = 0.0
            let shed = root["sheds"]?.elements.first { _ in true }
            for crate in shed?["crates"]?.elements.map({ $0 }) ?? [] where crate["grade"]?.string != "C" {
                total += crate["kg"]?.numberText.flatMap(Double.init) ?? 0
            }
            return #"{"total": \#(total)}"#
        }
        #expect(finding.lost.filter { $0.lastKey == "grade" } == [])
    }

    @Test("a number is not lost if its sign alone changes the result", arguments: ["1", "2", "0.5", "-1", "-40"])
    func signs(latitude: String) throws {
        let finding = try finding(#"{"lat": \#(latitude)}"#) { root in
            #"{"hemisphere": "\#(root["lat"]?.numberText?.hasPrefix("-") == true ? "S" : "N")"}"#
        }
        #expect(finding.lost == [])
    }
}
