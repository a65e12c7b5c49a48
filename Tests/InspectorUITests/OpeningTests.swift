import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The document shown first")
struct OpeningTests {
    private let traces = [PoemFixtures.current, PoemFixtures.migrating, PoemFixtures.failing, PoemFixtures.failing]

    @Test("a folder opens on its first failure")
    func firstFailure() {
        let session = Session(traces, opensOnFailure: true)
        #expect(session.inspector.documents.selectedDocument == 2)
    }

    @Test("the first failure is selected only after all documents before it are checked")
    func order() {
        var session = Session(traces, checked: false, opensOnFailure: true)
        session.send(.checked([CheckedDocument(3, result: CheckResult(PoemFixtures.failing))]))
        #expect(session.inspector.documents.selectedDocument == 0)
        for number in [0, 1, 2] {
            session.send(.checked([CheckedDocument(.init(number), result: CheckResult(traces[number]))]))
        }
        #expect(session.inspector.documents.selectedDocument == 2)
        // This happens only once: later results don't move the selection.
        session.type("j")
        session.send(.checked([CheckedDocument(0, result: CheckResult(PoemFixtures.failing))]))
        #expect(session.inspector.documents.selectedDocument == 3)
    }

    @Test("a selection made by the user stays where it is")
    func moved() {
        var session = Session(traces, checked: false, opensOnFailure: true)
        session.type("j")
        session.send(.checked(traces.enumerated().map { CheckedDocument(.init($0), result: CheckResult($1)) }))
        #expect(session.inspector.documents.selectedDocument == 1)
    }

    @Test("a requested document is opened as soon as it is found")
    func asked() {
        var inspector = Inspector(title: "demo", first: "b")
        _ = inspector.handle(.found([FoundDocument(id: 0, name: "a"), FoundDocument(id: 1, name: "b")]))
        #expect(inspector.documents.selectedDocument == 1)
    }

    @Test("e shows which of the problems it is at, and when it wraps")
    func count() {
        var session = Session(traces)
        session.type("e")
        #expect(session.screen.contains("1 of 2 problems") && !session.screen.contains("on from"))
        session.type("e e")
        #expect(session.screen.contains("1 of 2 problems") && session.screen.contains("on from the top"))
        session.type("E")
        #expect(session.screen.contains("2 of 2 problems") && session.screen.contains("on from the bottom"))
    }
}
