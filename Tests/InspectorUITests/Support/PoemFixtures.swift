import DocumentModel
import MigrationCore

@testable import InspectorUI

/// Handwritten traces of poems, like those of the chain in demo-data.
enum PoemFixtures {
    static let limerick = "An epicure dining at Crewe\\nfound a rather large mouse in his stew"

    static let versions = [
        ChainVersion(version: .unversioned, type: "UnversionedPoem"),
        ChainVersion(version: .number(1), type: "PoemV1"),
        ChainVersion(version: .number(2), type: "PoemV2"),
        ChainVersion(version: .number(3), type: "Poem"),
    ]

    static func document(_ json: String) -> Document {
        guard let document = try? Document(json: json) else { preconditionFailure("a fixture is no document: \(json)") }
        return document
    }

    private static func poem1(rating: Int) -> Document {
        document(
            """
            {
              "version": 1,
              "author": "Anonymous",
              "poem": "\(limerick)",
              "starRating": \(rating)
            }

            """)
    }

    private static let poem2 = document(
        """
        {"version": 2, "author": "Anonymous", "poem": "\(limerick)", "rating": "love"}
        """)

    private static let poem3 = document(
        """
        {
          "version": 3,
          "author": {"name": "Anonymous"},
          "lines": ["An epicure dining at Crewe", "found a rather large mouse in his stew"],
          "rating": "love"
        }
        """)

    private static func attempts(_ version: Int) -> [VersionDetection.Attempt] {
        stride(from: 3, through: version, by: -1).map { number in
            VersionDetection.Attempt(
                version: .number(number), type: number == 3 ? "Poem" : "PoemV\(number)",
                path: DocumentPath("$.version"), found: document(String(version)),
                reason: number == version ? nil : .text("$.version is \(version), not \(number)"))
        }
    }

    private static func detection(_ version: Int) -> VersionDetection {
        VersionDetection(version: .number(version), path: DocumentPath("$.version"), attempts: attempts(version))
    }

    private static func step2(_ before: Document, _ ending: MigrationStep.Ending) -> MigrationStep {
        MigrationStep(
            from: .number(1), to: .number(2), fromType: "PoemV1", toType: "PoemV2",
            note: "Stars became words.", seconds: 0.000123, before: before, ending: ending)
    }

    /// A trace that migrates from 1 to 3.
    static let migrating = MigrationTrace(
        source: "poem-v1.json", format: .json, chain: "Poem", versions: versions, target: .number(3),
        detection: detection(1),
        steps: [
            step2(poem1(rating: 5), .made(poem2)),
            MigrationStep(
                from: .number(2), to: .number(3), fromType: "PoemV2", toType: "Poem", seconds: 0.000087,
                before: poem2, ending: .made(poem3)),
        ],
        document: poem1(rating: 5), decodingSeconds: 0.00005)

    /// A trace that fails between 1 and 2.
    static let failing = MigrationTrace(
        source: "poem-rating-9.json", format: .json, chain: "Poem", versions: versions, target: .number(3),
        detection: detection(1), steps: [step2(poem1(rating: 9), .failed(ratingFailure))],
        document: poem1(rating: 9))

    static let ratingFailure = MigrationFailure(
        kind: .fieldNoLongerValid, step: .init(from: .number(1), to: .number(2)), path: DocumentPath("$.rating"),
        culprit: .init(path: .root.appending(key: "starRating"), certain: false),
        message: "Star rating 9 is no longer valid",
        location: SourceLocation(line: 5, column: 17, offset: 155))

    /// A document of the newest version, with a field that no version reads.
    static let current = MigrationTrace(
        source: "poem-v3.json", format: .json, chain: "Poem", versions: versions, target: .number(3),
        detection: detection(3), dropped: [.root.appending(key: "mood")],
        warnings: ["the key rating occurs twice; the first one counts"], document: poem3, decodingSeconds: 0.00004)

    /// A document of a version that the chain doesn't have.
    static let newer: MigrationTrace = {
        let document = Self.document("{\"version\": 7, \"title\": \"From the future\"}")
        return MigrationTrace(
            source: "poem-v7.json", format: .json, chain: "Poem", versions: versions, target: .number(3),
            detection: VersionDetection(
                version: .number(7), path: DocumentPath("$.version"),
                attempts: (attempts(1).map { attempt in
                    var attempt = attempt
                    attempt.found = Self.document("7")
                    attempt.reason = .text("$.version is 7, not \(attempt.version)")
                    return attempt
                } + [
                    VersionDetection.Attempt(
                        version: .unversioned, type: "UnversionedPoem", path: nil, found: nil,
                        reason: "the document has a version")
                ])),
            opening: .failed(
                MigrationFailure(
                    kind: .unsupportedVersion, message: "version 7 is newer than this chain knows",
                    location: SourceLocation(line: 1, column: 13, offset: 12),
                    tried: [.number(3), .number(2), .number(1), .unversioned])),
            document: document)
    }()

    /// A text that is not a document.
    static let malformed = MigrationTrace(
        source: "broken.json",
        opening: .failed(
            MigrationFailure(
                kind: .malformed, message: "found ',', expected a value",
                location: SourceLocation(line: 2, column: 12, offset: 13))))
    static let malformedText = "{\n  \"version\": ,\n  \"author\": \"Anonymous\"\n}\n"

    /// A document that no chain recognizes.
    static let unrecognized = MigrationTrace(
        source: "mystery.json", format: .json, opening: .unrecognized([]),
        document: document("{\"hello\": \"world\", \"list\": [1, 2, 3]}"))

    /// A file that could not be read.
    static let unreadable = MigrationTrace(
        source: "secret.json", opening: .failed(MigrationFailure(kind: .unreadable, message: "permission denied")))

    /// A document that fails to decode as its own version, because a field is missing.
    static let missingField: MigrationTrace = {
        let document = Self.document(
            "{\n  \"version\": 3,\n  \"author\": {\"born\": 1871},\n  \"lines\": [],\n  \"rating\": \"meh\"\n}")
        return MigrationTrace(
            source: "no-name.json", format: .json, chain: "Poem", versions: versions, target: .number(3),
            detection: detection(3),
            opening: .failed(
                MigrationFailure(
                    kind: .keyNotFound, path: DocumentPath("$.author.name"),
                    message: "No value associated with key name",
                    location: SourceLocation(line: 3, column: 13, offset: 32))),
            document: document)
    }()

    /// Preferences whose keys migrate separately.
    static let preferences: MigrationTrace = {
        func part(_ key: String, _ trace: MigrationTrace) -> MigrationTrace {
            var part = trace
            part.source = key
            part.path = .root.appending(key: key)
            return part
        }
        return MigrationTrace(
            source: "clock.plist", format: .plistXML, chain: "Clock preferences",
            versions: [.init(version: .number(4), type: "v4"), .init(version: .number(5), type: "v5")],
            target: .number(5), detection: VersionDetection(version: .number(4)),
            opening: .failed(ratingFailure), parts: [part("period", migrating), part("TimeZone", failing)],
            document: document("{\"period\": \"x\", \"TimeZone\": \"y\"}"))
    }()

    static let all = [
        current, migrating, failing, unrecognized, newer, malformed, missingField, unreadable, preferences,
    ]
}
