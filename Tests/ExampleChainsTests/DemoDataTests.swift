import DocumentModel
import ExampleChains
import Foundation
import MigrationCore
import Testing

@Suite("The demo-data")
struct DemoDataTests {
    /// The expected results for each file: its chain, its version, and its failure, if any.
    private static let expected: [String: (chain: String?, version: DocumentVersion?, failure: String?)] = [
        "unknown.json": (nil, nil, nil),
        "posted-letters/recipient-empty.json": ("Letter", .number(1), "thrown step 1 $.recipient?"),
        "posted-letters/version-1-postscript-dropped.json": ("Letter", .number(1), nil),
        "posted-letters/version-2.json": ("Letter", .number(2), nil),
        "resolved-packages/pin-of-unknown-kind.resolved":
            ("Package.resolved", .number(2), "dataCorrupted $.pins[1].kind"),
        "resolved-packages/version-1.resolved": ("Package.resolved", .number(1), nil),
        "resolved-packages/version-2.resolved": ("Package.resolved", .number(2), nil),
        "resolved-packages/version-3.resolved": ("Package.resolved", .number(3), nil),
        "things/version-1.json": ("Complex", .number(1), nil),
        "things/version-2.json": ("Complex", .number(2), nil),
        "things/version-2-text-a-number.json": ("Complex", .number(2), "typeMismatch step 2 $.text"),
        "things/version-2-text-empty.json": ("Complex", .number(2), "fieldNoLongerValid step 2 $.text?"),
        "things/collection-of-things.json": ("Collection", .number(1), nil),
        "things/version-3.json": ("Complex", .number(3), nil),
        "things/version-3-number-misspelt.json": ("Complex", .number(3), "keyNotFound $.numer?"),
        "things/version-4-too-new.json": ("Complex", .number(4), "unsupportedVersion $.version"),
        "poems/wrong-author-misspelt.json": ("Poem", .number(2), "keyNotFound $.auhtor?"),
        "poems/version-2-author-twice.json": ("Poem", .number(2), nil),
        "poems/wrong-cut-short.json": (nil, nil, "malformed"),
        "poems/wrong-lines-null.json": ("Poem", .number(3), "valueNotFound $.lines"),
        "poems/rating-9.json": ("Poem", .number(1), "fieldNoLongerValid step 1 $.starRating?"),
        "poems/wrong-rating-in-words.json": ("Poem", .number(1), "typeMismatch $.starRating"),
        "poems/wrong-text-missing.json": ("Poem", .unversioned, "fieldNoLongerValid step none"),
        "poems/version-1.json": ("Poem", .number(1), nil),
        "poems/version-2-xml.plist": ("Poem", .number(2), nil),
        "poems/version-2.json": ("Poem", .number(2), nil),
        "poems/version-3-binary.plist": ("Poem", .number(3), nil),
        "poems/version-3.json": ("Poem", .number(3), nil),
        "poems/version-7-too-new.json": ("Poem", .number(7), "unsupportedVersion $.version"),
        "poems/version-none.json": ("Poem", .unversioned, nil),
        "shapes/user-by-email.json": ("User", .number(1), nil),
        "shapes/user-by-id.json": ("User", .number(2), nil),
        "shapes/user-email-a-number.json": ("User", nil, "unsupportedVersion $.email?"),
        "shapes/user-email-empty.json": ("User", .number(1), "fieldNoLongerValid step 1 $.email?"),
        "shapes/user-id-null.json": ("User", nil, "unsupportedVersion $.id?"),
        "shapes/user-of-both-shapes-email-lost.json": ("User", .number(2), nil),
        "preferences/array-cut-short-xml.plist":
            ("Clock preferences", .number(4), "dataCorrupted $.arrayString"),
        "preferences/elements-still-json-strings-xml.plist":
            ("Clock preferences", .number(4), "typeMismatch $.arrayTimezone[0]"),
        "preferences/neither-string-nor-set-xml.plist":
            ("Clock preferences", .number(4), "typeMismatch $.setString"),
        "preferences/null-in-array.plist": ("Clock preferences", .number(4), "valueNotFound $.arrayString[1]"),
        "preferences/number-in-words.plist":
            ("Clock preferences", .number(4), "typeMismatch $.dictionaryStringInt.two"),
        "preferences/period-of-five-minutes-xml.plist":
            ("Clock preferences", .number(4), "fieldNoLongerValid step 4 $.period?"),
        "preferences/period-of-two-hours.plist": ("Clock preferences", .number(4), "dataCorrupted $.period"),
        "preferences/time-zone-without-name.plist": ("Clock preferences", .number(4), "keyNotFound"),
        "preferences/version-4-and-5-mixed.plist": ("Clock preferences", .number(4), nil),
        "preferences/version-4-city-dropped.plist": ("Clock preferences", .number(4), nil),
        "preferences/version-4-xml.plist": ("Clock preferences", .number(4), nil),
        "preferences/version-4.plist": ("Clock preferences", .number(4), nil),
        "preferences/version-5-xml.plist": ("Clock preferences", .number(5), nil),
        "preferences/version-5.plist": ("Clock preferences", .number(5), nil),
    ]

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "demo-data")

    @Test("a document of the demo-data matches its name", arguments: expected.keys.sorted())
    func promise(name: String) throws {
        let expected = try #require(Self.expected[name])
        let bytes = SourceBytes(try Data(contentsOf: Self.folder.appending(path: name)))
        guard expected.failure != "malformed" else {
            #expect(throws: DocumentParseError.self) { try Document(parsing: bytes) }
            return
        }
        let document = try Document(parsing: bytes)
        let chain = ExampleChains.all.recognize(document).chain
        #expect(chain?.name == expected.chain)
        guard expected.chain != nil else { return }
        let result = try #require(chain?.check(document, source: name))
        #expect(result.version == expected.version)
        #expect(result.failure.map(Self.words) == expected.failure)
        // If two values have the same name, only one is read.
        let dropped = [
            "posted-letters/version-1-postscript-dropped.json": ["$.postscript"],
            "poems/version-2-author-twice.json": ["$.author#2"],
            "shapes/user-of-both-shapes-email-lost.json": ["$.email"],
            "preferences/version-4-city-dropped.plist": ["$.TimeZone.city"],
        ]
        #expect(result.dropped.map(\.description) == dropped[name] ?? [])
        // Letters of version 1 have their version where VersionedCodable doesn't look.
        let isMoved = result.chain == "Letter" && result.version == .number(1)
        #expect(result.warnings.count == (name.contains("twice") || name.contains("lost") || isMoved ? 1 : 0))
        #expect(chain.map { CheckResult($0.trace(document, source: name)) } == result)
    }

    private static func words(_ failure: MigrationFailure) -> String {
        var words = failure.kind.rawValue
        if let step = failure.step { words += " step \(step.from)" }
        if let culprit = failure.culprit { words += " \(culprit.path)" + (culprit.certain ? "" : "?") }
        return words
    }
}
