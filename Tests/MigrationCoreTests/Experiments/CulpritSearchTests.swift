import DocumentModel
import Foundation
import MigrationCore
import Testing

@testable import MigrationCore

/// Every experiment is really run: the search reports what the migration of ``Voyage`` does.
@Suite("The search for a culprit")
struct CulpritSearchTests {
    private let chain = MigrationChain(Voyage.self)

    private static let good = """
        {"version": 1, "captain": "Ada", "capacity": 20, "state": "sails", "isUnchecked": false, "legs": [
            {"port": "Crewe", "cargo": "7", "crew": 3},
            {"port": "Hull", "cargo": "8", "crew": 4},
            {"port": "Leith", "cargo": "5", "crew": 2}
        ]}
        """

    /// Searches for the cause of the failure of the good document with one part replaced.
    private func search(
        replacing old: String, with new: String, budget: ExperimentBudget = .init()
    ) throws -> (culprit: MigrationFailure.Culprit?, runs: [Experiment], failure: MigrationFailure) {
        let text = Self.good.replacingOccurrences(of: old, with: new)
        try #require(text != Self.good)
        let document = try Document(parsing: SourceBytes(text))
        let trace = chain.trace(document)
        var runs: [Experiment] = []
        let search = CulpritSearch(trace, budget: budget) { experiment in
            runs.append(experiment)
            return outcome(try (experiment.sample ?? document).applying(experiment.edits))
        }
        var found = try #require(search)
        return (try found.culprit(), runs, try #require(trace.failure))
    }

    @Test("a search is not started for a document that does not fail or does not parse")
    func nothing() throws {
        let good = chain.trace(try Document(parsing: SourceBytes(Self.good)))
        #expect(CulpritSearch(good) { _ in ExperimentOutcome(nil, version: nil) } == nil)
        #expect(CulpritSearch(chain.trace(Data("{".utf8))) { _ in ExperimentOutcome(nil, version: nil) } == nil)
    }

    @Test("the value that the error message follows is proved, not the one that skips the check")
    func followed() throws {
        let culprit = try #require(try search(replacing: "\"crew\": 4", with: "\"crew\": 9").culprit)
        #expect(culprit.path == path("$.legs[1].crew") && culprit.others.isEmpty && culprit.certain)
        // Of the passing numbers, the nearest is chosen, and both ends of the range are tried.
        #expect(culprit.proof?.finding == .passes(.set(path("$.legs[1].crew"), document("5"))))
        #expect(try values(culprit.proof?.passing) == [0, 1, 2, 3, 4, 5])
        #expect(try values(culprit.proof?.failing).isSuperset(of: [-1, 6, 10, 100]))
    }

    @Test("a value in an element is proved even if the error names a field of the new version")
    func deep() throws {
        let (culprit, _, failure) = try search(replacing: "\"cargo\": \"8\"", with: "\"cargo\": \"eight\"")
        #expect(failure.path == path("$.tons"))
        #expect(culprit?.path == path("$.legs[1].cargo") && culprit?.others == [])
    }

    @Test("a value that the message only quotes, and for which nothing passes, is not reported")
    func quoted() throws {
        let culprit = try search(replacing: "\"sails\"", with: "\"sinks\"").culprit
        #expect(culprit == nil)
    }

    @Test("a value whose removal opens the document is reported as a likely cause, and no other value is")
    func removed() throws {
        let (culprit, _, failure) = try search(
            replacing: #""captain": "Ada""#, with: #""captain": "Ada", "seal": "broken""#)
        #expect(failure.kind == .thrown)
        #expect(culprit?.path == path("$.seal") && culprit?.certain == false && culprit?.others == [])
        #expect(culprit?.proof?.finding == .passes(.remove(path("$.seal"))))
        #expect(culprit?.proofSentences.first == "likely cause: $.seal: opens without it")
    }

    @Test("a value is not blamed just because the message changes when it is removed")
    func followedOnlyWhenRemoved() throws {
        let chain = MigrationChain(Pair.self)
        let document = try Document(json: #"{"version": 1, "first": "a", "second": "b"}"#)
        let search = CulpritSearch(chain.trace(document)) { experiment in
            let result = chain.check(try document.applying(experiment.edits))
            return ExperimentOutcome(result.failure, version: result.version)
        }
        var found = try #require(search)
        #expect(try found.culprit() == nil)
    }

    @Test("all values are named if a change of any one of them would do")
    func tie() throws {
        let (culprit, _, failure) = try search(replacing: "\"capacity\": 20", with: "\"capacity\": 19")
        #expect(failure.step == .init(from: .number(2), to: .number(3)))
        let places = try #require(culprit.map { [$0.path] + $0.others })
        #expect(culprit?.certain == false)
        #expect(Set(places) == Set(["$.capacity", "$.legs[0].cargo", "$.legs[1].cargo", "$.legs[2].cargo"].map(path)))
    }

    @Test("a misspelled key is proved by its new name")
    func misspelt() throws {
        let (culprit, runs, _) = try search(replacing: "captain", with: "captian")
        #expect(culprit?.path == path("$.captian") && culprit?.certain == true)
        #expect(culprit?.proof == CulpritProof(.repair(.rename(path("$.captian"), to: "captain")), .opens))
        #expect(runs.count < 40)
    }

    @Test("a missing key is proved by adding a value")
    func missing() throws {
        let culprit = try #require(try search(replacing: "\"cargo\": \"8\", ", with: "").culprit)
        #expect(culprit.path == path("$.legs[1].cargo"))
        #expect(culprit.proof?.finding == .passes(.add(path("$.legs[1].cargo"), document("\"7\""))))
    }

    @Test("a value of another kind is proved by a value of the expected kind")
    func mismatch() throws {
        let culprit = try #require(try search(replacing: "\"crew\": 4", with: "\"crew\": \"four\"").culprit)
        #expect(culprit.path == path("$.legs[1].crew") && culprit.proof?.passing.contains(document("0")) == true)
    }

    @Test("a version that the chain does not have is proved by one that it has")
    func version() throws {
        let culprit = try #require(try search(replacing: "\"version\": 1", with: "\"version\": 7").culprit)
        #expect(culprit.path == path("$.version"))
        #expect(culprit.proof?.finding == .repair(.set(path("$.version"), document("1"))))
    }

    @Test("the unchanged document is run twice at first, and once more before the proof")
    func repeats() throws {
        let (culprit, runs, _) = try search(replacing: "\"crew\": 4", with: "\"crew\": 9")
        #expect(runs.prefix(2).allSatisfy { $0.edits.isEmpty && !$0.isConfirmation } && !runs[2].edits.isEmpty)
        #expect(runs.suffix(2).map(\.isConfirmation) == [true, true])
        #expect(runs[runs.count - 2].edits.isEmpty)
        guard case .passes(let edit)? = culprit?.proof?.finding else {
            Issue.record("nothing passes")
            return
        }
        #expect(runs.last?.edits == [edit])
    }

    @Test("the version is changed only to others of the chain, and values that nothing reads are never changed")
    func untouched() throws {
        let (_, runs, _) = try search(replacing: "\"sails\"", with: "\"sinks\", \"weather\": \"fair\"")
        let paths = Set(runs.flatMap(\.edits).map(\.path))
        let versions = runs.flatMap(\.edits).compactMap { edit -> String? in
            guard case .set(path("$.version"), let value) = edit else { return nil }
            return value.root.string ?? value.root.numberText
        }
        #expect(paths.contains(path("$.legs[0].port")) && Set(versions).isSubset(of: ["2", "3"]))
        #expect(!paths.contains(path("$.weather")))
    }

    @Test("a document that fails differently each time proves nothing")
    func unrepeatable() throws {
        let text = Self.good.replacingOccurrences(of: "\"crew\": 4", with: "\"crew\": 9")
        let trace = chain.trace(Data(text.utf8))
        var runs = 0
        let search = CulpritSearch(trace) { _ in
            runs += 1
            let another = MigrationFailure(.thrown(message: "another"), step: trace.failure?.step)
            return ExperimentOutcome(runs == 1 ? trace.failure : another, version: .number(1))
        }
        var found = try #require(search)
        #expect(try found.culprit() == nil && runs == 2)
        #expect(found.summary.because == .differs)
    }

    @Test("one failing element of a thousand is found by halving, in a sample that contains it")
    func longArray() throws {
        var legs = (0..<1000).map { "{\"port\": \"P\($0)\", \"cargo\": \"1\", \"crew\": 3}" }
        legs[617] = #"{"port": "P617", "cargo": "one", "crew": 3}"#
        let text = Self.good.replacingOccurrences(of: "\"capacity\": 20", with: "\"capacity\": 2000")
        let start = try #require(text.range(of: "\"legs\": [")).upperBound
        let document = try Document(parsing: SourceBytes(text[..<start] + legs.joined(separator: ",") + "]}"))
        let trace = chain.trace(document)
        var whole = 0
        let search = CulpritSearch(trace) { experiment in
            whole += experiment.sample == nil ? 1 : 0
            if let sample = experiment.sample { #expect(sample.root["legs"]?.count == 3) }
            return outcome(try (experiment.sample ?? document).applying(experiment.edits))
        }
        var found = try #require(search)
        let culprit = try found.culprit()
        #expect(culprit?.path == path("$.legs[617].cargo") && culprit?.certain == true)
        #expect(culprit?.proof?.finding == .passes(.set(path("$.legs[617].cargo"), self.document("\"1\""))))
        // Two unchanged runs, eleven halves, two confirmations, and one run for each reported value.
        let proof = culprit?.proof
        #expect(whole < 20 + (proof?.passing.count ?? 0) + (proof?.failing.count ?? 0))
    }

    @Test("one failing member of a thousand is found in a dictionary, without removing any field of a type")
    func dictionary() throws {
        func ledger(_ amount: String, at place: Int = 617, of count: Int = 1000, form last: String?) throws -> Document
        {
            let accounts = (0..<count).map {
                #""account \#($0)": {"owner": "o", "amount": "\#($0 == place ? amount : "1")"}"#
            }
            let form = last.map { last in (0..<100).map { #""e\#($0)": "\#($0 == 99 ? last : "x")""# } }
            let entries = form.map { "{\($0.joined(separator: ","))}" } ?? "null"
            return try Document(
                json: #"{"version": 1, "accounts": {\#(accounts.joined(separator: ","))}, "form": \#(entries)}"#)
        }
        func found(_ document: Document, _ budget: ExperimentBudget = .init()) throws
            -> (culprit: MigrationFailure.Culprit?, whole: Int)
        {
            let chain = MigrationChain(Ledger.self)
            var whole = 0
            let search = CulpritSearch(chain.trace(document), budget: budget) { experiment in
                whole += experiment.sample == nil ? 1 : 0
                let result = chain.check(try (experiment.sample ?? document).applying(experiment.edits))
                return ExperimentOutcome(result.failure, version: result.version)
            }
            var found = try #require(search)
            return (try found.culprit(), whole)
        }
        func amount(_ place: Int) -> DocumentPath {
            DocumentPath(["accounts", "account \(place)", "amount"].map(DocumentPath.Component.key))
        }
        let (account, runs) = try found(ledger("one", form: nil))
        #expect(account?.path == amount(617) && account?.certain == true && account?.proof != nil)
        let reported = (account?.proof?.passing.count ?? 0) + (account?.proof?.failing.count ?? 0)
        #expect(runs < 20 + reported)
        // The form is required whole, so no dictionary is cut.
        let (field, all) = try found(ledger("1", of: 2, form: "void"))
        #expect(field?.path == path("$.form.e99") && field?.certain == true && all > 100)
        // However early the search has to end, what it proves is right.
        for runs in 3..<40 {
            var budget = ExperimentBudget()
            budget.runs = runs
            let found = try found(ledger("one", at: 37, of: 60, form: nil), budget).culprit
            #expect(found == nil || found?.path == amount(37), "\(runs) runs")
        }
    }

    @Test("a search ends when its budget is spent")
    func budget() throws {
        var budget = ExperimentBudget()
        budget.runs = 5
        let (_, runs, _) = try search(replacing: "\"sails\"", with: "\"sinks\"", budget: budget)
        #expect(runs.count == 5)
        budget = ExperimentBudget()
        budget.bytes = Self.good.utf8.count * 4
        #expect(try search(replacing: "\"sails\"", with: "\"sinks\"", budget: budget).runs.count == 4)
    }

    @Test("a search continues after runs that end their process, up to a limit")
    func lost() throws {
        let text = Self.good.replacingOccurrences(of: "\"crew\": 4", with: "\"crew\": 9")
        let document = try Document(parsing: SourceBytes(text))
        var trace = chain.trace(document)
        let crash = MigrationFailure(
            .crashed(Crash(.trap, lastWords: "Fatal error: crew")), step: .init(from: .number(1), to: .number(2)))
        trace.steps[trace.steps.count - 1].ending = .failed(crash)
        for most in [3, 500] {
            var budget = ExperimentBudget()
            budget.losses = most
            var lost = 0
            let search = CulpritSearch(trace, budget: budget) { experiment in
                let isLost = chain.trace(try document.applying(experiment.edits)).failure != nil
                lost += isLost ? 1 : 0
                return ExperimentOutcome(isLost ? crash : nil, version: nil)
            }
            var found = try #require(search)
            let culprit = try found.culprit()
            if most == 3 { #expect(lost == 3 && culprit == nil) }
            if most == 500 {
                let places = culprit.map { [$0.path] + $0.others }
                // If nothing is checked, the size of the crew does not matter.
                #expect(places == [path("$.legs[1].crew")])
            }
        }
    }

    @Test("the value that a crash's last words follow is proved, although a trace says more of the crash than a run")
    func crash() throws {
        let text = Self.good.replacingOccurrences(of: "\"sails\"", with: "\"sinks\"")
        let document = try Document(parsing: SourceBytes(text))
        func failure(_ document: Document, frame: String?) -> MigrationFailure {
            let sum = document.root["state"]?.string?.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 99_991 } ?? 0
            let words = "Fatal error: no state has the number \(sum)"
            return MigrationFailure(
                .crashed(Crash(.trap, lastWords: words, isVerdict: true), frame: frame),
                step: .init(from: .number(1), to: .number(2)))
        }
        var trace = chain.trace(document)
        trace.steps[0].ending = .failed(failure(document, frame: "make() at Voyage.swift:7"))
        let search = CulpritSearch(trace) { experiment in
            let changed = try (experiment.sample ?? document).applying(experiment.edits)
            return ExperimentOutcome(failure(changed, frame: nil), version: .number(1))
        }
        var found = try #require(search)
        let culprit = try found.culprit()
        #expect(culprit?.path == path("$.state") && culprit?.proof?.finding == .follows)
    }

    @Test("a document too large for the budget is not searched")
    func tooLarge() throws {
        var budget = ExperimentBudget()
        budget.bytes = Self.good.utf8.count * 2
        let text = Self.good.replacingOccurrences(of: "\"sails\"", with: "\"sinks\"")
        let trace = chain.trace(try Document(parsing: SourceBytes(text)))
        var runs = 0
        let search = CulpritSearch(trace, budget: budget) { _ in
            runs += 1
            return ExperimentOutcome(nil, version: nil)
        }
        var found = try #require(search)
        #expect(try found.culprit() == nil && runs == 0)
        #expect(found.summary == FailureSearch(changes: 0, because: .budget))
    }

    @Test("a value inside the JSON string of a preference is proved, and the string stays a string")
    func preferences() throws {
        let chain = MigrationChain(
            preferences: "P",
            keys: [
                StoredPreference("counts", [String: Int].self, storedAs: .native),
                StoredPreference("names", [String].self, storedAs: .native),
            ])
        func culprit(_ counts: String, _ names: String) throws -> MigrationFailure.Culprit? {
            let document = try Preferences.document(["counts": counts, "names": names])
            let search = CulpritSearch(chain.trace(document)) { experiment in
                let changed = try document.applying(experiment.edits)
                #expect(changed.root["counts"]?.kind == .string && changed.root["names"]?.kind == .string)
                let result = chain.check(changed)
                return ExperimentOutcome(result.failure, version: result.version)
            }
            var found = try #require(search)
            return try found.culprit()
        }
        let number = try culprit(#"{"a":1,"b":"two"}"#, "[]")
        #expect(number?.path == path("$.counts.b") && number?.certain == true)
        #expect(number?.proof?.finding == .passes(.set(path("$.counts.b"), self.document("0"))))
        let text = try culprit(#"{"a":1}"#, #"["x",3,"y"]"#)
        #expect(text?.path == path("$.names[1]") && text?.proof?.finding != nil)
        // That the rest passes without the failing part proves nothing about that part.
        #expect(try culprit(#"{"a":1}"#, #"["cut sh"#) == nil)
    }

    private func outcome(_ document: Document) -> ExperimentOutcome {
        let result = chain.check(document)
        return ExperimentOutcome(result.failure, version: result.version)
    }

    private func values(_ documents: [Document]?) throws -> Set<Int> {
        Set(try #require(documents).compactMap(\.root.wholeNumber))
    }

    private func path(_ text: String) -> DocumentPath { DocumentPath(text)! }

    private func document(_ text: String) -> Document { try! Document(parsing: SourceBytes(text)) }
}
