import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("What a trace makes of a document")
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
        "is stored in the layout and the encoding of the document that was read, with what stood behind it",
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
        // One that is current is stored as it was read, to the letter.
        let current = " {\"version\" : 2,\n\"weight\":5e-1, \"é\": 1}\n"
        #expect(try stored(current, encoding, withMark: withMark) == mark + current)
    }

    @Test("of a property list is one of the same format")
    func propertyLists() throws {
        for format in [DocumentFormat.plistXML, .plistBinary] {
            let list = try DocumentEncoder().encode(["_version": 1, "grams": 500], as: format)
            let data = try #require(PropertyListWriter(format: format)).data(list.root)
            let stored = try Document(parsing: SourceBytes(try #require(try chain.trace(data).resultData())))
            #expect(stored.format == format && stored.root["weight"]?.numberText == "0.5")
        }
    }

    @Test("of one that fails is nothing")
    func failed() throws {
        #expect(try chain.trace(Data(#"{"_version": 1}"#.utf8)).resultData() == nil)
        #expect(try chain.trace(Data(#"{"version": 9}"#.utf8)).resultData() == nil)
        #expect(try chain.trace(Data("{".utf8)).resultData() == nil)
    }

    @Test("fields that nothing read are lost unless the result has them still, with the same values")
    func lost() throws {
        let versioned = try chain.trace(json: #"{"_version": 1, "grams": 1, "mood": 1, "more": {"a": 1}}"#)
        #expect(versioned.lost.map(\.description) == ["$.mood", "$.more"] && versioned.lost == versioned.dropped)
        // Closures edit a payload that keeps what no type reads.
        let suitcases = MigrationChain(Suitcase.self)
        let json = #"{"version": 3, "name": "Ada", "grams": 1, "tags": {}, "mood": 1, "rows": [{"x": 1}]}"#
        let kept = try suitcases.trace(json: json)
        #expect(Set(kept.dropped.map(\.description)) == ["$.mood", "$.rows"] && kept.lost.isEmpty)
        // A value that another took the place of is lost.
        var changed = kept
        changed.steps[0].ending = .made(
            try Document(json: #"{"version": 4, "mood": 2, "rows": [{"x": 1.0}]}"#))
        #expect(changed.lost.map(\.description) == ["$.mood"])
        changed.dropped = [try #require(.of("$.rows[*].x")), try #require(.of("$.gone"))]
        #expect(changed.lost.map(\.description) == ["$.gone"])
        changed.steps[0].ending = .made(try Document(json: #"{"rows": [{"x": 2}]}"#))
        #expect(changed.lost == changed.dropped)
        // Of two values under one name a path does not say which it was.
        let twice = try suitcases.trace(json: json.replacing(#""mood": 1"#, with: #""mood": 1, "mood": 1"#))
        #expect(twice.lost == twice.dropped && !twice.lost.isEmpty)
        let failed = try chain.trace(json: #"{"version": 2, "weight": 1, "mood": 1}"#)
        #expect(failed.lost.isEmpty && failed.dropped.map(\.description) == ["$.mood"])
    }

    @Test(
        "a person's word for a version is a number, none, or a name",
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

    @Test("what the app's code printed stays in a trace file, with when that was")
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
