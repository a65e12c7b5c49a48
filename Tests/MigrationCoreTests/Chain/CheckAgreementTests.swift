import DocumentModel
import MigrationCore
import Testing

@Suite("Checking and tracing")
struct CheckAgreementTests {
    private static let seeds = [
        #"{"version": 4, "title": "x", "serves": 2, "ingredients": [{"name": "a", "grams": 1.5}], "source": {"book": "b", "page": 3}}"#,
        #"{"version": 3, "title": "x", "servings": 2, "ingredients": ["a", "b"]}"#,
        #"{"version": 2, "title": "x", "servings": 2, "ingredients": ["Ingredients:", "a", ""]}"#,
        #"{"version": 1, "name": "x", "portions": "2", "ingredients": ["a"]}"#,
        #"{"name": "x", "ingredients": ["a"]}"#,
        #"{"label": {"documentVersion": 3}, "weight": 1.5}"#,
        #"{"version": 2, "weight": 1}"#,
        #"{"_version": 1, "grams": 5}"#,
    ]
    private static let values = [
        "null", "0", "-1", "2", "9", "1.5", "\"\"", "\"two\"", "\"7\"", "[]", "{}", "true", "1e400",
    ]
    private static let names = ["version", "_version", "label", "title", "servings", "grams", "mood", "ingredients"]

    @Test("a check and a trace come to the same outcome for any document")
    func agreement() throws {
        let chains = [MigrationChain(Recipe.self), MigrationChain(Parcel.self)]
        let targets: [DocumentVersion?] = [nil, nil, nil, .number(2), .unversioned, .number(8)]
        var generator = SystemRandomNumberGenerator()
        var outcomes: [MigrationOutcome: Int] = [:]
        for _ in 0..<1500 {
            let json = mutate(Self.seeds.randomElement(using: &generator) ?? "{}", using: &generator)
            let document = try Document(json: json)
            let target = targets.randomElement(using: &generator) ?? nil
            for chain in chains {
                let check = chain.check(document, source: "s", to: target)
                #expect(
                    CheckResult(chain.trace(document, source: "s", to: target)) == check,
                    "\(json) to \(String(describing: target))")
                outcomes[check.outcome, default: 0] += 1
            }
        }
        #expect(outcomes.count == 3)
    }

    /// Replaces some values and some names with others, which may make a name occur twice.
    private func mutate(_ json: String, using generator: inout some RandomNumberGenerator) -> String {
        guard let document = try? Document(json: json) else { return json }
        var text = ""
        for member in document.root.members {
            let value = JSONWriter().string(member.value)
            let changed = Int.random(in: 0..<5, using: &generator)
            text += text.isEmpty ? "{" : ","
            let name = changed == 0 ? Self.names.randomElement(using: &generator) ?? "" : member.name
            text += "\"\(name)\":" + (changed == 1 ? Self.values.randomElement(using: &generator) ?? "0" : value)
        }
        return text + "}"
    }

    @Test("a check and a trace see the same failure, however late it occurs")
    func lateFailure() throws {
        let chain = MigrationChain(Recipe.self)
        let json = #"{"version": 1, "name": "x", "portions": "0", "ingredients": []}"#
        #expect(try CheckResult(chain.trace(json: json)) == chain.check(json: json))
        #expect(try chain.check(json: json).failure?.step == .init(from: .number(3), to: .number(4)))
    }
}
