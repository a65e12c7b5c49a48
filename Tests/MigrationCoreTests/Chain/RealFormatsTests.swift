import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

/// Formats that keep their version in two numbers, in a string, and in a number among comments. The documents have
/// the shape of real ones.
@Suite("Chains for formats that other programs write")
struct RealFormatsTests: MendSearching {
    // MARK: - Jupyter notebooks

    /// `nbformat` 4 and `nbformat_minor` 5. Minor versions below 5 differ only in that cells have no identifiers.
    struct NotebookVersion: VersionPathSpec {
        static let keyPathToVersion: KeyPath<Self, Int?> = \Self.version
        var nbformat: Int?
        var minor: Int?

        enum CodingKeys: String, CodingKey {
            case nbformat
            case minor = "nbformat_minor"
        }

        var version: Int? { nbformat.map { $0 == 4 && minor ?? 0 < 5 ? 400 : 100 * $0 + ($0 == 4 ? 5 : 0) } }

        init(withVersion version: Int?) { (nbformat, minor) = (version.map { $0 / 100 }, version.map { $0 % 100 }) }
    }

    /// Text that is a string or a list of lines.
    struct Source: Codable {
        var lines: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            lines = try (try? container.decode([String].self)) ?? [container.decode(String.self)]
        }

        func encode(to encoder: any Encoder) throws { try lines.encode(to: encoder) }
    }

    struct Notebook: VersionedCodable {
        static let version: Int? = 405
        typealias VersionSpec = NotebookVersion
        typealias PreviousVersion = Notebook40
        var cells: [Cell]
        var metadata: Document

        struct Cell: Codable {
            var id: String
            var kind: String
            var source: Source
            var metadata: Document
            var outputs: [Document]?
            var count: Int?

            enum CodingKeys: String, CodingKey {
                case id, source, metadata, outputs
                case kind = "cell_type"
                case count = "execution_count"
            }
        }

        init(from old: Notebook40) {
            metadata = old.metadata
            cells = old.cells.enumerated().map { index, cell in
                Cell(
                    id: "cell-\(index)", kind: cell.kind, source: cell.source, metadata: cell.metadata,
                    outputs: cell.outputs, count: cell.count)
            }
        }
    }

    struct Notebook40: VersionedCodable {
        static let version: Int? = 400
        typealias VersionSpec = NotebookVersion
        typealias PreviousVersion = Notebook3
        var cells: [Cell]
        var metadata: Document

        struct Cell: Codable {
            var kind: String
            var source: Source
            var metadata: Document
            var outputs: [Document]?
            var count: Int?

            enum CodingKeys: String, CodingKey {
                case source, metadata, outputs
                case kind = "cell_type"
                case count = "execution_count"
            }
        }

        init(from old: Notebook3) throws {
            metadata = old.metadata
            guard old.worksheets.count <= 1 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(
                        codingPath: [CodingKeys.cells],
                        debugDescription: "\(old.worksheets.count) worksheets are not one"))
            }
            cells = try (old.worksheets.first?.cells ?? []).map { cell in
                guard let source = cell.source ?? cell.input else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [CodingKeys.cells], debugDescription: "A cell without a source"))
                }
                return Cell(
                    kind: cell.kind, source: source, metadata: cell.metadata ?? Self.empty, outputs: cell.outputs,
                    count: cell.number)
            }
        }

        private static let empty: Document = {
            var builder = DocumentBuilder()
            builder.beginObject()
            builder.end()
            return builder.finish()
        }()
    }

    struct Notebook3: VersionedCodable {
        static let version: Int? = 300
        typealias VersionSpec = NotebookVersion
        typealias PreviousVersion = NothingEarlier
        var metadata: Document
        var worksheets: [Worksheet]

        struct Worksheet: Codable { var cells: [Cell] }
        struct Cell: Codable {
            var kind: String
            var input: Source?
            var source: Source?
            var metadata: Document?
            var outputs: [Document]?
            var number: Int?

            enum CodingKeys: String, CodingKey {
                case input, source, metadata, outputs
                case kind = "cell_type"
                case number = "prompt_number"
            }
        }
    }

    static let notebooks = MigrationChain(Notebook.self)

    @Test("a notebook states its version in two numbers, and opens, is traced and migrates from each version")
    func notebooks() throws {
        let old = """
            {"metadata": {"name": "Lear"}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": [
              {"cell_type": "markdown", "metadata": {}, "source": ["# Lear"]},
              {"cell_type": "code", "input": "1 + 1", "prompt_number": 2, "outputs": [{"text": ["2"]}]}]}]}
            """
        let trace = Self.notebooks.trace(Data(old.utf8))
        #expect(trace.outcome == .migrated && trace.steps.count == 2 && trace.dropped.isEmpty)
        #expect(trace.detection.version == Self.notebooks.versions.first?.version)
        let result = try #require(trace.result)
        #expect(
            JSONWriter().string(result.root)
                == ##"{"cells":[{"id":"cell-0","source":["# Lear"],"metadata":{},"cell_type":"markdown"},"##
                + #"{"id":"cell-1","source":["1 + 1"],"metadata":{},"outputs":[{"text":["2"]}],"cell_type":"code","#
                + #""execution_count":2}],"metadata":{"name":"Lear"},"nbformat":4,"nbformat_minor":5}"#)
        #expect(try Self.notebooks.check(#require(try trace.resultData())).outcome == .current)
        let minor = Self.notebooks.check(Data(#"{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":2}"#.utf8))
        #expect(minor.outcome == .migrated)
        let failure = try #require(
            Self.notebooks.check(Data(#"{"cells":[],"metadata":{},"nbformat":9,"nbformat_minor":0}"#.utf8)).failure)
        #expect(failure.kind == .unsupportedVersion)
        let half = Self.notebooks.check(Data(#"{"cells":[],"metadata":{},"nbformat_minor":5}"#.utf8))
        #expect(half.failure?.message == "The version is incomplete: nbformat_minor 5 without nbformat")
        #expect(try JSONWriter().string(DocumentEncoder().encode(half.version).root) == #"{"nbformat_minor":5}"#)
        let two = try #require(
            Self.notebooks.trace(
                Data(#"{"metadata":{},"nbformat":3,"nbformat_minor":0,"worksheets":[{"cells":[]},{"cells":[]}]}"#.utf8)
            ).failure)
        #expect(two.kind == .fieldNoLongerValid && two.step?.from == Self.notebooks.versions.first?.version)
    }

    // MARK: - String catalogs

    /// The string catalog that Xcode writes, whose version is `"1.0"`, and a made-up later version in which a text is
    /// only its translation.
    struct Catalogue: Codable {
        var sourceLanguage: String
        var strings: [String: Entry]
        var version: Version = Self.version

        struct Entry: Codable {
            var comment: String?
            var extractionState: String?
            var localizations: [String: Document]?
        }
    }

    static let catalogues = MigrationChain(
        Catalogue.self,
        fields: { _ in PayloadFields(required: ["sourceLanguage", "strings"]) })

    @Test("a string catalog states its version as a string, and opens, is traced and migrates")
    func catalogues() throws {
        let old = """
            {
              "sourceLanguage" : "en",
              "strings" : {
                "Hello" : {
                  "localizations" : {
                    "de" : { "stringUnit" : { "state" : "translated", "value" : "Hallo" } },
                    "ja" : { "variations" : { "plural" : { } } }
                  }
                },
                "" : {

                }
              },
              "version" : "1.0"
            }
            """
        let trace = Self.catalogues.trace(Data(old.utf8))
        #expect(trace.outcome == .migrated && trace.dropped.isEmpty)
        #expect(trace.detection.version?.description == "1.0")
        #expect(
            trace.steps.first?.difference?.changes.map { "\($0.kind) \($0.path)" } == [
                "changed $.strings.Hello.localizations.de", "changed $.version",
            ])
        let text = try #require(try trace.resultData().map { String(decoding: $0, as: UTF8.self) })
        #expect(text.contains("\"de\" : \"Hallo\"") && text.hasSuffix("\"version\" : \"2.0\"\n}"))
        #expect(Self.catalogues.check(Data(text.utf8)).outcome == .current)
        let broken = old.replacingOccurrences(of: "\"Hallo\"", with: "7")
        let failure = try #require(Self.catalogues.trace(Data(broken.utf8)).failure)
        #expect(failure.message == "The value of a text is a text")
    }

    @Test("another version that only skips the failing step is no repair of a string catalog")
    func brokenCatalogue() throws {
        let text = #"""
            {"sourceLanguage": "en", "strings": {"a": {"localizations":
             {"de": {"stringUnit": {"state": "translated", "value": 7}}}}}, "version": "1.0"}
            """#
        let outlines = Self.catalogues.versions.map { Self.catalogues.outline(of: $0.version) }
        // The older version's fields are declared without the version key, which all versions have.
        #expect(outlines[0]?.names(inside: .root) == ["sourceLanguage", "strings", "version"])
        let changes = try #require(outlines[1]?.changes(from: outlines[0]))
        #expect(!changes.contains { $0.kind == .added })
        #expect(Self.catalogues.trace(Data(text.utf8)).failure?.message == "The value of a text is a text")
    }

    @Test("a value with which a version still cannot be read does not get past an unknown version")
    func unknownMinor() throws {
        let found = try search(
            Self.notebooks, #"{"nbformat": 5, "nbformat_minor": 0, "metadata": {}, "cells": []}"#)
        let passing = try #require(found?.proof?.passing)
        #expect(passing.allSatisfy { $0.root.wholeNumber != nil })
    }

    @Test("each value of a version of several values is replaced by those of other versions, and by nothing else")
    func otherVersionsOfSeveralValues() throws {
        let cells = #""metadata": {}, "cells": []"#
        let found = try search(Self.notebooks, #"{"nbformat": 5, "nbformat_minor": 0, \#(cells)}"#)
        let four = try Document(json: "4")
        #expect(found?.path == path("$.nbformat") && found?.proof?.repair == .set(path("$.nbformat"), four))
        let tried = (found?.proof?.passing ?? []) + (found?.proof?.failing ?? [])
        #expect(Set(tried.compactMap(\.root.wholeNumber)) == [3, 4])
    }

    // MARK: - .swift-format

    /// The configuration of swift-format, which is read with `allowsJSON5`, and a made-up later version.
    struct Configuration: VersionedCodable {
        static let version: Int? = 2
        typealias PreviousVersion = Configuration1
        var maximumLineLength: Int
        var indentation: [String: Int]
        var rules: [String: Bool]

        init(from old: Configuration1) throws {
            maximumLineLength = old.lineLength ?? 100
            guard let indentation = old.indentation, indentation.count == 1 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [CodingKeys.indentation], debugDescription: "Either spaces or tabs"))
            }
            (self.indentation, rules) = (indentation, old.rules ?? [:])
        }
    }

    struct Configuration1: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var lineLength: Int?
        var indentation: [String: Int]?
        var rules: [String: Bool]?
    }

    static let configurations = MigrationChain(
        Configuration.self, decoding: DecodingStrategies(allowsJSON5: true))

    @Test("a swift-format configuration with comments opens, is traced and migrates")
    func configurations() throws {
        let old = """
            // How this house is formatted.
            {
              "version": 1,
              "lineLength": 120, // wide
              "indentation": { "spaces": 4 },
              "rules": {
                /* for scripts */
                "NeverForceUnwrap": true,
              },
            }

            """
        let trace = Self.configurations.trace(Data(old.utf8))
        #expect(trace.outcome == .migrated && trace.format == .json5 && trace.dropped.isEmpty)
        #expect(
            try trace.resultData().map { String(decoding: $0, as: UTF8.self) } == """
                {
                  "maximumLineLength": 120,
                  "indentation": {
                    "spaces": 4
                  },
                  "rules": {
                    "NeverForceUnwrap": true
                  },
                  "version": 2
                }

                """)
        let two = old.replacingOccurrences(of: "\"spaces\": 4", with: "\"spaces\": 4, tabs: 0x1")
        let failure = try #require(Self.configurations.trace(Data(two.utf8)).failure)
        #expect(
            failure.message == "Either spaces or tabs" && failure.location?.line == 5 && failure.location?.column == 18)
    }
}

extension RealFormatsTests.Catalogue: Versionable {
    enum Version: String, VersionType {
        case one = "1.0"
        case two = "2.0"
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .one: .none
        case .two:
            .migrate { payload in
                guard var strings = payload["strings"] as? [String: [String: Any]] else { return }
                for (name, entry) in strings {
                    guard var localizations = entry["localizations"] as? [String: [String: Any]] else { continue }
                    var all: [String: Any] = localizations
                    for (language, localization) in localizations {
                        guard let unit = localization["stringUnit"] as? [String: Any] else { continue }
                        guard let value = unit["value"] as? String else {
                            throw VersionedDecodingError.fieldNoLongerValid(
                                .init(
                                    codingPath: [CodingKeys.strings], debugDescription: "The value of a text is a text")
                            )
                        }
                        all[language] = value
                    }
                    localizations = [:]
                    strings[name]?["localizations"] = all
                }
                payload["strings"] = strings
            }
        }
    }
}
