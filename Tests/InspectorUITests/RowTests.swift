import DisplayText
import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Rows of differences and failures")
struct RowTests {
    private func text(_ rows: [StepRow], width: Int = 70) -> String {
        rows.map { row in
            var line = StepRowLine(row, glyphs: .unicode, width: width).runs.map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private func rows(_ old: String, _ new: String, _ style: DifferenceStyle = .unified) -> [StepRow] {
        let (old, new) = (PoemFixtures.document(old), PoemFixtures.document(new))
        return DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: style)?.rows ?? []
    }

    @Test("long runs of unchanged values are folded, except for the neighbors of a change")
    func folding() {
        let old = "[" + (0..<40).map(String.init).joined(separator: ",") + "]"
        let new = "[" + (0..<40).map { $0 == 20 ? "99" : String($0) }.joined(separator: ",") + "]"
        var rows = rows(old, new)
        expectPicture(
            text(rows),
            """
                ⋯ 17 unchanged
                [17]  17
                [18]  18
                [19]  19
            ~   [20]  20 → 99
                [21]  21
                [22]  22
                [23]  23
                ⋯ 16 unchanged
            """)
        rows.toggle(at: 0)
        #expect(rows.count == 25)
        #expect(text([rows[3]]) == "    [3]   3")
    }

    @Test(
        "a count has a plus sign only if there are more values",
        arguments: [(9_999, 9_999, ""), (10_000, 10_000, ""), (10_001, 10_000, "+")])
    func counts(count: Int, reported: Int, sign: String) {
        let document = PoemFixtures.document("[" + Array(repeating: "0", count: count).joined(separator: ",") + "]")
        #expect(ValueText.size(document.root) == "[\(NumberWords.grouped(reported))\(sign)]")
    }

    @Test("a renamed field is shown as moved, at both of its positions")
    func moved() {
        expectPicture(
            text(
                rows("{\"title\": \"A rather long title\", \"n\": 1}", "{\"name\": \"A rather long title\", \"n\": 1}")),
            """
            »   title  → $.name
            »   name   "A rather long title"  from $.title
                n      1
            """)
    }

    @Test("the words that changed in a long string are emphasized")
    func words() {
        let rows = rows(
            "{\"t\": \"An epicure dining at Crewe found a mouse\"}",
            "{\"t\": \"An epicure dining in Crewe found a mouse\"}")
        let changed = rows.map { row in
            StepRowLine(row, glyphs: .unicode, width: 80).runs.filter { $0.style.modifiers.contains(.emphasized) }
                .map(\.text)
        }
        #expect(changed == [["at"], ["in"]])
    }

    @Test("a failed document with many fields is folded, except for the culprit and its neighbors")
    func failure() {
        let fields = (0..<50).map { "\"field\($0)\": \($0)" }.joined(separator: ",")
        let document = PoemFixtures.document("{\(fields)}")
        let failure = MigrationFailure(
            kind: .typeMismatch, path: DocumentPath("$.field30"),
            culprit: .init(path: .root.appending(key: "field30"), certain: true), message: "not a text")
        expectPicture(
            text(FailureRows.rows(document: document, failure: failure)),
            """
                ⋯ 27 more
                field27  27
                field28  28
                field29  29
            ✗   field30  30  ◀ not a text
                field31  31
                field32  32
                field33  33
                ⋯ 16 more
            """)
    }

    @Test("a container is opened in place, and closed again")
    func opening() {
        var rows = rows("{\"a\": {\"x\": [1, 2]}, \"b\": 1}", "{\"a\": {\"x\": [1, 2]}, \"b\": 2}")
        let closed = text(rows)
        rows.toggle(at: 0)
        expectPicture(
            text(rows),
            """
                a  {1}
                  x  [1, 2]
            ~   b  1 → 2
            """)
        rows.toggle(at: 0)
        #expect(text(rows) == closed)
    }
}

@Suite("The tree of values")
struct ValueViewTests {
    private let view = ValueView(
        PoemFixtures.document("{\"a\": {\"b\": [1, {\"c\": []}, 3]}, \"d\": [[], {}], \"e\": \"x\"}"))

    private func paths(_ view: ValueView) -> [String] {
        view.rows(height: 100).map { $0.path.description }
    }

    @Test("every row can be reached going down, and going up in exactly the opposite order")
    func bothWays() {
        var view = view
        let all = [
            "$", "$.a", "$.a.b", "$.a.b[0]", "$.a.b[1]", "$.a.b[1].c", "$.a.b[2]", "$.d", "$.d[0]", "$.d[1]", "$.e",
        ]
        #expect(paths(view) == all)
        view.moveToEnd(forward: true)
        var seen = [view.selectedPath.description]
        while view.selected.depth > 0 {
            view.move(by: -1)
            seen.append(view.selectedPath.description)
        }
        #expect(seen == all.reversed())
    }

    @Test("a cursor made for a value equals the one that moving there produces")
    func cursor() {
        #expect(view.rows(height: 100).count == 11)
        for row in view.rows(height: 100) {
            let cursor = TreeCursor(to: row.node.id, in: view.document)
            #expect(cursor.levels.map(\.ordinal) == row.levels.map(\.ordinal) && cursor == row)
        }
    }

    @Test("closing everything under a container hides all rows below it, and each can be opened again")
    func folds() {
        var view = view
        view.setAll(closed: true)
        #expect(paths(view) == ["$"])
        view.toggle()
        #expect(paths(view) == ["$", "$.a", "$.d", "$.e"])
        let last = TreeCursor(to: view.document.root.nodes.endIndex.advanced(by: -6), in: view.document)
        _ = view.reveal(.value(last), in: .zero)
        #expect(paths(view).contains(view.selectedPath.description))
    }

    @Test("a match is revealed even in closed containers, and other containers stay closed")
    func revealing() throws {
        for row in view.rows(height: 100).dropFirst() {
            var view = view
            view.setAll(closed: true)
            #expect(view.reveal(.value(row), in: .zero) == false)
            #expect(view.selected == row && paths(view).contains(row.path.description), "\(row.path)")
            for other in view.rows(height: 100) where other.node.firstChild != nil {
                #expect(
                    view.isOpen(other)
                        == (other.depth < row.depth && row.path.description.hasPrefix(other.path.description)))
            }
            #expect(view.reveal(.value(row), in: .zero) == true)
        }
    }

    @Test("the left key closes and then leaves a container, and the right key opens and then enters it")
    func leftRight() {
        var view = view
        view.move(by: 2)
        view.foldOrLeave()
        #expect(view.selectedPath.description == "$.a.b" && !view.isOpen(view.selected))
        view.foldOrLeave()
        #expect(view.selectedPath.description == "$.a")
        view.unfoldOrEnter()
        view.unfoldOrEnter()
        view.unfoldOrEnter()
        #expect(view.selectedPath.description == "$.a.b[0]")
    }

    @Test("moving backward through a long array gives the same rows as moving forward")
    func longArray() {
        var view = ValueView(PoemFixtures.document("[" + (0..<2000).map(String.init).joined(separator: ",") + "]"))
        view.moveToEnd(forward: true)
        view.move(by: -700)
        #expect(view.selectedPath.description == "$[1299]")
        view.show(height: 10)
        #expect(view.rows(height: 10).contains(view.selected))
    }

    @Test("a scrolled view stays scrolled, and takes the selection along if it would leave the screen")
    func scrolling() {
        var view = ValueView(PoemFixtures.document("[" + (0..<100).map(String.init).joined(separator: ",") + "]"))
        view.moveToEnd(forward: true)
        view.show(height: 10)
        view.scroll(by: -3, height: 10)
        view.show(height: 10)
        #expect(view.top.path.description == "$[87]")
        #expect(view.selectedPath.description == "$[96]")
        view.scroll(by: -20, height: 10)
        view.scroll(by: 25, height: 10)
        view.show(height: 10)
        #expect(view.top.path.description == "$[90]")
        #expect(view.selectedPath.description == "$[90]")
    }
}

@Suite("Lines of a source")
struct SourceLineTests {
    private func source(_ text: String, markAt offset: Int? = nil) throws -> SourceText {
        let bytes = SourceBytes(text)
        let place = offset.map { LineIndex(bytes).location(at: $0) }
        let failure = place.map { MigrationFailure(.unreadable(problem: .cancelled), location: $0) }
        let document = try? Document(parsing: bytes)
        return try #require(
            SourceText(SourceRequest(document: document, bytes: bytes, failure: failure, versionPath: nil)))
    }

    @Test("the caret's column counts displayed columns, also after tabs, wide and escaped characters")
    func columns() throws {
        let line = "\t\"東\u{1B}\": 1"
        let text = try source(line, markAt: line.utf8.count - 1)
        let seen = SourceLine(text, line: 0, sideways: 0, width: 80)
        #expect(seen.markColumn == 4 + 1 + 2 + 6 + 1 + 2)
    }

    @Test("combining marks and joined emoji take as many columns as they are drawn with, so that the line is full")
    func marksAndJoiners() throws {
        let text = try source(
            "\"" + String(repeating: "e\u{301}", count: 10) + String(repeating: "x", count: 200) + "\"")
        let seen = SourceLine(text, line: 0, sideways: 0, width: 40)
        #expect(TextWidth.columns(of: seen.runs) == 40 && seen.continuesRight)
        let family = try source("\"👨‍👩‍👧 e\u{301}\": 1", markAt: 1 + 18 + 1 + 3 + 3)
        let line = SourceLine(family, line: 0, sideways: 0, width: 40)
        #expect(line.runs.map(\.text).joined() == "\"👨👩👧 e\u{301}\": 1")
        #expect(line.markColumn == 1 + 6 + 1 + 1 + 3)
        #expect(SourceLine.column(of: 1 + 18 + 1, in: family) == 8)
    }

    @Test("a wide character cut at the left edge leaves a blank")
    func cutCharacter() throws {
        let seen = SourceLine(try source("\"東京\""), line: 0, sideways: 2, width: 40)
        #expect(seen.runs.map(\.text).joined() == " 京\"")
    }

    @Test("a mark in the middle of a very long line is shown with its colors and its caret")
    func endless() throws {
        let text =
            "{\"" + String(repeating: "k", count: 30_000) + "\": \"" + String(repeating: "v", count: 30_000) + "\"}"
        let source = try source(text, markAt: 40_000)
        let seen = SourceLine(source, line: 0, sideways: 39_980, width: 60)
        #expect(seen.markColumn == 20)
        #expect(seen.runs.map(\.style) == [.string])
        #expect(seen.continuesLeft && seen.continuesRight)
        #expect(seen.runs.map(\.text).joined().count == 60)
        let key = SourceLine(source, line: 0, sideways: 100, width: 10)
        #expect(key.runs.map(\.style) == [.key])
    }

    @Test("the source has a row for each line, and one more for the caret")
    func rows() throws {
        let text = try source("{\n\"a\": 1\n}", markAt: 7)
        #expect(text.rowCount == 4)
        #expect((0..<4).map { text.line(atRow: $0) } == [0, 1, nil, 2])
        #expect(text.row(ofLine: 2) == 3)
    }

    @Test("a byte after tabs has the column that it is drawn in")
    func columnBehindTabs() throws {
        let text = try source("\t\t\"é\":\t1", markAt: 8)
        let seen = SourceLine(text, line: 0, sideways: 0, width: 80)
        #expect(seen.markColumn == 16)
        #expect(SourceLine.column(of: 8, in: text) == 16)
    }

    @Test("every kind of value has its style from its first character to its last")
    func styles() throws {
        func runs(_ line: String) throws -> [StyledText] {
            SourceLine(try source(line), line: 0, sideways: 0, width: 200).runs.filter { $0.text != " " }
        }
        func list(_ texts: [(String, Style)]) -> [StyledText] { texts.map { StyledText($0.0, $0.1) } }
        #expect(
            try runs(#"{"a": -1.5e3,"b\"c" : true,"d":[null,"x:y", 20]}"#)
                == list([
                    ("{", .punctuation), ("\"a\"", .key), (":", .punctuation), ("-1.5e3", .number), (",", .punctuation),
                    (#""b\"c""#, .key), (":", .punctuation), ("true", .literal), (",", .punctuation), ("\"d\"", .key),
                    (":", .punctuation), ("[", .punctuation), ("null", .literal), (",", .punctuation),
                    ("\"x:y\"", .string), (",", .punctuation), ("20", .number), ("]", .punctuation),
                    ("}", .punctuation),
                ]))
    }

    @Test(
        "the tokens of any line add up to the line",
        arguments: ["{\"a", "\\\"", "<key>a</key", "é漢\"", "]}:,,", ""])
    func tokens(line: String) throws {
        let text = try source(line)
        let seen = SourceLine(text, line: 0, sideways: 0, width: 200)
        #expect(seen.runs.map(\.text).joined() == line)
    }
}

@Suite("The chain on one line")
struct ChainLineTests {
    @Test("the chain fits any width, and the current step is always visible", arguments: 8..<120)
    func fits(width: Int) {
        let versions = (0..<30).map { ChainVersion(version: .number($0), type: "ALongTypeNameV\($0)") }
        let document = PoemFixtures.document("{}")
        let steps = (0..<29).map { number in
            MigrationStep(
                from: .number(number), to: .number(number + 1), fromType: "A", toType: "B", seconds: 0,
                before: document, ending: .made(document))
        }
        let trace = MigrationTrace(
            source: "x", chain: "C", versions: versions, detection: VersionDetection(version: .number(0)), steps: steps)
        for stop in 0..<30 {
            let line = ChainLine(trace, stop: stop, width: width, glyphs: .unicode)
            let here = line.pieces.filter(\.isHere)
            #expect(here.contains { $0.x < line.scroll + width && $0.x + $0.width > line.scroll })
        }
    }
}

/// The pieces of the poems' chain at a stop: the sign and the style of each.
private func pieces(_ trace: MigrationTrace, stop: Int, running: String? = nil) -> [String] {
    ChainLine(trace, stop: stop, width: 200, glyphs: .unicode, runningSign: running).pieces.map { piece in
        let text = piece.runs.map(\.text).joined().trimmingPrefix { $0 == " " }.split(separator: " ")[0]
        let style = piece.runs.first { $0.text.contains(text) }?.style
        return "\(text) \(style?.role.rawValue ?? "")\(style?.modifiers.contains(.emphasized) == true ? "!" : "")"
            + "\(piece.isHere ? " here" : "")\(piece.stop.map { " \($0)" } ?? "")"
    }
}

@Suite("The versions in the chain line")
struct ChainStopTests {
    @Test("each version in the chain line shows if the document reached it, and which is selected", arguments: 0...3)
    func migrated(stop: Int) {
        let trace = PoemFixtures.migrating
        let here = { (position: Int) in stop == position }
        #expect(
            pieces(trace, stop: stop) == [
                "○ pending", "── pending",
                here(0) ? "◉ current here 0" : "● succeeded 0",
                here(1) ? "── current here 1" : "── succeeded 1", here(1) ? "◉ current here 1" : "● succeeded 1",
                here(2) ? "── current here 2" : "── succeeded 2", here(2) ? "◉ current here 2" : "● succeeded 2",
                here(3) ? "all current here 3" : "all dim 3",
            ])
    }

    @Test("a broken link is at the step that failed, and the versions after it were not reached", arguments: 0...1)
    func failed(stop: Int) {
        #expect(
            pieces(PoemFixtures.failing, stop: stop) == [
                "○ pending", "── pending", stop == 0 ? "◉ current here 0" : "● succeeded 0",
                stop == 1 ? "──✗── failed! here 1" : "──✗── failed 1", "○ pending 1", "── pending", "○ pending",
            ])
        #expect(pieces(PoemFixtures.failing, stop: 1, running: "*")[3] == "──*── progress! here 1")
    }

    @Test("a document that fails to decode is marked at its version")
    func atOnce() {
        #expect(pieces(PoemFixtures.missingField, stop: 0).last == "✗ failed here 0")
        let line = ChainLine(PoemFixtures.missingField, stop: 0, width: 200, glyphs: .unicode)
        #expect(line.failureColumn == line.pieces.last?.x)
    }

    @Test("a version that the chain doesn't have is shown after the chain")
    func newer() {
        let line = ChainLine(PoemFixtures.newer, stop: 0, width: 200, glyphs: .unicode)
        #expect(pieces(PoemFixtures.newer, stop: 0).last == "✗ failed here 0")
        #expect(line.failureColumn == (line.pieces.last?.x ?? 0) + 3)
        #expect(line.pieces.dropLast().allSatisfy { $0.stop == nil && !$0.isHere })
    }

    @Test("a click anywhere on a piece leads to its stop, also in a scrolled line", arguments: [12, 30, 200])
    func clicks(width: Int) {
        for stop in 0...2 {
            let line = ChainLine(PoemFixtures.migrating, stop: stop, width: width, glyphs: .unicode)
            var x = 0
            for piece in line.pieces {
                #expect(piece.x == x && piece.width == TextWidth.columns(of: piece.runs))
                for column in x..<(x + piece.width) { #expect(line.stop(at: column - line.scroll) == piece.stop) }
                x += piece.width
            }
            #expect(line.width == x && line.stop(at: x - line.scroll) == nil && line.stop(at: -1 - line.scroll) == nil)
        }
    }
}

@Suite("Highlighted text")
struct StylePictureTests {
    @Test("the culprit of a failed step, and nothing else, is lit up in the step and in the source")
    func culprit() {
        var session = Session([PoemFixtures.failing], width: 80, height: 20)
        session.type("Tab")
        let lit = session.canvas.picture(of: .culprit).split(separator: "\n").map {
            $0.trimmingPrefix { $0 == " " }
        }
        #expect(lit == ["✗   starRating  9", "9"])
    }

    @Test("every outcome and change has its sign without colors too")
    func monochrome() {
        let theme = Theme(depth: .monochrome)
        #expect(theme.appearance(of: .culprit).attributes.contains(.reverse))
        var session = Session([PoemFixtures.migrating], width: 80, height: 24)
        session.type("Tab")
        let signs = session.screen.split(separator: "\n").compactMap { $0.dropFirst(2).first }
        #expect(signs.contains("~") && signs.contains("-") && signs.contains("+"))
    }
}
