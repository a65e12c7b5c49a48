import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("The search for what a step's values depend on")
struct StepSearchTests {
    /// An order that is made of its lines, and of what else is in it.
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

    private func finding(
        _ chain: MigrationChain? = nil, budget: ExperimentBudget = ExperimentBudget(),
        outcome: ((StepSearch.Outcome) -> StepSearch.Outcome)? = nil, refusesSamples: Bool = false
    ) throws -> (finding: StepFinding?, runs: [Experiment]) {
        let chain = chain ?? self.chain
        let document = try Document(parsing: SourceBytes(Self.text))
        let step = try #require(chain.trace(document).steps.first)
        let version = DocumentPath([.key("version")])
        var search = try #require(StepSearch(step, versions: [version], budget: budget))
        var runs: [Experiment] = []
        while let experiment = search.next {
            runs.append(experiment)
            let base = experiment.isOfSample ? try #require(search.sample) : document
            let trace = chain.trace(try base.applying(experiment.edits), to: .number(2))
            let result: StepSearch.Outcome =
                trace.steps.isEmpty ? .notDecoded : trace.steps.last?.after.map { .made($0) } ?? .failed
            if experiment.isOfSample, refusesSamples {
                search.take(.failed)
                continue
            }
            search.take(outcome.map { $0(result) } ?? result)
        }
        return (search.finding, runs)
    }

    /// What is found out about the first step of another document, whatever its chain.
    private func finding(_ chain: MigrationChain, in document: Document) throws -> StepFinding? {
        let step = try #require(chain.trace(document).steps.first)
        var search = try #require(StepSearch(step, versions: [DocumentPath([.key("version")])]))
        while let experiment = search.next {
            let base = experiment.isOfSample ? try #require(search.sample) : document
            let trace = chain.trace(try base.applying(experiment.edits))
            search.take(trace.steps.last?.after.map { .made($0) } ?? .notDecoded)
        }
        return search.finding
    }

    private func paths(_ texts: String...) -> [DocumentPath] { texts.compactMap(DocumentPath.init) }

    @Test("finds the values behind each new one, and none behind what the step makes by itself")
    func origins() throws {
        let (found, runs) = try finding()
        let origins = try #require(found?.origins)
        func from(_ path: String) -> [DocumentPath]? { origins.first { "\($0.path)" == path }?.from }
        #expect(from("$.firstName") == paths("$.customer"))
        #expect(from("$.total") == paths("$.lines[*].count", "$.lines[*].price"))
        #expect(from("$.currency") == [] && from("$.isLarge") == [])
        #expect(from("$.id") == nil && found?.differing == paths("$.id"))
        // What stays as it was, and the version, have no origin to tell.
        #expect(from("$.country") == nil && from("$.version") == nil)
        #expect(runs.prefix(2).allSatisfy { $0.edits.isEmpty })
        #expect(!runs.flatMap(\.edits).contains { $0.path == paths("$.version")[0] })
    }

    @Test("finds what the step forgets, folded where it forgets it of every element; never what it checks")
    func losses() throws {
        // Of a kind with two cases one other can be tried at most, and it is known of no text that it is one.
        #expect(try finding().finding?.lost == paths("$.remark", "$.isGift", "$.lines[*].shelf"))
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

    @Test("does not say that the step makes what may come from a member of a dictionary that was not tried")
    func dictionaries() throws {
        let members = (0..<100).map { "\"k\($0)\": \"v\"" } + ["\"title\": \"Log\"", "\"z\": \"v\""]
        let document = try Document(json: "{\"version\": 1, \"attributes\": {\(members.joined(separator: ","))}}")
        let found = try finding(MigrationChain(Titled.self), in: document)
        let origins = try #require(found?.origins)
        // What moved is known; of the count it is not known whether all members together make it.
        #expect(origins == [ValueOrigin(path: paths("$.title")[0], from: paths("$.attributes.title"))], "\(origins)")
    }

    @Test("changes a sample of a document with a long array, and tries what is lost there with all of it")
    func sample() throws {
        let runs = try finding().runs
        let touched = Set(runs.filter(\.isOfSample).flatMap(\.edits).map(\.path))
        #expect(touched.contains(paths("$.lines[0].count")[0]) && touched.contains(paths("$.lines[1].count")[0]))
        #expect(!touched.contains(paths("$.lines[2].count")[0]))
        let confirmed = runs.drop { !$0.isOfSample }.filter { !$0.isOfSample }.flatMap(\.edits).map(\.path)
        #expect(Set(confirmed) == Set(paths("$.remark", "$.isGift", "$.lines[0].shelf", "$.lines[3].shelf")))
        #expect(confirmed.count { $0 == paths("$.lines[3].shelf")[0] } == 4)
    }

    @Test("calls nothing lost that matters to the whole document")
    func onlyInSample() throws {
        let document = try Document(parsing: SourceBytes(#"{"version": 1, "note": "a", "parts": [1, 2, 3, 4, 5]}"#))
        let found = try finding(MigrationChain(Parts.self), in: document)
        // In the sample the note is lost as well; of the parts only their number matters.
        #expect(found?.lost == paths("$.parts[*]"))
    }

    @Test("changes the whole document where the step does not take a sample of it")
    func noSample() throws {
        let (found, runs) = try finding(outcome: nil, refusesSamples: true)
        #expect(runs.filter(\.isOfSample).count == 1 && found?.lost.contains(paths("$.remark")[0]) == true)
    }

    /// Has its note only where it has more than four parts.
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

    @Test("says nothing of a step that fails when it is run again, or differs as a whole")
    func unrepeatable() throws {
        let failing = try finding { _ in .failed }
        #expect(failing.finding == nil && failing.runs.count == 1)
        let number = try Document(parsing: SourceBytes("1"))
        let other = try finding { _ in .made(number) }
        #expect(other.finding == nil && other.runs.count == 1)
    }

    @Test("claims no loss and no origin that it had no runs for")
    func budget() throws {
        var budget = ExperimentBudget()
        budget.runs = 20
        let (found, runs) = try finding(budget: budget)
        #expect(runs.count == 20 && found?.lost == [])
        #expect(found?.origins.contains { $0.from.isEmpty } == false)
    }

    @Test("tells intended losses apart")
    func intended() throws {
        let found = try #require(try finding().finding)
        let intending = found.intending(paths("$.lines[*].shelf", "$.isGift"))
        #expect(intending.lost == paths("$.remark"))
        #expect(intending.intended == paths("$.isGift", "$.lines[*].shelf") && intending.origins == found.origins)
        let chain = MigrationChain(Bill.self, intendedLosses: [2: ["$.remark"]])
        #expect(chain.intendedLosses == [[], paths("$.remark")])
    }

    @Test("is written with its step, and read again")
    func coding() throws {
        var trace = chain.trace(try Document(parsing: SourceBytes(Self.text)))
        let found = try #require(try finding().finding).intending(paths("$.isGift"))
        trace.steps[0].finding = found
        let read = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(read.steps[0].finding == found)
        trace.steps[0].finding = nil
        let none = try JSONDecoder().decode(MigrationTrace.self, from: JSONEncoder().encode(trace))
        #expect(none.steps[0].finding == nil)
    }
}
