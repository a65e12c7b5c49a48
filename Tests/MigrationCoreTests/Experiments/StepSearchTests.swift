import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("The search for the origins of a step's values")
struct StepSearchTests {
    /// An order made from its lines and its other fields.
    private struct Bill: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = BillV1
        var firstName: String
        var total: Int
        var lines: [String]
        var isLarge: Bool
        var currency: String
        var id: UUID
        var country: String

        init(from old: BillV1) throws {
            struct Refused: Error {}
            let names = old.customer.split(separator: " ")
            firstName = names.first.map(String.init) ?? ""
            total = old.lines.reduce(0) { $0 + $1.count * $1.price }
            lines = old.lines.map(\.name)
            isLarge = old.lines.count > 100
            currency = "EUR"
            id = UUID()
            country = old.country
            guard old.unit == "piece" else { throw Refused() }
        }
    }

    private struct BillV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Line: Codable {
            var name: String
            var count: Int
            var price: Int
            var shelf: String
        }
        enum Kind: String, Codable { case person, company }
        var customer: String
        var country: String
        var unit: String
        var lines: [Line]
        var remark: String
        var isGift: Bool
        var kind: Kind
    }

    private let chain = MigrationChain(Bill.self)

    private static let text = """
        {"version": 1, "customer": "Ada Lovelace", "country": "UK", "unit": "piece", "remark": "be quick", "isGift": true,
         "kind": "company", "lines": [
            {"name": "pen", "count": 2, "price": 3, "shelf": "A1"}, {"name": "ink", "count": 1, "price": 8, "shelf": "B2"},
            {"name": "cap", "count": 7, "price": 1, "shelf": "C3"}, {"name": "nib", "count": 5, "price": 2, "shelf": "D4"}]}
        """

    private func examined(
        budget: ExperimentBudget = ExperimentBudget(),
        outcome: @escaping (StepSearch.Outcome) -> StepSearch.Outcome = { $0 }
    ) throws -> ExaminedStep {
        try ExaminedStep(Document(json: Self.text), of: chain, budget: budget, outcome: outcome)
    }

    private func paths(_ texts: String...) -> [DocumentPath] { texts.compactMap(DocumentPath.init) }

    @Test("the origins of each new value are found, and a value that the step makes by itself has none")
    func origins() throws {
        let examined = try examined()
        #expect(examined.origins(of: "$.firstName") == ["$.customer"])
        #expect(examined.origins(of: "$.total") == ["$.lines[*].count", "$.lines[*].price"])
        #expect(examined.origins(of: "$.id") == nil && examined.finding?.differing == paths("$.id"))
        // Unchanged values and the version have no origin.
        #expect(examined.origins(of: "$.country") == nil && examined.origins(of: "$.version") == nil)
        // No other unit is accepted, so these values may be made from it.
        #expect(examined.origins(of: "$.currency") == nil && examined.origins(of: "$.isLarge") == nil)
    }

    @Test("forgotten values are found, folded if forgotten in every element, and checked values are not among them")
    func losses() throws {
        let examined = try examined()
        // All cases of the kind are known.
        #expect(examined.lost == ["$.remark", "$.isGift", "$.kind", "$.lines[*].shelf"])
        // No other unit is accepted.
        #expect(examined.finding?.left.map { "\($0.path) \($0.because)" } == ["$.unit refused"])
    }

    private struct Titled: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = TitledV1
        var title: String
        var count: Int
        init(from old: TitledV1) throws {
            title = old.attributes["title"] ?? ""
            count = 1
        }
    }

    private struct TitledV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var attributes: [String: String]
    }

    @Test("the member of a large dictionary that a value comes from is found")
    func dictionaries() throws {
        let members = (0..<100).map { "\"k\($0)\": \"v\"" } + ["\"title\": \"Log\"", "\"z\": \"v\""]
        let document = try Document(json: "{\"version\": 1, \"attributes\": {\(members.joined(separator: ","))}}")
        let examined = try ExaminedStep(document, of: MigrationChain(Titled.self))
        #expect(examined.origins(of: "$.title") == ["$.attributes.title"])
        #expect(examined.origins(of: "$.count") == [])
    }

    @Test("a value that matters to the whole document is not reported as lost")
    func onlyInSample() throws {
        let document = try Document(parsing: SourceBytes(#"{"version": 1, "note": "a", "parts": [1, 2, 3, 4, 5]}"#))
        // Only the number of parts matters.
        #expect(try ExaminedStep(document, of: MigrationChain(Parts.self)).lost == ["$.parts[*]"])
    }

    /// Has its note only if it has more than four parts.
    private struct Parts: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = PartsV1
        var text: String

        init(from old: PartsV1) throws { text = old.parts.count > 4 ? old.note : "few" }
    }

    private struct PartsV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var note: String
        var parts: [Int]
    }

    @Test("a step that fails when repeated, or differs as a whole, has no finding")
    func unrepeatable() throws {
        let failing = try examined { _ in .refused(.refused) }
        #expect(failing.finding == nil && failing.runs == 1)
        let number = try Document(parsing: SourceBytes("1"))
        let other = try examined { _ in .made(number) }
        #expect(other.finding == nil && other.runs == 1)
    }

    @Test("a loss or an origin without enough runs is not claimed, and is reported as unknown")
    func budget() throws {
        var budget = ExperimentBudget()
        budget.runs = 8
        let examined = try examined(budget: budget)
        #expect(examined.runs == 8 && examined.lost == [])
        #expect(examined.finding?.origins.contains { $0.from.isEmpty } == false)
        #expect(examined.finding?.left.contains { $0.because == .budget } == true)
    }

    @Test(
        "however early the runs end, only what is lost with all runs is reported as lost, and the rest is left open",
        arguments: [
            (MigrationChain(Filtered.self), Filtered.text),
            (MigrationChain(Parts.self), #"{"version": 1, "note": "a", "parts": [1, 2, 3, 4, 5]}"#),
        ] as [(MigrationChain, String)])
    func fewRuns(chain: MigrationChain, text: String) throws {
        let document = try Document(json: text)
        let whole = try ExaminedStep(document, of: chain)
        let lost = try #require(whole.finding?.lost.map(\.foldingIndices))
        try #require(!lost.isEmpty)
        for runs in stride(from: 3, to: whole.runs, by: max(1, whole.runs / 25)) {
            var budget = ExperimentBudget()
            budget.runs = runs
            let early = try #require(try ExaminedStep(document, of: chain, budget: budget).finding)
            for path in early.lost.map(\.foldingIndices) {
                #expect(lost.contains(where: path.hasPrefix), "\(path) with \(runs) runs")
            }
            let known = early.lost + early.left.map(\.path)
            for path in lost {
                #expect(
                    known.contains { $0.foldingIndices.hasPrefix(path) || path.hasPrefix($0.foldingIndices) },
                    "\(path) with \(runs) runs")
            }
        }
    }

    @Test("a value is reported as lost only after four other values made no difference, whenever the runs end")
    func confirmations() throws {
        func step(_ document: Document) throws -> Document {
            Document(object: document.root.members.filter { $0.name == "text" }.map { ($0.name, $0.value) })
        }
        let before = try Document(json: #"{"note": "some words", "text": "kept"}"#)
        var lost: [DocumentPath] = []
        for runs in 3...40 {
            var budget = ExperimentBudget()
            budget.runs = runs
            var tried: Set<String> = []
            let search = StepSearch(before: before, after: try step(before), versions: [], budget: budget) {
                if let note = $0.root["note"]?.string, note != "some words" { tried.insert(note) }
                return .made(try step($0))
            }
            var made = try #require(search)
            lost = try made.finding()?.lost ?? []
            #expect(lost.isEmpty || tried.count >= TrialValues.enough, "\(runs) runs, \(tried)")
        }
        #expect(lost == paths("$.note"))
    }

    /// Keeps the entries that have a name, without their remarks, and counts the tags of all entries.
    private struct Filtered: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = FilteredV1
        var names: [String]
        var tagCount: Int

        init(from old: FilteredV1) {
            names = old.entries.map(\.name).filter { !$0.isEmpty }
            tagCount = old.entries.reduce(0) { $0 + $1.tags.count }
        }

        static let text = """
            {"version": 1, "owner": "Ada", "entries": [
                {"name": "a", "remark": "x", "size": 5, "tags": ["t", "u"]}, {"name": "", "remark": "y", "size": 70, "tags": ["v"]},
                {"name": "c", "remark": "z", "size": 800, "tags": []}]}
            """
    }

    private struct FilteredV1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        struct Entry: Codable {
            var name: String
            var remark: String
            var size: Int
            var tags: [String]
        }
        var owner: String
        var entries: [Entry]
    }

    @Test("intended losses are listed separately")
    func intended() throws {
        let found = try #require(try examined().finding)
        let intending = found.intending(paths("$.lines[*].shelf", "$.isGift"))
        #expect(intending.lost == paths("$.remark", "$.kind"))
        #expect(intending.intended == paths("$.isGift", "$.lines[*].shelf") && intending.origins == found.origins)
        let chain = MigrationChain(Bill.self, intendedLosses: [2: ["$.remark"]])
        #expect(chain.intendedLosses == [[], paths("$.remark")])
    }

    @Test("an intended loss is neither narrowed nor unknown, in any element and with everything inside it")
    func intendedOfEachKind() throws {
        let price = try #require(DocumentPath("$.lines[3].price"))
        let name = try #require(DocumentPath("$.name"))
        func left(_ path: DocumentPath) -> StepFinding.Left { .init(path: path, count: 1, because: .refused) }
        let found = StepFinding(
            origins: [], lost: [price.appending(key: "cents"), name],
            narrowed: [Narrowing(path: price, how: .digits), Narrowing(path: name, how: .cut)],
            left: [left(price), left(name)]
        ).intending(paths("$.lines[*].price"))
        #expect(found.lost == [name] && found.narrowed == [Narrowing(path: name, how: .cut)])
        #expect(found.left == [left(name)] && found.intended == [price.appending(key: "cents"), price])
    }

    @Test("a finding is encoded with its step and decodes to the same")
    func coding() throws {
        var trace = chain.trace(try Document(parsing: SourceBytes(Self.text)))
        let found = try #require(try examined().finding).intending(paths("$.isGift"))
        trace.steps[0].finding = found
        let read = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(read.steps[0].finding == found)
        trace.steps[0].finding = nil
        let none = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(none.steps[0].finding == nil)
    }
}
