import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationWorker

@Suite("Opening a document")
struct DocumentOpenerTests {
    private let folder = try! TemporaryFolder()
    private let opener = DocumentOpener(chains: ExampleChains.all)

    private func document(_ text: String, _ name: String = "a.json") throws -> DocumentReference {
        GivenName(FilePath(try folder.write(text, to: name))).document
    }

    private func trace(
        _ request: WorkerRequest, _ wanted: Wanted<MigrationTrace> = .trace
    ) throws -> MigrationTrace {
        try wanted.reply(of: opener, to: request).get()
    }

    @Test("an opener reports how much of a document is read and parsed, up to all of it", arguments: [true, false])
    func progress(isAtHand: Bool) throws {
        let text = "[" + String(repeating: "1,", count: 1_500_000) + "1]"
        let reported = Collected<(byteCount: Int, share: Double)>()
        let opener = DocumentOpener(chains: []) { reported.append(($0, $1)) }
        let document = try document(text)
        let request = WorkerRequest(document, bytes: isAtHand ? SourceBytes(text) : nil)
        _ = Wanted.document.reply(of: opener, to: request)
        let shares = reported.all.map(\.share)
        #expect(
            shares == shares.sorted() && shares.last == 1 && reported.all.allSatisfy { $0.byteCount == text.utf8.count }
        )
        #expect(shares.contains(0.2))
        // Reading is the first fifth, and parsing is the rest.
        #expect(shares.contains { $0 > 0 && $0 < 0.2 } == !isAtHand && shares.contains { $0 > 0.2 && $0 < 1 })
    }

    /// A note whose decoder allows JSON5.
    private struct Note: VersionedCodable {
        var title: String
        var weight: Double
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("JSON5 is read by a chain that allows it, and is malformed for any other chain that would claim it")
    func json5() throws {
        let notes = MigrationChain(Note.self, decoding: DecodingStrategies(allowsJSON5: true))
        let opener = DocumentOpener(chains: ExampleChains.all + [notes])
        func trace(_ text: String, _ chain: String? = nil, edits: [DocumentEdit] = []) throws -> MigrationTrace {
            try Wanted.trace.reply(
                of: opener, to: WorkerRequest(document(text, "a.json5"), edits: edits, chain: chain)
            ).get()
        }
        let note = "{version: 1, title: 'Lear', /* c */ weight: Infinity}"
        let read = try trace(note)
        #expect(read.chain == "Note" && read.outcome == .current && read.format == .json5)
        let edits = [DocumentEdit.set(DocumentPath([.key("title")]), Document(text: "Ada"))]
        let edited = try trace(note, edits: edits)
        #expect(edited.outcome == .current && edited.format == .json5)
        #expect(
            edited.document?.source.map { $0.string(in: 0..<$0.count) }
                == #"{version: 1, title: "Ada", /* c */ weight: Infinity}"#)
        let named = try trace(note, "Poem")
        #expect(
            named.failure?.message == "found the name 'version' without quotation marks, which JSON does not have, "
                + "expected double quotation marks around it")
        let poem = try trace("{\"version\": 1, // c\n\"author\": \"A\", \"poem\": \"B\", \"starRating\": 3}")
        #expect(poem.chain == "Poem" && poem.outcome == .failed && poem.failure?.kind == .malformed)
        #expect(poem.failure?.location?.column == 16)
        let other = try trace("{other: 1}")
        #expect(other.outcome == .unrecognized)
    }

    @Test("the trace of a document that cannot be read or parsed has the requested chain and target version")
    func ended() throws {
        let missing = GivenName(FilePath(folder.path("missing.json"))).document
        for (document, kind, format) in [
            (missing, MigrationFailure.Kind.unreadable, nil), (try document("{"), .malformed, .json),
            (try document("bplist00", "a.plist"), .malformed, .plistBinary),
        ] as [(DocumentReference, MigrationFailure.Kind, DocumentFormat?)] {
            for wanted in [Wanted<MigrationTrace>.trace, .detection] {
                let trace = try trace(WorkerRequest(document, chain: "Poem", target: .number(2)), wanted)
                #expect(trace.failure?.kind == kind && trace.format == format && trace.document == nil)
                #expect(trace.chain == "Poem" && trace.target == .number(2) && trace.versions.count == 4)
                #expect(trace.source == document.name)
            }
            let newest = try trace(WorkerRequest(document, chain: "Poem"))
            #expect(newest.target == .number(3))
            let unknown = try trace(WorkerRequest(document))
            #expect(unknown.chain == nil && unknown.target == nil && unknown.versions.isEmpty)
            let read = try trace(WorkerRequest(document), .document)
            #expect(read.document == nil && read.format == nil)
        }
    }

    @Test("the trace of a document that no chain claims keeps the edited document")
    func unrecognized() throws {
        let document = try document(#"{"nothing": "known"}"#)
        let path = try #require(DocumentPath("$.nothing"))
        let edits = [DocumentEdit.set(path, try Document(json: "7"))]
        for wanted in [Wanted<MigrationTrace>.trace, .detection, .document] {
            let trace = try trace(WorkerRequest(document, edits: edits), wanted)
            #expect(trace.document?.root["nothing"]?.numberText == "7" && trace.format == .json)
            #expect((trace.outcome == .unrecognized) == (wanted.name != .document))
            if case .unrecognized(let reasons) = trace.opening { #expect(!reasons.isEmpty) }
        }
        let absent = DocumentEdit.remove(try #require(DocumentPath("$.absent")))
        let request = WorkerRequest(document, edits: [absent])
        #expect(Wanted.outcome.reply(of: opener, to: request).answer == nil)
        for wanted in [Wanted<MigrationTrace>.trace, .step, .detection, .document] {
            #expect(wanted.reply(of: opener, to: request).answer == nil, "\(wanted.name)")
        }
    }

    @Test(
        "the chain of a column is the one that fits most rows, the first one in a tie, or the one that the request names"
    )
    func series() throws {
        let poem = #"{"version":1,"author":"A","poem":"One","starRating":5}"#
        let letter = #"{"_version":1,"sender":"a","recipient":"b","body":"c"}"#
        func chain(
            _ rows: [String], named name: String? = nil, among chains: [MigrationChain] = ExampleChains.all
        ) throws -> String? {
            let file = folder.path("\(UUID().uuidString).sqlite")
            let values = rows.map { "('\($0)')" }.joined(separator: ", ")
            try StoreWriter.make(
                file, "CREATE TABLE T (ID INTEGER PRIMARY KEY, D TEXT)", "INSERT INTO T (D) VALUES \(values)")
            let cell = GivenName(FilePath(file + "#T/1/D")).document
            let opener = DocumentOpener(chains: chains)
            var found: [String?] = []
            // The second time, the chain is already known.
            for _ in 0..<2 {
                let request = WorkerRequest(cell, chain: name)
                guard case .known(let chain) = try Wanted.seriesChain.reply(of: opener, to: request).get() else {
                    Issue.record("the chain of \(rows) was not found out")
                    continue
                }
                found.append(chain)
                #expect(try Wanted.detection.reply(of: opener, to: request).get().chain == chain)
            }
            try #require(found.count == 2 && found[0] == found[1])
            return found[0]
        }
        #expect(try chain([poem, letter, letter]) == "Letter" && chain([letter, poem, poem]) == "Poem")
        #expect(try chain([letter, poem]) == "Poem")
        #expect(try chain([poem, letter], among: ExampleChains.all.reversed()) == "Letter")
        #expect(try chain(["{}", "[]", "{", poem]) == "Poem" && chain(["{}"]) == nil)
        #expect(try chain([poem], named: "Letter") == "Letter")
        let gone = GivenName(FilePath(folder.path("gone.sqlite#T/1/D"))).document
        #expect(
            try Wanted.seriesChain.reply(of: opener, to: WorkerRequest(gone)).get()
                == .unknown(.unreadable(problem: .noSuchFile)))
    }
}
