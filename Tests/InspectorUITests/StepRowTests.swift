import DisplayText
import DocumentModel
import Foundation
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("The content of a row and its sides")
struct StepRowTests {
    private let old = PoemFixtures.document(
        """
        {"a": 1, "b": "old words", "c": {"d": 1, "f": 6}, "gone": [1, 2], "m": "A text that is long enough", "same": 5}
        """)
    private let new = PoemFixtures.document(
        """
        {"a": 2, "b": "new words", "c": {"d": 2, "f": 6}, "n": "A text that is long enough", "same": 5, "come": {"x": 1}}
        """)

    private func rows(_ style: DifferenceStyle) throws -> [StepRow] {
        try #require(DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: style)).rows
    }

    @Test("the source follows values of the document before the step, and none that the step made")
    func followed() throws {
        let found = try rows(.unified).map { row in
            "\(row.sign) \(row.label?.text ?? "") \(row.value(in: old, isCompared: true).map { "\($0.path)" } ?? "-")"
        }
        #expect(
            Set(found) == [
                "changed a $.a", "changed b $.b", "none c $.c", "changed d $.c.d", "none f $.c.f",
                "removed gone $.gone", "removed [0] $.gone[0]", "removed [1] $.gone[1]", "moved m $.m", "moved n $.m",
                "none same $.same", "added come -", "added x -",
            ])
    }

    @Test("the source follows the old value in a pair of a removed and an added value")
    func followedInPairs() throws {
        let (old, new) = (
            PoemFixtures.document(#"{"a": "some old words here"}"#),
            PoemFixtures.document(#"{"a": "some new words here"}"#)
        )
        for style in [DifferenceStyle.unified, .sideBySide] {
            let rows = try #require(DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: style)).rows
            let followed = rows.compactMap { $0.value(in: old, isCompared: true) }
            #expect(!followed.isEmpty && followed.allSatisfy { $0.document.identity == old.identity })
        }
        let failure = MigrationFailure(
            kind: .fieldNoLongerValid, path: DocumentPath("$.b"),
            culprit: .init(path: DocumentPath("$.a")!, certain: false),
            message: "no")
        let failed = FailureRows.rows(document: old, failure: failure)
        #expect(failed.compactMap { $0.value(in: old, isCompared: false) }.map(\.path) == [DocumentPath("$.a")!])
    }

    @Test("an element missing from an array is shown with its index")
    func missingElement() throws {
        let document = PoemFixtures.document(#"{"size": [640]}"#)
        let failure = MigrationFailure(
            kind: .valueNotFound, path: DocumentPath("$.size[1]"), culprit: nil, message: "no value")
        let rows = FailureRows.rows(document: document, failure: failure)
        #expect(rows.map { $0.label?.text } == ["size", "[0]", "[1]"])
        #expect(rows[2].isCulprit && rows[2].sign == .failed)
    }

    @Test("an unchanged value whose index shifted is not followed to the position of another value")
    func shifted() throws {
        let (old, new) = (PoemFixtures.document("[1, 2, 3]"), PoemFixtures.document("[2, 3]"))
        let rows = try #require(DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified)).rows
        let unchanged = rows.filter { $0.sign == .none }
        #expect(unchanged.count == 2)
        for row in unchanged { #expect(row.value(in: old, isCompared: true) == nil) }
        // In a document that failed, the rows are of that document.
        #expect(unchanged[0].value(in: new, isCompared: false)?.path == DocumentPath("$[0]"))
    }

    @Test("a row in side-by-side style is shown on the sides that have it, with its sign")
    func sides() throws {
        #expect(
            shown(try rows(.sideBySide)) == [
                "- a     1 | + a     2", "- b     \"old words\" | + b     \"new words\"", "c     {2} |   c     {2}",
                "-   d  1 | +   d  2", "f  6 |     f  6", "- gone  [2] |", "-   [0]  1 |", "-   [1]  2 |",
                "» m     \"A text that is long enough\" | » n     \"A text that is long enough\"",
                "same  5 |   same  5", "| + come  {1}", "| +   x  1",
            ])
    }

    @Test("values that experiments connect are paired in side-by-side style")
    func pairs() throws {
        let (old, new) = (
            PoemFixtures.document(#"{"sender": "Ann", "body": "One\nTwo", "extra": 1, "same": 5, "tags": [1, 2]}"#),
            PoemFixtures.document(#"{"from": {"name": "Ann"}, "paragraphs": ["One", "Two"], "same": 5, "marks": [3]}"#)
        )
        let path = { (text: String) in DocumentPath(text) ?? .root }
        let finding = StepFinding(
            origins: [
                ValueOrigin(path: path("$.from.name"), from: [path("$.sender")]),
                ValueOrigin(path: path("$.paragraphs"), from: [path("$.body"), path("$.sender")]),
                ValueOrigin(path: path("$.marks[*]"), from: [path("$.tags[*]")]),
            ], lost: [path("$.extra")])
        var rows = try #require(
            DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .sideBySide, finding: finding)
        ).rows
        #expect(
            Set(shown(rows)) == [
                #"- sender      "Ann" | + from        {1}"#, #"| »   name  "Ann""#,
                "- body        \"One\nTwo\" | + paragraphs  [2]  ← body, sender", #"| +   [0]  "One""#,
                #"| +   [1]  "Two""#,
                "! extra       1  lost: nothing that was tried changes the result |", "same        5 |   same        5",
                "- tags        [2] | + marks       [1]", "-   [0]  1 |", "-   [1]  2 |", "| +   [0]  3  ← tags[*]",
            ])
        let pair = try #require(rows.firstIndex { $0.label == .key("marks") })
        #expect(rows[pair].value(in: old, isCompared: true)?.path == path("$.tags"))
        #expect(rows[pair].searchText.contains("tags marks"))
        let count = rows.count
        rows.toggle(at: pair)
        #expect(rows.count == count - 3 && shown([rows[pair]]) == ["- tags        [1, 2] | + marks       [3]"])
        rows.toggle(at: pair)
        #expect(rows.count == count)
        // In unified style, nothing is paired.
        let unified = try #require(
            DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified, finding: finding))
        #expect(unified.rows.count { $0.sign == .removed } == 5)
    }

    @Test("a field that the app does not read says so in its row, also inside an object and without experiments")
    func dropped() throws {
        let (old, new) = (
            PoemFixtures.document(#"{"note": "n", "more": {"seal": 1, "ink": 2}, "name": "Ann"}"#),
            PoemFixtures.document(#"{"name": "Ann"}"#)
        )
        let paths = ["$.note", "$.more.seal"].compactMap(DocumentPath.init)
        let rows = try #require(
            DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified, dropped: paths)
        ).rows
        #expect(
            shown(rows) == [
                #"! note  "n"  dropped: the app does not read it |"#, "- more  {2} |",
                "!   seal  1  dropped: the app does not read it |", "-   ink   2 |", #"name  "Ann" |   name  "Ann""#,
            ])
    }

    @Test("the origins of a new list's members are shown for each, at first and when the list is opened")
    func originsInside() throws {
        func rows(_ count: Int) throws -> StepView {
            let items = (0..<count).map { #"{"type": "t\#($0)"}"# }.joined(separator: ", ")
            let list = (0..<count).map { #"{"kind": "K\#($0)", "no": \#($0)}"# }.joined(separator: ", ")
            let (old, new) = (
                PoemFixtures.document(#"{"items": [\#(items)]}"#), PoemFixtures.document(#"{"list": [\#(list)]}"#)
            )
            let path = { (text: String) in DocumentPath(text) ?? .root }
            let finding = StepFinding(
                origins: [
                    ValueOrigin(path: path("$.list[*].kind"), from: [path("$.items[*].type")]),
                    ValueOrigin(path: path("$.list[1].no"), from: [path("$.items[0].type")]),
                ], lost: [path("$.items[1].type")])
            let made = try #require(
                DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified, finding: finding))
            var view = StepView()
            view.show(made)
            return view
        }
        func findings(_ rows: [StepRow]) -> [String] {
            rows.compactMap { row in
                switch row.finding {
                case .origin(let words): "\(row.label?.text ?? "") \(words)"
                case .loss(let words, _, _): "\(row.label?.text ?? "") \(words)"
                case nil: nil
                }
            }
        }
        let expected = [
            "kind ← items[*].type", "kind ← items[*].type", "no ← items[0].type",
            "type lost: nothing that was tried changes the result",
        ]
        #expect(findings(try rows(2).rows).sorted() == expected)
        var view = try rows(30)
        #expect(findings(view.rows) == [])
        while let closed = view.rows.firstIndex(where: { $0.isFold || $0.isFoldable && !$0.isOpen }) {
            view.select(row: closed)
            view.toggle()
        }
        #expect(findings(view.rows).count == 32)
        #expect(Set(findings(view.rows)) == Set(expected))
    }

    @Test("a value in two rows has its origin in the new one, and its loss in the old one")
    func findingInTwoRows() throws {
        let (old, new) = (PoemFixtures.document(#"{"a": "Ann"}"#), PoemFixtures.document(#"{"a": {"name": "Bob"}}"#))
        let place = DocumentPath([.key("a")])
        for lost in [[], [place]] {
            let finding = StepFinding(origins: [ValueOrigin(path: place, from: [place])], lost: lost)
            let rows = try #require(
                DifferenceRows(DocumentDifference(old: old.root, new: new.root), style: .unified, finding: finding)
            ).rows
            #expect(rows[0].sign == .removed && (rows[0].finding == nil) == lost.isEmpty)
            #expect(rows[1].sign == .added && rows[1].finding == .origin("← a"))
        }
    }

    @Test("an unchanged value that is lost because a step recreated it has its own row")
    func lostUnchanged() throws {
        let (old, new) = (
            PoemFixtures.document(#"{"a": 1, "minor": 0, "b": 2, "c": 3}"#),
            PoemFixtures.document(#"{"a": 1, "minor": 0, "b": 2, "c": 4}"#)
        )
        let difference = DocumentDifference(old: old.root, new: new.root)
        func rows(_ lost: [DocumentPath]) throws -> [StepRow] {
            let finding = StepFinding(origins: [], lost: lost)
            return try #require(DifferenceRows(difference, style: .unified, finding: finding)).rows
        }
        #expect(try !rows([]).contains { $0.label?.text == "minor" && $0.finding != nil })
        let row = try #require(try rows([DocumentPath([.key("minor")])]).first { $0.label?.text == "minor" })
        guard case .loss(_, isIntended: false, origin: nil)? = row.finding else {
            Issue.record("\(String(describing: row.finding))")
            return
        }
    }

    /// The text of the rows on both sides.
    private func shown(_ rows: [StepRow]) -> [String] {
        rows.map { row in
            func text(_ side: StepRow.Side) -> String {
                guard row.isShown(on: side) else { return "" }
                let line = StepRowLine(row, glyphs: .unicode, width: 60, side: side)
                return String(line.runs.map(\.text).joined().reversed().drop { $0 == " " }.reversed())
            }
            return "\(text(.old)) | \(text(.new))".trimmingCharacters(in: .whitespaces)
        }
    }

    @Test("the sign, the name and the value of a row are colored by its kind of change")
    func styles() throws {
        func roles(_ label: String, _ style: DifferenceStyle, _ side: StepRow.Side) throws -> [String] {
            let row = try #require(try rows(style).last { $0.label?.text == label })
            return StepRowLine(row, glyphs: .unicode, width: 60, side: side).runs
                .filter { !$0.text.allSatisfy { $0 == " " } }.map { "\($0.text) \($0.style.role.rawValue)" }
        }
        #expect(try roles("a", .unified, .both) == ["~ changed", "a changed", "1 removed", " →  dim", "2 added"])
        #expect(try roles("a", .sideBySide, .old) == ["- removed", "a removed", "1 removed"])
        #expect(try roles("a", .sideBySide, .new) == ["+ added", "a added", "2 added"])
        #expect(try roles("same", .unified, .both) == ["same dim", "5 dim"])
        #expect(try roles("c", .unified, .both) == ["c key", "{2} dim"])
        #expect(try roles("gone", .unified, .both) == ["- removed", "gone removed", "[2] removed"])
        #expect(
            try roles("m", .unified, .both) == ["» moved", "m moved", "→ $.n dim"])
        #expect(
            try roles("n", .unified, .both) == [
                "» moved", "n moved", "\"A text that is long enough\" moved", "  from $.m dim",
            ])
        #expect(
            try roles("b", .sideBySide, .old) == [
                "- removed", "b removed", "\" removed", "old removed", " words removed", "\" removed",
            ])
    }

    @Test("a label stays in view while its value is scrolled, unless it takes most of the row")
    func pinned() {
        let document = PoemFixtures.document("{\"name\": \"A long value that goes on and on\"}")
        let child = document.root.firstChild
        let row = StepRow(label: .key("name"), labelWidth: 4, body: .value(child?.value ?? document.root))
        let line = StepRowLine(row, glyphs: .unicode, width: 40)
        let width = TextWidth.columns(of: line.runs)
        #expect(line.pinned(to: 40, repertoire: .unicode).head.map(\.text).joined().contains("name"))
        #expect(line.pinned(to: 19, repertoire: .unicode).head.isEmpty)
        #expect(line.pinned(to: 20, repertoire: .unicode).head.isEmpty == false)
        for sideways in [0, 8] {
            #expect(line.goesOn(beyond: width - sideways - 1, sideways: sideways))
            #expect(!line.goesOn(beyond: width - sideways, sideways: sideways))
        }
    }

    @Test("a fold with very many rows opens in portions and loses none")
    func longFold() {
        let document = PoemFixtures.document("[" + (0..<1300).map(String.init).joined(separator: ",") + "]")
        let failure = MigrationFailure(
            kind: .typeMismatch, path: DocumentPath("$[1299]"),
            culprit: .init(path: .root.appending(index: 1299), certain: true), message: "no")
        var rows = FailureRows.rows(document: document, failure: failure)
        var counts = [rows.count]
        while let fold = rows.firstIndex(where: { if case .fold = $0.body { true } else { false } }) {
            rows.toggle(at: fold)
            counts.append(rows.count)
        }
        #expect(counts == [5, 505, 1005, 1300])
        #expect(rows.map { $0.label?.text ?? "" } == (0..<1300).map { "[\($0)]" })
        var opened = FailureRows.rows(document: document, failure: failure)
        opened.openFolds()
        #expect(opened.count == 505)
    }

    @Test("a closed container opens by one level with its sign, and closes together with everything opened inside")
    func containers() {
        let document = PoemFixtures.document("{\"a\": {\"b\": {\"c\": [1]}, \"d\": 2}, \"e\": {}, \"f\": 3}")
        var rows = [
            StepRow(sign: .added, label: .key("a"), body: .value(document.root.firstChild?.value ?? document.root))
        ]
        rows.toggle(at: 0)
        #expect(rows.map { $0.label?.text } == ["a", "b", "d"] && rows.allSatisfy { $0.sign == .added })
        #expect(rows.map(\.depth) == [0, 1, 1] && rows.map(\.isOpen) == [true, false, false])
        rows.toggle(at: 1)
        rows.toggle(at: 2)
        #expect(rows.map(\.depth) == [0, 1, 2, 3, 1])
        rows.toggle(at: 1)
        #expect(rows.map { $0.label?.text } == ["a", "b", "d"])
        rows.toggle(at: 1)
        rows.toggle(at: 0)
        #expect(rows.count == 1 && rows[0].isOpen == false)
        // The last child of a container has no row of its depth after it.
        let nested = PoemFixtures.document("{\"a\": {\"b\": {\"c\": 1}}, \"d\": 2}")
        var levels = zip(["a", "d"], nested.root.children).map { name, child in
            StepRow(sign: .none, label: .key(name), body: .value(child.value))
        }
        levels.toggle(at: 0)
        levels.toggle(at: 1)
        #expect(levels.map { $0.label?.text } == ["a", "b", "c", "d"])
        levels.toggle(at: 1)
        #expect(levels.map { $0.label?.text } == ["a", "b", "d"])
        // Here is nothing to open.
        rows.toggle(at: 1)
        rows.toggle(at: -1)
        #expect(rows.count == 1)
    }

    @Test("a document's versions are summarized in a few characters")
    func summaries() {
        func summary(_ trace: MigrationTrace) -> String {
            VersionSummary.runs(CheckResult(trace), repertoire: .unicode).map { "\($0.text)/\($0.style.role.rawValue)" }
                .joined(separator: " ")
        }
        var named = PoemFixtures.current
        named.detection.version = .unversioned
        named.target = .unversioned
        var parts = PoemFixtures.current
        parts.parts = [PoemFixtures.migrating]
        #expect(
            [
                PoemFixtures.current, PoemFixtures.migrating, PoemFixtures.failing, PoemFixtures.unrecognized,
                PoemFixtures.newer, PoemFixtures.malformed, PoemFixtures.missingField, PoemFixtures.unreadable, named,
                parts,
            ].map(summary) == [
                "v3/succeeded", "v1/plain  → /dim 3/succeeded", "v1/plain  ✗ 2/failed", "–/dim", "v7 ✗/failed", "–/dim",
                "v3 ✗/failed", "–/dim", "none/succeeded", "v3/succeeded",
            ])
        #expect(VersionSummary.runs(nil, repertoire: .unicode).isEmpty)
    }
}

@Suite("A document and its current stop")
struct ShownDocumentTests {
    private func stop(_ shown: ShownDocument) -> String {
        let here = shown.versionHere.map { "\($0.version) \($0.type ?? "-")" } ?? "-"
        let document = shown.documentHere?.root.descendant(at: .root.appending(key: "version"))?.numberText ?? "-"
        let failure = shown.failureHere?.kind.rawValue ?? "-"
        let culprit = shown.culpritHere.map { "\($0.path)" }
        return "\(here), version \(document), \(failure), \(culprit ?? "-")"
    }

    @Test("a document is first shown at its failure, its first step or its overview")
    func first() {
        #expect(
            [
                PoemFixtures.migrating, PoemFixtures.failing, PoemFixtures.current, PoemFixtures.missingField,
                PoemFixtures.unrecognized, PoemFixtures.preferences,
            ].map { ShownDocument($0, of: 0).stop } == [1, 1, 0, 0, 0, 0])
        var second = PoemFixtures.migrating
        second.steps[1].ending = .failed(PoemFixtures.ratingFailure)
        #expect(ShownDocument(second, of: 0).stop == 2)
    }

    @Test("each stop has its document, its version and its failure")
    func stops() {
        func stops(_ trace: MigrationTrace) -> [String] {
            (0...trace.steps.count).map { number in
                var shown = ShownDocument(trace, of: 0)
                shown.stop = number
                return stop(shown)
            }
        }
        #expect(
            stops(PoemFixtures.migrating) == [
                "1 PoemV1, version 1, -, -", "2 PoemV2, version 2, -, -", "3 Poem, version 3, -, -",
            ])
        #expect(
            stops(PoemFixtures.failing) == [
                "1 PoemV1, version 1, -, -", "1 PoemV1, version 1, fieldNoLongerValid, $.starRating",
            ])
        #expect(stops(PoemFixtures.missingField) == ["3 Poem, version 3, keyNotFound, -"])
        #expect(stops(PoemFixtures.unreadable) == ["-, version -, unreadable, -"])
    }

    @Test("entering a part shows its path in the whole document, and leaving it goes back")
    func parts() {
        var shown = ShownDocument(PoemFixtures.preferences, of: 0)
        #expect(shown.pathOfPart == .root)
        shown.enter([1])
        #expect(shown.trace.source == "TimeZone" && shown.stop == 1 && shown.pathOfPart == DocumentPath("$.TimeZone"))
        shown.enter([])
        #expect(shown.trace.source == "clock.plist" && shown.stop == 0)
    }
}
