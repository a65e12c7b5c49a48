import DisplayText
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The page of a trace")
struct TracePageTests {
    private let program = BuiltProgram.inspector

    private func page(_ name: String, _ arguments: String..., status: Int32 = 0) throws -> String {
        let run = try program.run(["trace", name, "--format", "html"] + arguments)
        #expect(run.status == status, "\(run.errors)")
        return run.output
    }

    /// The texts of a page outside of its head, in order, each of one element that contains no other block.
    private func texts(_ page: PageReader) -> [String] {
        let blocks: Set = ["h1", "h2", "p", "li", "blockquote", "pre", "td", "dt", "dd"]
        return page.elements.filter { blocks.contains($0.name) }.map(\.text)
    }

    // MARK: - Content

    @Test("the page of a document that fails has its versions, the step, the proof and the line with a caret, in order")
    func failure() throws {
        let page = try PageReader(page("demo-data/poems/rating-9.json", status: 1))
        let sentence = "✗ fieldNoLongerValid at $.rating ($.starRating): Star rating 9 is no longer valid"
        #expect(
            texts(page).prefix(17) == [
                "demo-data/poems/rating-9.json (json): Poem, version 1 at $.version", "✗ failed",
                "○ none UnversionedPoem", "● 1 PoemV1", "✗ 2 PoemV2", "○ 3 Poem",
                "Detection", "○ 3 Poem: $.version is 1, not 3", "○ 2 PoemV2: $.version is 1, not 2", "● 1 PoemV1",
                "Step 1 ✗ 2: PoemV1 to PoemV2", "the star rating becomes love, meh or hate", sentence,
                "proved cause: $.starRating: opens with 5; the right value is not known",
                "gets past this with 0 to 5", "does not with 6 and -1",
                "demo-data/poems/rating-9.json:5:17\n5 │   \"starRating\": 9\n  │                 ^",
            ])
        #expect(texts(page).dropFirst(17).first == "Legend")
        #expect(page.texts("title") == [texts(page)[0]])
        #expect(page.all("details").map(\.attributes) == [["open": "open"]])
    }

    @Test("the page of a document that migrates has each change with its sign, both values and the origin")
    func differences() throws {
        let page = try PageReader(page("demo-data/poems/version-1.json"))
        #expect(page.texts("li").prefix(4) == ["○ none UnversionedPoem", "● 1 PoemV1", "✓ 2 PoemV2", "✓ 3 Poem"])
        let cells = page.texts("td")
        let rows = stride(from: 0, to: cells.count, by: 3).map { Array(cells[$0..<$0 + 3]) }
        #expect(
            rows == [
                ["−", "$.starRating: 5", ""], ["+", "", "$.rating: \"love\"← starRating"],
                ["~", "$.version: 1", "$.version: 2"],
                ["~", "$.author: \"William Blake\"", "$.author: an object of 1 member$.author.name: ← author"],
                ["−", #"$.poem: "Tyger Tyger, burning bright,\nIn the forests of the night;\…"#, ""],
                ["+", "", "$.lines: an array of 4 elements$.lines[*]: ← poem"],
                ["~", "$.version: 2", "$.version: 3"],
            ])
        #expect(
            page.all("span").filter { $0.attributes["class"] != "origin" }.map(\.attributes) == [
                ["title": "← starRating"], ["title": "$.author.name: ← author"], ["title": "$.lines[*]: ← poem"],
            ])
    }

    @Test(
        "the page of each demo document is well-formed, has only elements without effects, and says what the text says",
        arguments: TraceCommandTests.demoDocuments)
    func demo(name: String) throws {
        let (text, run) = (
            try program.run("trace", name), try program.run("trace", name, "--format", "html")
        )
        #expect(run.status == text.status && run.errors == text.errors)
        let page = try PageReader(run.output)
        expectHarmless(page)
        let said = Set(
            texts(page).flatMap { $0.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } })
        for line in text.lines {
            let line = line.trimmingCharacters(in: .whitespaces)
            // Steps have their time in the text, and changes are cells of tables.
            if line.isEmpty || line.starts(with: /step .* [→✗] .* \(|[-+~→] |.*  \(.*\)$/) { continue }
            let sentence = line.hasPrefix("note: ") ? String(line.dropFirst("note: ".count)) : line
            #expect(said.contains(sentence), "\(sentence)")
        }
    }

    /// Expects that a browser that shows the page does nothing else: no scripts, no links, no requests.
    private func expectHarmless(_ page: PageReader) {
        let names: Set = [
            "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "ol", "ul", "li", "details",
            "summary", "blockquote", "table", "thead", "tbody", "tr", "th", "td", "span", "pre", "footer", "dl", "dt",
            "dd",
        ]
        let attributes: Set = ["lang", "charset", "http-equiv", "content", "name", "class", "scope", "title", "open"]
        for element in page.elements {
            #expect(names.contains(element.name), "\(element.name)")
            #expect(attributes.isSuperset(of: element.attributes.keys), "\(element)")
        }
        #expect(page.all("meta").compactMap { $0.attributes["http-equiv"] } == ["Content-Security-Policy"])
        #expect(page.texts("style").count == 1 && page.texts("style")[0] == "\(PageStyle.sheet)")
    }

    @Test("a page names no address, and is the same every time")
    func deterministic() throws {
        for name in ["poems/version-1.json", "preferences/version-4-and-5-mixed.plist", "things/version-1.json"] {
            let page = try page("demo-data/\(name)")
            #expect(try self.page("demo-data/\(name)") == page)
            for part in ["://", "<script", " style=", " href=", " src=", "url(", "@import"] {
                #expect(!page.contains(part), "\(name): \(part)")
            }
        }
    }

    @Test(
        "no version counts as reached that the document has not, or that parts of it did not reach",
        arguments: [
            (
                "poems/version-7-too-new.json",
                ["○ none UnversionedPoem", "○ 1 PoemV1", "○ 2 PoemV2", "○ 3 Poem", "✗ 7"]
            ),
            ("preferences/number-in-words.plist", ["✗ 4 JSON strings", "○ 5 native values"]),
            ("preferences/period-of-five-minutes-xml.plist", ["● 4 JSON strings", "✗ 5 native values"]),
        ])
    func parts(name: String, versions: [String]) throws {
        let page = try PageReader(page("demo-data/\(name)", status: 1))
        #expect(Array(page.texts("li").prefix(versions.count)) == versions)
    }

    @Test("the page has the values that were changed in memory")
    func edits() throws {
        let page = try PageReader(page("demo-data/poems/rating-9.json", "--set", "$.starRating=4"))
        #expect(page.texts("p").contains("What if, changed in memory:"))
        #expect(page.texts("li").contains("$.starRating is 4"))
    }

    @Test("of many steps, only those that failed are open")
    func manySteps() throws {
        let document = try Document(json: "{}")
        let steps = (1...7).map { number in
            MigrationStep(
                from: .number(number), to: .number(number + 1), fromType: "A", toType: "B", seconds: 0,
                before: document,
                ending: number == 7 ? .failed(MigrationFailure(.timedOut(seconds: 1))) : .made(document))
        }
        let trace = MigrationTrace(source: "a.json", format: .json, chain: "A", steps: steps, document: document)
        let page = try PageReader(TracePage.text(of: trace, GivenName("a.json").document))
        #expect(page.all("details").map { $0.attributes["open"] } == Array(repeating: nil, count: 6) + ["open"])
        #expect(page.texts("details")[0].contains("Nothing changed."))
    }

    // MARK: - Security

    @Test("the content security policy allows the style sheet of the page, and nothing else")
    func policy() throws {
        let page = try PageReader(page("demo-data/poems/version-3.json"))
        let sum = try BuiltProgram(path: "/usr/bin/env").run("shasum", "-a", "256", input: page.texts("style")[0])
        let digits = Array(sum.output.utf8.prefix(64))
        let bytes = try stride(from: 0, to: digits.count, by: 2).map {
            try #require(UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16))
        }
        let hash = Data(bytes).base64EncodedString()
        #expect(bytes.count == 32 && PageStyle.hash == hash)
        #expect(
            page.all("meta").first { $0.attributes["http-equiv"] != nil }?.attributes["content"]
                == "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'")
    }

    private static let attacks = [
        "<script>alert(1)</script>", "\"><img onerror=alert(1) src=x>", "' onmouseover='alert(1)", "]]>", "<![CDATA[",
        "\u{202E}", "\0", "</details></main></body></html>", "<!-- ", "-->", "</style>", "</title>", "</pre>",
        "&lt;b&gt;",
        "&#60;b>", "<?php", "\u{338}", "\u{FFFE}", "\u{2028}",
    ]

    @Test("no name, value or message makes markup in a page, and each is shown as other reports show it")
    func strangeNames() throws {
        let skeleton = try PageReader(page(named: "a")).skeleton
        for name in StrangeNames.all + Self.attacks {
            let text = try page(named: name)
            let raw = text.unicodeScalars.filter { $0 != "\n" && $0.isEscapedForDisplay }
            #expect(raw.isEmpty, "\(name.debugDescription)")
            let page = try PageReader(text)
            expectHarmless(page)
            #expect(page.skeleton == skeleton, "\(name.debugDescription)")
            #expect(page.texts("h1")[0].isExactly(SafeText.line(TraceText.header(try trace(named: name)))))
            #expect(page.texts("blockquote")[0].isExactly(SafeText.line(name)))
            let titles = page.all("span").compactMap { $0.attributes["title"] }
            #expect(titles.count == 1 && titles[0].hasPrefix("← "), "\(name.debugDescription)")
        }
    }

    private func page(named name: String) throws -> String {
        let trace = try trace(named: name)
        return TracePage.text(
            of: trace, GivenName(FilePath(name)).document, edits: [.remove(DocumentPath([.key(name)]))])
    }

    /// A trace with the name in every place that a document or an app can fill.
    private func trace(named name: String) throws -> MigrationTrace {
        let quoted = JSONString.text(of: name)
        let before = try Document(json: "{\(quoted): \(quoted)}")
        let after = try Document(json: "{\(quoted): \(JSONString.text(of: name + "2"))}")
        let path = DocumentPath([.key(name)])
        let failure = MigrationFailure(
            .field(path: path, problem: .noLongerValid(message: name)),
            step: .init(from: .name(name), to: .number(3)),
            culprit: .init(path: path, certain: false), location: before.root[name]?.location)
        var made = MigrationStep(
            from: .number(1), to: .name(name), fromType: name, toType: name, note: name, seconds: 0, before: before,
            ending: .made(after))
        made.finding = StepFinding(origins: [ValueOrigin(path: path, from: [path])], lost: [path])
        return MigrationTrace(
            source: name, format: .json, chain: name,
            versions: [
                ChainVersion(version: .number(1), type: name), ChainVersion(version: .name(name), type: name),
                ChainVersion(version: .number(3), type: name),
            ], target: .number(3),
            detection: VersionDetection(
                version: .number(1), path: path,
                attempts: [.init(version: .name(name), type: name, path: path, found: nil, reason: .text(name))]),
            steps: [
                made,
                MigrationStep(
                    from: .name(name), to: .number(3), fromType: name, toType: name, seconds: 0, before: after,
                    ending: .failed(failure)),
            ],
            parts: [
                MigrationTrace(
                    source: name, format: .json, chain: name, opening: .failed(failure), path: path, document: before)
            ], dropped: [path], warnings: [.text(name)], document: before)
    }

    @Test("a hostile document in a file with a hostile name becomes a page without its markup")
    func hostileFile() throws {
        let folder = try TemporaryFolder()
        let name = "a'\"><img src=x onerror=alert(1)>.json"
        let attack = JSONString.text(of: Self.attacks.joined())
        try folder.write(
            "{\"version\":1,\"author\":\(attack),\"poem\":\(attack),\"starRating\":5,\(attack):\(attack)}", to: name)
        let run = try program.run("trace", name, "--format", "html", in: folder.path)
        let page = try PageReader(run.output)
        expectHarmless(page)
        #expect(page.texts("h1")[0].hasPrefix(name))
        #expect(page.texts("td").contains { $0.hasPrefix("$.author: \"<script>alert(1)</script>\\\"><img ") })
    }
}
