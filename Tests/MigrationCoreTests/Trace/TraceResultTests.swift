import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("The result of a trace")
struct TraceResultTests {
    private let chain = MigrationChain(ParcelV2.self)

    private func stored(_ text: String, _ encoding: TextEncoding = .utf8, withMark: Bool = false) throws -> String? {
        let data = encoding.data(of: Data(text.utf8), withByteOrderMark: withMark)
        let trace = chain.trace(data)
        #expect(trace.failure == nil)
        guard let stored = try trace.resultData() else { return nil }
        let read = try Document(parsing: SourceBytes(stored))
        #expect(read.encoding == encoding && read.hasByteOrderMark == withMark)
        return read.source.map { $0.string(in: 0..<$0.count) }
    }

    @Test(
        "the result has the layout, encoding and trailing white space of the document that was read",
        arguments: [TextEncoding.utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian],
        [false, true])
    func layout(encoding: TextEncoding, withMark: Bool) throws {
        let mark = withMark && encoding == .utf8 ? "\u{FEFF}" : ""
        for (old, new) in [
            (#"{"_version":1,"grams":500}"#, #"{"weight":0.5,"version":2}"#),
            (
                "{\r\n\t\"_version\" : 1,\r\n\t\"grams\" : 500\r\n}\r\n",
                "{\r\n\t\"weight\" : 0.5,\r\n\t\"version\" : 2\r\n}\r\n"
            ),
            ("{\"_version\":1,\"grams\":500} \n\n", "{\"weight\":0.5,\"version\":2} \n\n"),
        ] {
            #expect(try stored(old, encoding, withMark: withMark) == mark + new)
        }
        // A current document is stored exactly as it was read.
        let current = " {\"version\" : 2,\n\"weight\":5e-1, \"é\": 1}\n"
        #expect(try stored(current, encoding, withMark: withMark) == mark + current)
    }

    @Test("the result of a property list has the same format")
    func propertyLists() throws {
        for format in [DocumentFormat.plistXML, .plistBinary] {
            let list = try DocumentEncoder().encode(["_version": 1, "grams": 500], as: format)
            let data = try #require(PropertyListWriter(format: format)).data(list.root)
            let stored = try Document(parsing: SourceBytes(try #require(try chain.trace(data).resultData())))
            #expect(stored.format == format && stored.root["weight"]?.numberText == "0.5")
        }
    }

    @Test("a trace that fails has no result")
    func failed() throws {
        #expect(try chain.trace(Data(#"{"_version": 1}"#.utf8)).resultData() == nil)
        #expect(try chain.trace(Data(#"{"version": 9}"#.utf8)).resultData() == nil)
        #expect(try chain.trace(Data("{".utf8)).resultData() == nil)
    }

    @Test("unread fields are lost unless the result still has them with the same values")
    func lost() throws {
        let versioned = try chain.trace(json: #"{"_version": 1, "grams": 1, "mood": 1, "more": {"a": 1}}"#)
        #expect(versioned.lost.map(\.description) == ["$.mood", "$.more"] && versioned.lost == versioned.dropped)
        // Closures edit a payload that keeps the fields that no type reads.
        let suitcases = MigrationChain(Suitcase.self)
        let json = #"{"version": 3, "name": "Ada", "grams": 1, "tags": {}, "mood": 1, "rows": [{"x": 1}]}"#
        let kept = try suitcases.trace(json: json)
        #expect(Set(kept.dropped.map(\.description)) == ["$.mood", "$.rows"] && kept.lost.isEmpty)
        // A value that was replaced by another is lost.
        var changed = kept
        changed.steps[0].ending = .made(
            try Document(json: #"{"version": 4, "mood": 2, "rows": [{"x": 1.0}]}"#))
        #expect(changed.lost.map(\.description) == ["$.mood"])
        changed.dropped = [try #require(.of("$.rows[*].x")), try #require(.of("$.gone"))]
        #expect(changed.lost.map(\.description) == ["$.gone"])
        changed.steps[0].ending = .made(try Document(json: #"{"rows": [{"x": 2}]}"#))
        #expect(changed.lost == changed.dropped)
        // If a name occurs twice, a path does not say which value it means.
        let twice = try suitcases.trace(json: json.replacing(#""mood": 1"#, with: #""mood": 1, "mood": 1"#))
        #expect(twice.lost == twice.dropped && !twice.lost.isEmpty)
        let failed = try chain.trace(json: #"{"version": 2, "weight": 1, "mood": 1}"#)
        #expect(failed.lost.isEmpty && failed.dropped.map(\.description) == ["$.mood"])
    }

    @Test(
        "a version given by a person is a number, none, or a name",
        arguments: [
            ("3", DocumentVersion.number(3)), ("-1", .number(-1)), ("none", .unversioned), ("None", .name("None")),
            ("v1", .name("v1")), ("", .name("")), ("3.0", .name("3.0")),
        ])
    func versions(text: String, version: DocumentVersion) throws {
        #expect(DocumentVersion(text: text) == version)
        #expect(version.description == (text == "None" ? "None" : text))
        let coded = try DocumentEncoder().encode([version])
        #expect(try DocumentDecoder().decode([DocumentVersion].self, from: coded.root) == [version])
    }

    @Test("output of the app's code is kept in a trace file, with its phase and step")
    func output() throws {
        var trace = try chain.trace(json: #"{"_version": 1, "grams": 1}"#)
        trace.output = [
            PrintedOutput(stream: .stderr, text: "a"),
            PrintedOutput(
                phase: .step, step: .init(from: .number(1), to: .number(2)), stream: .stdout, text: "b\n\u{1B}"),
        ]
        let written = try DocumentEncoder().encode(versioned: trace)
        #expect(written.root["output"]?[0]?.members.map(\.name) == ["phase", "step", "stream", "text"])
        let read = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: written.root)
        #expect(read.output == trace.output)
    }
}
