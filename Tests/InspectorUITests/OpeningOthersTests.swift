import DocumentModel
import Testing

@testable import InspectorUI

@Suite("Opening another file or folder")
struct OpeningOthersTests {
    private func typed(_ session: Session) -> String? { session.inspector.prompt?.field.text }

    private func asked(_ session: Session) -> [String] {
        session.effects.compactMap { effect in
            switch effect {
            case .complete(let text): "complete \(text)"
            case .open(let name): "open \(name)"
            default: nil
            }
        }
    }

    @Test("the prompt starts with the folder of the document, and Tab completes names as far as all agree")
    func completing() {
        var session = Session(width: 80, height: 24)
        session.type("F")
        #expect(session.screen.contains("Tab complete  Enter open"))
        session.type("C-u text:po Tab")
        #expect(asked(session) == ["complete po"])
        session.send(.completed("po", ["poems-new/", "poems-old/", "poems.jsonl"]))
        #expect(typed(session) == "poems")
        #expect(session.screen.contains(" poems-new/  poems-old/  poems.jsonl"))
        session.type("Tab Tab")
        #expect(typed(session) == "poems-old/")
        session.type("BTab BTab")
        #expect(typed(session) == "poems.jsonl")
        // Typing continues from there.
        session.type("text:x")
        #expect(typed(session) == "poems.jsonlx" && session.inspector.prompt?.completions == nil)
    }

    @Test(
        "the prompt starts with the folder of the document that is shown",
        arguments: [
            ("demo-data/poems/a.json", nil, "demo-data/poems/"), ("/a:b/all.jsonl#L3", nil, "/a:b/"),
            ("store.sqlite#T/1/x/y", nil, ""), ("-", nil, ""),
            ("1a2b3c:data/order.json", "1a2b3c", "data/"),
        ] as [(String, String?, String)])
    func folder(name: String, commit: String?, folder: String) {
        let revision = commit.map {
            DocumentRevision(
                commit: $0, shortCommit: $0, author: "Ann", date: "2024-01-31", subject: "", path: "data/order.json")
        }
        var session = Session(Array(PoemFixtures.all.prefix(1)), revision: revision, name: name)
        session.type("F")
        #expect(typed(session) == folder)
    }

    @Test("a single match is completed, no match is reported, and matches for an earlier text are ignored")
    func oneOrNone() {
        var session = Session(width: 80, height: 24)
        session.type("F C-u text:a")
        session.send(.completed("b", ["bb"]))
        #expect(typed(session) == "a")
        session.send(.completed("a", ["albums/"]))
        #expect(typed(session) == "albums/" && session.inspector.prompt?.completions == nil)
        session.send(.completed("albums/", []))
        #expect(session.screen.contains("no name begins so:"))
    }

    @Test("the selected name is always visible among many")
    func many() {
        var session = Session(width: 40, height: 10)
        session.type("F C-u Tab")
        session.send(.completed("", (1...30).map { "folder-\($0)/" }))
        #expect(session.screen.contains("folder-1/  folder-2/") && session.screen.contains("…"))
        session.type("BTab")
        #expect(typed(session) == "folder-30/" && session.screen.split(separator: "\n")[8].contains("folder-30/"))
    }

    @Test("a name that can't be opened is asked for again with the reason, and the documents stay")
    func refused() {
        var session = Session(width: 80, height: 24)
        let before = session.screen
        session.type("F C-u Enter")
        #expect(session.screen.contains("the name of a file or folder is wanted:"))
        session.type("text:nowhere Enter")
        #expect(asked(session) == ["open nowhere"] && session.screen.contains("opening nowhere"))
        session.send(.notOpened("nowhere", because: "no such file or folder"))
        #expect(session.screen.contains("no such file or folder:  nowhere"))
        session.type("Esc")
        #expect(session.screen == before)
    }

    @Test("the marked document and the history of opened names are carried over to the next inspector")
    func carried() {
        var session = Session(width: 80, height: 24)
        session.type("m d")
        var next = Inspector(title: "albums")
        next.goOn(from: session.inspector.carried)
        _ = next.handle(.input(.resize(width: 80, height: 24)))
        #expect(next.kept.mark?.title == "poem-v3.json")
        for key in [InspectorKey.character("F"), .up, .up] { _ = next.handle(.input(.key(key))) }
        #expect(next.prompt?.field.text == "demo-data")
        _ = next.handle(.input(.key(.down)))
        #expect(next.prompt?.field.text == "albums")
    }
}
