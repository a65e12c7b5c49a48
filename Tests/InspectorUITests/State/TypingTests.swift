import DisplayText
import DocumentModel
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

@Suite("Typing text")
struct TypingTests {
    /// A text with a cursor, as an editor that keeps an array of characters implements it.
    private struct Model {
        var characters: [Character] = []
        var cursor = 0

        mutating func handle(_ key: InspectorKey) {
            switch key {
            case .character(let character):
                characters.insert(character, at: cursor)
                cursor += 1
            case .backspace where cursor > 0:
                cursor -= 1
                characters.remove(at: cursor)
            case .delete where cursor < characters.count, .control("d") where cursor < characters.count:
                characters.remove(at: cursor)
            case .left, .control("b"): cursor = max(0, cursor - 1)
            case .right, .control("f"): cursor = min(characters.count, cursor + 1)
            case .home, .control("a"): cursor = 0
            case .end, .control("e"): cursor = characters.count
            case .control("u"):
                characters.removeFirst(cursor)
                cursor = 0
            case .control("k"): characters.removeLast(characters.count - cursor)
            case .control("w"):
                var start = cursor
                while start > 0, characters[start - 1] == " " { start -= 1 }
                while start > 0, characters[start - 1] != " " { start -= 1 }
                characters.removeSubrange(start..<cursor)
                cursor = start
            default: break
            }
        }
    }

    @Test("every editing key works as in a shell", arguments: 0..<30)
    func keys(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let keys: [InspectorKey] = [
            "a", "b", " ", "東", "a", " ", .backspace, .delete, .left, .right, .left, .home, .end, .control("a"),
            .control("b"), .control("d"), .control("e"), .control("f"), .control("k"), .control("u"), .control("w"),
        ]
        var field = TextField()
        var model = Model()
        for _ in 0..<60 {
            let key = keys.randomElement(using: &generator) ?? "a"
            let isHandled = field.handle(key)
            #expect(isHandled)
            model.handle(key)
            #expect(field.before == String(model.characters[..<model.cursor]))
            #expect(field.text == String(model.characters))
        }
        for key in [.pageUp, .tab] as [InspectorKey] {
            let isHandled = field.handle(key)
            #expect(!isHandled)
        }
    }

    @Test("pasting inserts only the first line at the cursor, up to the maximum length")
    func pasting() {
        var field = TextField("ab")
        _ = field.handle(.left)
        field.paste("\n\nx y\nz")
        #expect(field.before == "ax y" && field.after == "b")
        field.paste(String(repeating: "x", count: 5000))
        #expect(field.before.count == 4 + 1000)
    }

    @Test("earlier texts can be recalled, the latest first, and the typed text is kept")
    func recalling() {
        let earlier = ["first", "second", "third"]
        var prompt = Prompt(.init(label: "Search", take: { _, _ in nil }))
        _ = prompt.field.handle("x")
        var seen: [String] = []
        for older in [false, true, true, true, true, false, false, false, false] {
            prompt.recall(older: older, from: earlier)
            seen.append(prompt.field.text)
        }
        #expect(seen == ["x", "third", "second", "first", "first", "second", "third", "x", "x"])
    }

    @Test(
        "the cursor and the text before it are visible for any text in any window",
        arguments: [30, 33, 47, 60])
    func longText(width: Int) throws {
        var session = Session(width: width, height: 12)
        session.type("/")
        for character in "abcdefghijklmnopqrstuvwxyz0123456789東京都" {
            session.send(.input(.key(.character(character))))
            let canvas = session.canvas
            let cursor = try #require(canvas.cursor)
            #expect(cursor.y == 11 && cursor.x < width)
            let left = canvas[cursor.x - 1, cursor.y]
            #expect((left.isContinuation ? canvas[cursor.x - 2, cursor.y] : left).text == String(character))
        }
        session.type("Home")
        let canvas = session.canvas
        let cursor = try #require(canvas.cursor)
        #expect(canvas[cursor.x, cursor.y].text == "a" && canvas[cursor.x + 5, cursor.y].text == "f")
    }

    @Test("a new search starts at the current position, and repeating it goes on", arguments: ["2", "2 v", "3"])
    func fromHere(way: String) {
        var session = Session([PoemFixtures.failing], width: 100, height: 40)
        session.type("\(way) g")
        func place() -> String {
            if way == "2 v" { return session.inspector.shown?.value?.selectedPath.description ?? "" }
            if way == "3" { return "\(session.inspector.shown?.source.position.selected ?? -1)" }
            return "\(session.inspector.shown?.step.position.selected ?? -1)"
        }
        session.type("/ text:Anonymous Enter")
        let found = place()
        session.type("/ text:Anonymous Enter")
        #expect(place() == found)
        session.type("/ text:e Enter")
        var seen = [place()]
        for _ in 0..<40 {
            session.type("n")
            seen.append(place())
        }
        #expect(Set(seen).count > 1)
        // Going backward visits the same matches.
        var back: [String] = []
        for _ in 0..<40 {
            session.type("N")
            back.append(place())
        }
        #expect(back == seen.dropLast().reversed())
    }

    @Test("a search wraps in both directions and visits all matching elements and no others", arguments: 0..<20)
    func round(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let words = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            ["poem", "mouse", "Crewe"].randomElement(using: &generator) ?? ""
        }
        let rows = words.map { StepRow(body: .text([StyledText($0, .plain)])) }
        let document = PoemFixtures.document("[\(words.map { "\"\($0)\"" }.joined(separator: ","))]")
        for start in words.indices {
            for (isForward, includesStart) in [(true, true), (true, false), (false, false)] {
                let distances = includesStart ? Array(0..<words.count) : Array(1...words.count)
                let expected = distances.map {
                    (start + (isForward ? $0 : -$0) + words.count) % words.count
                }.first { words[$0] == "mouse" }
                func find(_ start: SearchRequest.Start) -> SearchResult? {
                    SearchRequest(
                        search: TextSearch("mouse"), start: start, isForward: isForward, includesStart: includesStart
                    ).find { false }
                }
                switch find(.rows(rows, from: start)) {
                case .row(let row): #expect(row == expected)
                case .nothing: #expect(expected == nil)
                default: Issue.record("no row")
                }
                let node = try #require(DocumentPath("$[\(start)]").flatMap(document.root.descendant(at:)))
                switch find(.values(document, from: node.id)) {
                case .value(let cursor): #expect(cursor.path == DocumentPath("$[\(expected ?? -1)]"))
                case .nothing: #expect(expected == nil)
                default: Issue.record("no value")
                }
            }
        }
    }

    @Test("matches in a text are found from any position, forward and backward")
    func source() throws {
        let text = "{\"a\": \"mouse mouse\", \"b\": \"Mouse\"}"
        let document = try Document(parsing: SourceBytes(text))
        let source = try #require(
            SourceText(SourceRequest(document: document, bytes: nil, failure: nil, versionPath: nil)))
        let places = [7, 13, 27]
        for start in 0..<text.utf8.count {
            for (isForward, includesStart) in [(true, true), (true, false), (false, false)] {
                let request = SearchRequest(
                    search: TextSearch("mouse"), start: .source(source, from: start), isForward: isForward,
                    includesStart: includesStart)
                guard case .source(let found) = request.find(isCancelled: { false }) else {
                    Issue.record("nothing found from \(start)")
                    continue
                }
                let expected =
                    isForward
                    ? places.first { includesStart ? $0 >= start : $0 > start } ?? places[0]
                    : places.last { $0 < start } ?? places[2]
                #expect(found == expected)
            }
        }
    }
}
