import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Observed versions")
struct ObservedVersionTests {
    private func result(_ json: String, key: DocumentPath? = nil) throws -> CheckResult {
        let document = try Document(json: json)
        return CheckResult(
            MigrationTrace(source: "a.json", opening: .unrecognized([]), document: document), versionKey: key)
    }

    private func versions(
        _ documents: [String], areStates: Bool = false, key: DocumentPath? = nil
    ) throws -> [String?] {
        let results = try documents.map { try result($0, key: key) }
        var observed = ObservedVersions(areStates: areStates, key: key)
        for result in results { observed.add(result) }
        return results.map { result in
            observed.choice.version(of: result).map { "\($0.version) \($0.path.map { "\($0)" } ?? "-")" }
        }
    }

    @Test(
        "a member is named like a version if a word of its name ends with version, schema or format",
        arguments: [
            ("version", true), ("lockfileVersion", true), ("schema_version", true), ("$schema", true),
            ("nbformat", true), ("nbformat_minor", true), ("FORMAT", true), ("_version", true), ("objectversion", true),
            ("conversion", false), ("conversionRate", false), ("information", false), ("platform", false),
            ("versions", false), ("subversion", false), ("", false),
        ])
    func names(_ name: String, isLike: Bool) { #expect((VersionName(name) != nil) == isLike) }

    @Test("a version is a number or a text at the root, or in an object there named like metadata, header or document")
    func places() throws {
        let candidates = try result(
            """
            {"version": 2, "meta": {"schemaVersion": "1.2", "n": 1}, "fileHeader": {"format": 7}, "data": {"version": 9},
             "formatVersion": {"major": 1}, "documentInfo": [{"version": 4}], "schema": null, "format": "", "version": 5}
            """
        ).versionCandidates
        #expect(
            candidates.map { "\($0.path ?? .root) \($0.version)" } == [
                "$.version 2", "$.meta.schemaVersion 1.2", "$.fileHeader.format 7",
            ])
        #expect(try result("[{\"version\": 1}]").versionCandidates.isEmpty)
    }

    @Test("a version is only observed if it differs between the documents")
    func differing() throws {
        #expect(try versions([#"{"version": 1}"#]) == [nil])
        #expect(try versions([#"{"version": 1}"#, #"{"version": 1}"#]) == [nil, nil])
        #expect(
            try versions([#"{"version": 1}"#, #"{"version": 2}"#, #"{"name": "x"}"#])
                == ["1 $.version", "2 $.version", nil])
        // A value of which one is a text, and the other a number, differs too.
        #expect(try versions([#"{"version": 1}"#, #"{"version": "1"}"#]).allSatisfy { $0 != nil })
    }

    @Test("a path that a person names may spell a position like a name, and lead into an embedded document")
    func namedPaths() throws {
        let documents = [#"{"list": [{"v": 1}]}"#, #"{"list": {"0": {"v": 2}}}"#, #"{"list": "[{\"v\": 3}]"}"#]
        for key in ["$.list.0.v", "$.list['0'].v"] {
            #expect(
                try versions(documents, key: DocumentPath(key))
                    == ["1 $.list[0].v", "2 $.list['0'].v", "3 $.list[0].v"])
        }
        #expect(
            try versions(documents, areStates: true, key: DocumentPath("$.list[0].v"))
                == ["1 $.list[0].v", "none -", "3 $.list[0].v"])
    }

    @Test("of several values that differ, the one most like the version of a format is observed")
    func ranking() throws {
        let locks = [
            #"{"name": "a", "version": "1.0.0", "lockfileVersion": 1}"#,
            #"{"name": "a", "version": "1.0.1", "lockfileVersion": 2}"#,
        ]
        #expect(try versions(locks) == ["1 $.lockfileVersion", "2 $.lockfileVersion"])
        let notebooks = [
            #"{"nbformat_minor": 2, "nbformat": 3}"#, #"{"nbformat_minor": 5, "nbformat": 4}"#,
        ]
        #expect(try versions(notebooks) == ["3 $.nbformat", "4 $.nbformat"])
        let exports = [
            #"{"format": "csv", "appVersion": 7, "version": 1}"#, #"{"format": "text", "appVersion": 8, "version": 2}"#,
        ]
        #expect(try versions(exports) == ["1 $.version", "2 $.version"])
        // Where only the release of the app differs, that is what can be seen.
        let releases = [#"{"version": 1, "appVersion": 7}"#, #"{"version": 1, "appVersion": 8}"#]
        #expect(try versions(releases) == ["7 $.appVersion", "8 $.appVersion"])
    }

    @Test("a state without the value that other states have has no version, and a key may move between states")
    func states() throws {
        #expect(
            try versions([#"{"name": "a"}"#, #"{"version": 1}"#], areStates: true) == ["none -", "1 $.version"])
        let moved = [#"{"_version": 1}"#, #"{"metadata": {"documentVersion": 2}}"#]
        #expect(
            try versions(moved, areStates: true) == ["1 $._version", "2 $.metadata.documentVersion"])
        // Two values that occur together are different things, so the release stands for no version of the format.
        let releases = [
            #"{"version": "0.9"}"#, #"{"version": "1.0", "schemaVersion": 1}"#,
            #"{"version": "1.1", "schemaVersion": 2}"#,
        ]
        #expect(
            try versions(releases, areStates: true) == ["none -", "1 $.schemaVersion", "2 $.schemaVersion"])
        #expect(try versions([#"{"name": "a"}"#, #"{"name": "b"}"#], areStates: true) == [nil, nil])
    }

    @Test("a path that was named is the version even where it does not differ, and no other value is")
    func named() throws {
        let key = try #require(DocumentPath("$.info.build"))
        let documents = [#"{"version": 1, "info": {"build": 4}}"#, #"{"version": 2, "info": {"build": 4}}"#, "{}"]
        #expect(try versions(documents, key: key) == ["4 $.info.build", "4 $.info.build", nil])
        #expect(
            try versions(documents, areStates: true, key: key) == ["4 $.info.build", "4 $.info.build", "none -"])
        #expect(try versions([#"{"info": {"build": [4]}}"#], key: key) == [nil])
    }

    @Test("documents that a chain claims, or that cannot be read, have no observed version")
    func others() throws {
        var observed = ObservedVersions(areStates: true)
        var known = try result(#"{"version": 1}"#)
        known.outcome = .current
        observed.add(known)
        observed.add(try result(#"{"version": 2}"#))
        #expect(observed.choice.version(of: known) == nil)
        #expect(try observed.choice.version(of: result(#"{"version": 2}"#)) == nil)
    }

    @Test("turns of observed versions say so, and are no claim about the outcome")
    func turns() throws {
        var (old, new) = (try result(#"{"version": 1}"#), try result(#"{"version": 2}"#))
        old.observed = ObservedVersion(version: .number(1), path: DocumentPath("$.version"))
        new.observed = ObservedVersion(version: .number(2), path: DocumentPath("$.version"))
        #expect(new.turns(after: [old], isWhole: true) == [.observed(from: .number(1), to: .number(2))])
        #expect(new.turns(after: [old], isWhole: true).map(\.words) == ["version 2, observed,"])
        #expect(new.turns(after: [new], isWhole: true).isEmpty)
        let turn = HistorySummary.Turn(
            of: "a.json", commit: "c", change: .observed(from: .number(1), to: .unversioned))
        let json = try Document(json: String(decoding: JSONEncoder().encode(turn), as: UTF8.self)).root
        #expect(json["observed"]?.boolean == true && json["kind"]?.string == "version")
        #expect(json["from"]?.numberText == "1" && json["to"]?.isNull == true)
    }

    @Test("the fields of documents have their kinds and the number of documents that have them")
    func fields() throws {
        var fields = ObservedFields()
        for json in [
            #"{"version": 1, "title": "a", "lines": [{"n": 1}, {"n": 2, "t": "x"}]}"#,
            #"{"version": 1, "title": null, "lines": [], "extra": {"on": true}}"#,
            #"{"version": 1, "title": 3, "title": 4}"#,
        ] { fields.add(try Document(json: json), to: 0) }
        let (outline, counts) = fields.fields(of: 0)
        #expect(
            outline.fields.map { "\($0.path) \($0.type ?? "") \($0.isRequired ? "always" : "")" } == [
                "$.version number always", "$.title text or null or number always", "$.lines list ",
                "$.lines[*] object ", "$.lines[*].n number always", "$.lines[*].t text always", "$.extra object ",
                "$.extra.on true or false always",
            ])
        // Documents are counted, not elements.
        #expect(fields.documentCounts == [0: 3])
        #expect(outline.fields.map { counts[$0.path] } == [3, 3, 2, 1, 1, 1, 1, 1])
    }

    @Test("the entries of a dictionary are one field, in every document, and each document counts once")
    func dictionaries() throws {
        let large = (1...11).map { #""k\#($0)": {"size": \#($0)}"# }.joined(separator: ", ")
        var fields = ObservedFields()
        for json in [#"{"files": {\#(large)}}"#, #"{"files": {"other": {"size": 1, "mode": 2}}}"#, #"{"files": {}}"#] {
            fields.add(try Document(json: json), to: 0)
        }
        let (outline, counts) = fields.fields(of: 0)
        #expect(outline.fields.map(\.path.description) == ["$.files", "$.files.*", "$.files.*.size", "$.files.*.mode"])
        #expect(outline.fields.map { counts[$0.path] } == [3, 2, 2, 1])
        // A dictionary in one group is one in all, and each group has only its own fields.
        fields.add(try Document(json: #"{"files": {"a": {"size": 1}, "b": {"size": 2}}, "n": 1}"#), to: 1)
        #expect(
            fields.fields(of: 1).outline.fields.map(\.path.description) == [
                "$.files", "$.files.*", "$.files.*.size", "$.n",
            ])
        #expect(fields.fields(of: 1).counts[DocumentPath([.key("files"), .everyMember])] == 1)
        #expect(fields.fields(of: 0).counts[DocumentPath([.key("n")])] == nil && fields.fields(of: 2).counts.isEmpty)
    }
}
