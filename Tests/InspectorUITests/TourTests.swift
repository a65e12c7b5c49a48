import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("A tour")
struct TourTests {
    private static let tour = GuidedTour([
        .init("First", "One looks at this.", document: "poem-v1.json", task: "Press v and v.", keys: ["v", "v"]),
        .init("Second", "And at that.", document: "poem-rating-9.json", task: "Press 2.", keys: ["2 3"]),
        .init("Third", "This is not here.", document: "nowhere.json"),
        .init("Last", "That was all."),
    ])

    private static func inspector(_ traces: [MigrationTrace], starts: Bool = true) -> Session {
        var session = Session(traces, width: 100, height: 30)
        session.inspector = Inspector(title: "demo-data", tour: tour, startsTour: starts)
        session.send(.input(.resize(width: 100, height: 30)))
        session.send(
            .found(traces.enumerated().map { FoundDocument(id: .init($0), name: $1.source, heading: "/tmp/a/") }))
        session.send(.finishedFinding(leftOut: []))
        return session
    }

    private static let traces = [PoemFixtures.current, PoemFixtures.migrating, PoemFixtures.failing]

    @Test("the tour starts at its first document, waits for its keys in order, and goes on")
    func keys() {
        var session = Self.inspector(Self.traces)
        #expect(session.screen.contains("Tour  First") && session.inspector.documents.selectedDocument == 1)
        #expect(session.screen.contains("→ Press v and v.") && session.screen.contains(". skip"))
        session.type("v j")
        #expect(session.screen.contains("→ Press v"))
        session.type("v")
        #expect(session.screen.contains("✓ Press v and v.") && session.screen.contains(". next"))
        session.type(".")
        #expect(session.screen.contains("Tour  Second") && session.inspector.documents.selectedDocument == 2)
        // One of several keys is enough.
        session.type("3")
        #expect(session.screen.contains("✓ Press 2."))
        session.type(",")
        #expect(session.screen.contains("Tour  First") && session.screen.contains("→ Press v"))
    }

    @Test("the tour never restricts the user: all keys work, a stop can be skipped, and T leaves and returns")
    func freedom() {
        var session = Self.inspector(Self.traces)
        session.type(". .")
        #expect(session.screen.contains("nowhere.json is not here"))
        session.type(".")
        #expect(session.inspector.tour.view?.document == "nowhere.json")
        #expect(session.screen.contains("Tour  Last") && session.screen.contains(". end"))
        session.type("1 g /")
        session.type("text:v3.T Backspace Enter")
        #expect(session.inspector.documents.filter.name == "v3." && session.inspector.tour.view != nil)
        session.type("T")
        #expect(session.inspector.tour.view == nil && session.screen.contains("T goes on with the tour"))
        session.type("T")
        #expect(session.screen.contains("Tour  Last"))
        session.type(".")
        #expect(session.inspector.tour.view == nil && session.screen.contains("that was the tour; T begins it again"))
        session.type("q")
        #expect(session.effects.contains { if case .quit = $0 { true } else { false } })
    }

    @Test("a stop starts as if its document had just been opened, whatever the user did before")
    func clean() {
        var session = Self.inspector(Self.traces)
        for keys in ["C", "?", "t", "p", "O", "2 Z", "/ text:v3 Enter", "s"] {
            session.type(keys)
            if session.inspector.prompt != nil { session.type("Enter") }
            session.type(".")
            let inspector = session.inspector
            #expect(inspector.tour.view?.number == 1, "\(keys)")
            #expect(inspector.overlay == nil && inspector.timeline == nil && !inspector.isZoomed, "\(keys)")
            #expect(inspector.documents.selectedDocument == 2 && inspector.focus == .documents, "\(keys)")
            session.type(",")
        }
    }

    @Test("a tour whose documents are missing doesn't start")
    func elsewhere() {
        var session = Self.inspector([PoemFixtures.current])
        #expect(session.inspector.tour.view == nil && session.screen.contains("the documents of the tour are not here"))
        session.type("T")
        #expect(session.screen.contains("there is no tour of these documents"))
        session = Self.inspector(Self.traces, starts: false)
        #expect(session.inspector.tour.view == nil)
        session.type("T")
        #expect(session.screen.contains("Tour  First"))
    }

    @Test("the tour leaves room for the document in any window", arguments: [(120, 36), (80, 24), (40, 12), (30, 7)])
    func room(width: Int, height: Int) {
        var session = Self.inspector(Self.traces)
        session.send(.input(.resize(width: width, height: height)))
        let layout = session.inspector.layout
        #expect(layout.tour.height <= height / 2 && layout.tour.maxY == height - 1)
        #expect(session.inspector.layout[.documents].frame.maxY <= layout.tour.minY)
        _ = session.screen
    }
}
