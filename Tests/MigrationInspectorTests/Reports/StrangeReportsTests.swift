import DisplayText
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import MigrationInspector

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite("Strange names in reports")
struct StrangeReportsTests {
    private let program = BuiltProgram.inspector
    private let folder: TemporaryFolder

    /// Makes a file for each name. Every other one fails, and the others lose a field with that name.
    init() throws {
        folder = try TemporaryFolder()
        for (number, name) in StrangeNames.ofFiles.enumerated() {
            let lost = Poems.moody.replacing(#""mood""#, with: JSONString.text(of: name))
            try folder.write(number.isMultiple(of: 2) ? Poems.broken : lost, to: name + ".json")
        }
    }

    /// The names of the documents, as JSON reports print them.
    private let sources = Set(StrangeNames.ofFiles.map { Data("./\(FilePath($0 + ".json"))".utf8) })
    /// The same names, as text reports print them.
    private var shown: Set<Data> {
        Set(sources.map { Data(DisplayText(String(decoding: $0, as: UTF8.self)).string.utf8) })
    }

    private func check(_ format: String) throws -> String {
        let run = try program.run("check", "--format", format, ".", in: folder.path)
        #expect(run.status == 1)
        expectSafe(run.output)
        return run.output
    }

    private func expectSafe(_ text: String) {
        let raw = text.unicodeScalars.filter { $0 != "\n" && $0.isEscapedForDisplay }
        #expect(raw.isEmpty)
    }

    @Test("a document with a strange name has one line in the text report, which begins with the name")
    func text() throws {
        let lines = try check("text").utf8.split(separator: UInt8(ascii: "\n")).map { Substring($0) }
        let marked = lines.compactMap { line in
            line.range(of: ": [✓✗] ", options: .regularExpression).map { line[..<$0.lowerBound] }
        }
        // The position of a failure follows the name.
        let names = marked.map { name in
            Data((name.firstMatch(of: /:1:[0-9]+$/).map { name[..<$0.range.lowerBound] } ?? name).utf8)
        }
        #expect(names.count == StrangeNames.ofFiles.count && Set(names) == shown)
    }

    @Test("JSON reports contain strange names exactly")
    func json() throws {
        let report = try JSONSerialization.jsonObject(with: Data(try check("json").utf8)) as? [String: Any]
        let results = try #require(report?["results"] as? [[String: Any]])
        #expect(Set(results.compactMap { $0["source"] as? String }.map { Data($0.utf8) }) == sources)
        let dropped = results.flatMap { $0["dropped"] as? [String] ?? [] }.compactMap(DocumentPath.init(_:))
        let lost = StrangeNames.ofFiles.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
        #expect(Set(dropped) == Set(lost.map { DocumentPath([.key($0)]) }))
        let lines = try check("jsonl").split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
        #expect(Set(lines.compactMap { $0?["source"] as? String }.map { Data($0.utf8) }) == sources)
    }

    @Test("an XML parser reads strange names from the JUnit report as text reports print them")
    func junit() throws {
        final class Cases: NSObject, XMLParserDelegate {
            var names: [String] = []

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) { if name == "testcase" { names.append(attributes["name"] ?? "") } }
        }
        let cases = Cases()
        let parser = XMLParser(data: Data(try check("junit").utf8))
        parser.delegate = cases
        #expect(parser.parse(), "\(parser.parserError.debugDescription)")
        #expect(cases.names.count == StrangeNames.ofFiles.count)
        for name in shown.subtracting(cases.names.map { Data($0.utf8) }) {
            Issue.record("\(String(decoding: name, as: UTF8.self).debugDescription)")
        }
    }

    @Test("a document with a strange name has one workflow command, which decodes to the name that text reports print")
    func workflowCommands() throws {
        let lines = try check("github").utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
        let names = try lines.dropLast().map { line in
            // GitHub's runner reads properties up to the first `::` after the command (ActionCommand.cs).
            let parts = try #require(
                line.wholeMatch(of: /::(?:error|warning) (.*?)::.*/.matchingSemantics(.unicodeScalar)))
            let properties = parts.1.unicodeScalars.split(separator: ",").map { String($0) }
            let file = try #require(properties.first { $0.hasPrefix("file=") })
            return try #require(String(file.utf8.dropFirst("file=".utf8.count))?.removingPercentEncoding)
        }
        #expect(names.count == StrangeNames.ofFiles.count && Set(names.map { Data($0.utf8) }) == shown)
    }

    @Test("documents with strange names are found again in a baseline and in reports that are merged")
    func readBack() throws {
        let reports = try TemporaryFolder()
        let report = try reports.write(try check("jsonl"), to: "report")
        let run = try program.run("check", "--format", "jsonl", "--baseline", report, ".//", in: folder.path)
        #expect(run.status == 0 && run.errors.contains(" 0 new, 0 mended, 0 not met again"))
        let merged = try program.run("check", "--merge", "--format", "jsonl", report)
        #expect(merged.output == (try reports.text("report")))
    }

    @Test("strange keys and values are escaped in traces and differences, and a patch leads to them")
    func keysAndValues() throws {
        let folder = try TemporaryFolder()
        let members = { (suffix: String) in
            StrangeNames.all.map { "\(JSONString.text(of: $0)):\(JSONString.text(of: $0 + suffix))" }.joined(
                separator: ",")
        }
        let poem = Poems.first.dropLast()
        for (name, suffix) in [("old", ""), ("new", "2")] {
            try folder.write("\(poem),\(members(suffix))}", to: "\(name).json")
        }
        for format in ["text", "json", "markdown", "html"] {
            let run = try program.run("trace", "--no-experiments", "--format", format, "old.json", in: folder.path)
            #expect(run.status == 0)
            expectSafe(run.output + run.errors)
        }
        for format in ["text", "json", "patch"] {
            let run = try program.run("diff", "--format", format, "old.json", "new.json", in: folder.path)
            #expect(run.status == 1)
            expectSafe(run.output + run.errors)
            if format == "text" { #expect(run.lines.count == StrangeNames.all.count) }
            if format == "patch" { try folder.write(run.outputData, to: "patch") }
        }
        let script = """
            import json
            old, new, patch = (json.load(open(name, encoding="utf-8")) for name in ("old.json", "new.json", "patch"))
            for operation in patch:
                # RFC 6901, section 4.
                (name,) = operation["path"][1:].split("/")
                assert operation["op"] == "replace"
                old[name.replace("~1", "/").replace("~0", "~")] = operation["value"]
            print(old == new)
            """
        let run = try BuiltProgram(path: "/usr/bin/env").run("python3", "-c", script, in: folder.path)
        #expect(run.output == "True\n", "\(run.errors)")
    }

    @Test("a commit with a strange author and subject has one line in a history without raw characters")
    func history() throws {
        let repository = try GitFolder()
        // git would parse the other names as email addresses.
        let names = StrangeNames.all.filter {
            $0.unicodeScalars.last == "\u{301}" && !$0.utf8.contains(UInt8(ascii: "<"))
        }
        for (number, name) in names.enumerated() {
            try repository.folder.write(Poems.first.replacing("One", with: "\(number)"), to: "poem.json")
            try repository.git("add", "--all")
            try repository.git("commit", "--quiet", "--author", "\(name)a <a@b.c>", "--message", "\(name)b")
        }
        for format in ["text", "json", "jsonl", "junit", "github"] {
            let run = try program.run("check", "--history", "--format", format, "poem.json", in: repository.folder.path)
            #expect(run.status == 0, "\(format) \(run.errors)")
            expectSafe(run.output)
            expectSafe(run.errors)
            guard format == "text" || format == "jsonl" else { continue }
            let beginning = format == "text" ? #/[0-9a-f]{7,}:poem\.json: /# : #/\{"source":"[0-9a-f]{7,}:poem\.json"/#
            let lines = run.lines.filter { $0.prefixMatch(of: beginning) != nil }
            #expect(lines.count == names.count, "\(format)")
        }
    }

    // MARK: - Markdown

    /// The text that Markdown shows for a line, or `nil` if the line contains any markup.
    private func plain(_ line: some StringProtocol) -> String? {
        if ["://", "www."].contains(where: { line.utf8.firstRange(of: $0.utf8) != nil }) { return nil }
        // GitHub looks for mentions, issues, commits and emoji in rendered Markdown, and for formulas before that.
        let read = /@[^<]|@$|[Gg][Hh]-[0-9]|#[0-9]|:[A-Za-z0-9_+-]+:|[0-9A-Fa-f]{7}|[^ \\]\$/.matchingSemantics(
            .unicodeScalar)
        if String(line).firstMatch(of: read) != nil { return nil }
        let apart = "<!-- -->".unicodeScalars
        var (plain, rest) = ("", Array(line.unicodeScalars)[...])
        let start = rest.drop { $0 == " " }
        let digits = start.prefix { ("0"..."9").contains($0) }
        if let next = start.dropFirst(digits.count).first {
            if digits.isEmpty ? "-+*#>".unicodeScalars.contains(next) : next == "." || next == ")" { return nil }
        }
        while let scalar = rest.popFirst() {
            if scalar == "\\", let escaped = rest.first, escaped.isASCII,
                escaped.properties.generalCategory != .otherLetter,
                !escaped.properties.isAlphabetic, !("0"..."9").contains(escaped), escaped != " "
            {
                plain.unicodeScalars.append(escaped)
                rest.removeFirst()
            } else if scalar == "<", rest.starts(with: apart.dropFirst()) {
                rest = rest.dropFirst(apart.count - 1)
            } else if "`*_[]<>#|~&\\".unicodeScalars.contains(scalar) {
                return nil
            } else {
                plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    @Test("Markdown finds no markup in strange names in the story of a migration, and all fences are closed")
    func story() throws {
        for name in StrangeNames.all {
            let quoted = JSONString.text(of: name)
            let before = try Document(json: "{\(quoted): \(quoted), \"list\": [\(quoted)]}")
            let after = try Document(json: "{\(JSONString.text(of: name + "2")): 1, \"list\": [2]}")
            let path = DocumentPath([.key(name)])
            let failure = MigrationFailure(
                .field(path: path, problem: .noLongerValid(message: name)),
                step: .init(from: .name(name), to: .name("2")),
                culprit: .init(path: path, certain: false), location: before.root[name]?.location)
            let trace = MigrationTrace(
                source: name, format: .json, chain: name, target: .number(3),
                detection: VersionDetection(
                    version: .name(name), path: path,
                    attempts: [.init(version: .name(name), type: name, path: path, found: nil, reason: .text(name))]),
                steps: [
                    MigrationStep(
                        from: .number(1), to: .name(name), fromType: name, toType: name, note: name, seconds: 0,
                        before: before,
                        ending: .made(after)),
                    MigrationStep(
                        from: .name(name), to: .number(3), fromType: name, toType: name, seconds: 0, before: before,
                        ending: .failed(failure)),
                ], dropped: [path], warnings: [.text(name)], document: before)
            let story = TraceStory.text(
                of: trace, GivenName("a.json").document, source: before.source, edits: [.remove(path)])
            expectSafe(story)
            var fence: Substring?
            var texts: [String] = []
            for line in story.unicodeScalars.split(separator: "\n").map({ Substring($0) }) {
                if let open = fence {
                    if line == open { fence = nil } else { #expect(!line.hasPrefix(open), "\(name.debugDescription)") }
                } else if let match = line.wholeMatch(of: /(`{3,})(text|diff)/) {
                    fence = match.1
                } else {
                    let own = ["# ", "## ", "> ", "- ", "**"].first(where: line.hasPrefix) ?? ""
                    let text = plain(
                        line.unicodeScalars.dropFirst(own.count).dropLast(own == "**" ? 2 : 0).map { String($0) }
                            .joined())
                    #expect(text != nil, "\(name.debugDescription): \(line)")
                    texts.append(text ?? "")
                }
            }
            #expect(fence == nil, "\(name.debugDescription)")
            #expect(
                texts.first?.isExactly(DisplayText(TraceText.header(trace)).string) == true, "\(name.debugDescription)")
            #expect(texts.contains { $0.isExactly(DisplayText(name).string) }, "the note \(name.debugDescription)")
        }
    }
}
