import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

// The only tests that depend on the wording of reasons.

@Suite("Sentences of reasons")
struct ReasonWordsTests {
    private static func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    private static let five = FoundValue(kind: "string", text: "\"five\"")
    private static let tried = [
        ChainVersion(version: .number(2), type: "Poem"), ChainVersion(version: .unversioned, type: "OldPoem"),
    ]

    @Test(
        "a reason says what was found and what would have been right",
        arguments: [
            (Reason.field(path: path("$.author"), problem: .missingKey), "no value for author"),
            (
                .field(path: path("$.stars"), problem: .mismatch(expected: .value(type: "Int"), found: five)),
                "expected Int, found a string"
            ),
            (
                .field(
                    path: path("$.lines"),
                    problem: .mismatch(expected: .array, found: FoundValue(kind: "boolean", text: "true"))),
                "expected an array, found a Boolean"
            ),
            (
                .field(path: path("$.lines"), problem: .missingValue(expected: .object)),
                "expected an object, found null"
            ),
            (
                .field(path: path("$.n"), problem: .unrepresentable(number: "300", type: "Int8")),
                "300 does not fit in Int8"
            ),
            (
                .field(
                    path: path("$.r"), problem: .noCase(type: "Rating", found: five, cases: ["love", "meh", "hate"])),
                "\"five\" is not a value of Rating; its values are love, meh and hate"
            ),
            (
                .field(path: path("$.r"), problem: .noCase(type: "Rating", found: five, cases: nil)),
                "\"five\" is not a value of Rating"
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(
                        found: FoundValue(kind: "string", text: "\"2024-01-31T12:00:00Z\""), form: .iso8601,
                        reads: .secondsSince2001)),
                """
                expected a date, found \"2024-01-31T12:00:00Z\", which is ISO 8601; this chain reads seconds since 2001
                """
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(found: FoundValue(kind: "string", text: "\"2024-01-31\""), form: .day)),
                "expected a date, found \"2024-01-31\", a day without a time"
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(
                        found: FoundValue(kind: "string", text: "\"2024-01-31T12:00:00\""), form: .local,
                        reads: .iso8601)),
                """
                expected a date, found \"2024-01-31T12:00:00\", in which there is no zone; this chain reads ISO 8601
                """
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(found: FoundValue(kind: "number", text: "1706702400"), form: .secondsSince1970)),
                "1706702400 may be seconds since 1970: 2024-01-31T12:00:00Z"
            ),
            (
                .field(path: path("$.at"), problem: .wrongDate(found: five, form: nil)),
                "expected a date, found a string"
            ),
            (.field(path: path("$.d"), problem: .wrongText(expected: "Base64", found: five)), "\"five\" is not Base64"),
            (
                .field(path: path("$.r"), problem: .noLongerValid(message: "Star rating 9 is no longer valid")),
                "Star rating 9 is no longer valid"
            ),
            (
                .field(path: .root, problem: .noLongerValid(message: "Star rating 9 is no longer valid.")),
                "Star rating 9 is no longer valid; the migration named no field"
            ),
            (
                .unsupportedVersion(chain: "Poem", version: .number(7), path: nil, tried: tried, because: nil),
                "Version 7 is newer than the newest that Poem knows, 2"
            ),
            (
                .unsupportedVersion(chain: "Poem", version: .number(1), path: nil, tried: tried, because: nil),
                "Poem has no version 1"
            ),
            (
                .unsupportedVersion(
                    chain: "Poem", version: nil, path: nil, tried: tried,
                    because: .field(
                        path: path("$.version"), problem: .mismatch(expected: .value(type: "Int"), found: five))),
                "expected Int, found a string; the version could not be determined, tried 2 (Poem), none (OldPoem)"
            ),
            (
                .noShapeFits(
                    attempts: [
                        ShapeFailure(type: "UserV2", reason: .field(path: path("$.id"), problem: .missingKey)),
                        ShapeFailure(type: "UserV1", reason: .field(path: path("$.email"), problem: .missingKey)),
                    ], nearest: 1), "no value for email (as UserV1)"
            ),
            (
                .tie(chains: ["Poem", "Complex"], version: .number(1)),
                "version 1 is known to Poem and Complex"
            ),
            (
                .fitsOtherVersion(claimed: .number(1), fitting: .number(2)),
                "The document says version 1, but has the fields of version 2"
            ),
            (
                .fitsOtherChains(chain: "Contact", others: ["Member", "Guest"]),
                "The document counts as one of Contact because of its version; apart from that, it decodes whole as Member "
                    + "and as Guest"
            ),
            (
                .field(
                    path: path("$.é"),
                    problem: .duplicateName(isLastRead: false, spellings: ["\u{E9}", "e\u{301}"], string: nil)),
                #"$.é occurs more than once, as "\u{00E9}" and as "e\u{0301}"; only the first is read"#
            ),
            (
                .crashed(
                    Crash(.trap, lastWords: "Fatal error: no such kind", isVerdict: true), frame: "f at A.swift:1"),
                "Fatal error: no such kind, in f at A.swift:1"
            ),
            (.crashed(Crash(.exit(3), lastWords: "bye")), "bye (exit(3) was called)"),
            (.crashed(Crash(.stackOverflow, place: "app+0x1f")), "stack overflow at app+0x1f"),
            (.crashed(Crash(.outOfMemory, lastWords: "bye")), "out of memory"),
            (
                .crashed(Crash(.trap, place: "app+0x1f")),
                "trap at app+0x1f: a failed precondition, an index out of range, an overflow, or a nil that was unwrapped"
            ),
            (.crashed(Crash(.abort)), "abort() was called"),
            (.crashed(Crash(.badAccess)), "an access to memory that is not there"),
            (.crashed(Crash(.arithmetic)), "SIGFPE"),
            (.crashed(Crash(.killed)), "killed, as the system does when memory runs out"),
            (
                .crashed(Crash(.unreadableAnswer)),
                """
                the answer of the process that ran the app's code cannot be read, as when the code writes to memory or \
                descriptors that are not its own
                """
            ),
            (
                .crashed(Crash(.brokenRule(.kind))),
                "the process that ran the app's code broke a rule of the program: its answer is of a kind that was not asked for"
            ),
            (
                .crashed(Crash(.brokenRule(.memory), lastWords: "bye")),
                """
                bye (the process that ran the app's code broke a rule of the program: it shared memory that can still change, \
                or that is shorter than it said)
                """
            ),
            (.crashed(Crash(.disconnected)), "the code closed or replaced descriptors that are not its own"),
            (
                .crashed(Crash(.stopped)),
                "the process that ran the app's code was stopped (SIGSTOP), and did not go on"
            ),
            (.crashed(Crash(.signal(15))), "ended by signal 15"),
            (.timedOut(seconds: 12), "still running after 12 s"),
            (
                .caught(.field(path: path("$.id"), problem: .missingKey)),
                """
                a first attempt to decode failed at $.id (no value for id) and was caught: the type tries several \
                forms, of which one may be older
                """
            ),
        ] as [(Reason, String)])
    func sentence(reason: Reason, sentence: String) {
        #expect(reason.description == sentence)
    }

    @Test(
        "the reason about a field says what is wrong with it",
        arguments: [
            (
                FieldProblem.mismatch(expected: .keysAndValues, found: FoundValue(kind: "data", text: "data")),
                "expected keys and values in turn, found data"
            ),
            (
                .mismatch(expected: .jsonString(type: "Theme"), found: FoundValue(kind: "object", text: "{}")),
                "expected a string with the JSON of Theme, found an object"
            ),
            (
                .mismatch(expected: .array, found: FoundValue(kind: "null", text: "null")),
                "expected an array, found null"
            ),
            (.mismatch(expected: .array, found: nil), "expected an array, found something else"),
            (.noCase(type: "Rating", found: nil, cases: nil), "the value is not a value of Rating"),
            (
                .wrongDate(found: FoundValue(kind: "number", text: "1706702400000"), form: .millisecondsSince1970),
                "1706702400000 may be milliseconds since 1970: 2024-01-31T12:00:00Z"
            ),
            (
                .wrongDate(
                    found: FoundValue(kind: "number", text: "676540800"), form: .secondsSince2001, reads: .iso8601),
                "676540800 may be seconds since 2001: 2022-06-10T08:00:00Z; this chain reads ISO 8601"
            ),
            (.wrongText(expected: "URL", found: nil), "the text is not a URL"),
            (.wrongName(type: "Int", found: five), "expected a name that is a Int, found \"five\""),
            (.notJSON(because: .leadingZero), "The string is not JSON: \(ParseProblem.leadingZero)"),
            (.notJSON(because: nil), "The string is not JSON, but a property list"),
            (.decoding(kind: .dataCorrupted, message: "no color"), "no color"),
            (.forbiddenKeyPresent, "there is a key color"),
            (
                .duplicateName(isLastRead: true, spellings: nil, string: path("$.theme")),
                "in the JSON at $.theme, $.color occurs more than once; only the last is read"
            ),
            (
                .hiddenField(type: "Theme"),
                """
                Theme has a field of its own at $.color, where the version key is: the version is read into it, and \
                written over it
                """
            ),
            (.nullLeftOut, "$.color is null, which property lists do not have; it is left out"),
            (
                .fractionLeftOut,
                "$.color has a fraction of a second, which XML property lists do not have; it is left out"
            ),
            (
                .takenForJSON(type: "Theme"),
                """
                $.color reads as the JSON of Theme, so it was taken for a value of version 4; as a string it could be one \
                of version 5
                """
            ),
        ] as [(FieldProblem, String)])
    func field(problem: FieldProblem, sentence: String) {
        #expect(Reason.field(path: Self.path("$.color"), problem: problem).description == sentence)
    }

    @Test("the reason about a field names its path unless its sentence already does")
    func places() {
        #expect(
            Reason.field(path: Self.path("$.color"), problem: .missingKey).sentenceWithPlace
                == "no value for color at $.color")
        #expect(
            Reason.field(path: Self.path("$.color"), problem: .forbiddenKeyPresent).sentenceWithPlace
                == "there is a key color")
        #expect(Reason.thrown(message: "no").sentenceWithPlace == "no")
    }

    @Test(
        "a reason says why a document does not get through the chain",
        arguments: [
            (Reason.thrown(message: "no such kind"), "no such kind"),
            (.text("no such kind"), "no such kind"),
            (.notRecorded, "the trace does not say why"),
            (
                .unwritable(path: path("$.size"), found: .number("nan"), isPropertyList: false),
                """
                The migration left the number nan at $.size; a payload holds strings, finite numbers, Booleans, null, \
                arrays and dictionaries
                """
            ),
            (
                .unwritable(path: path("$.size"), found: .key("3"), isPropertyList: true),
                """
                The migration left the key 3, which is no string, at $.size; a payload holds strings, finite numbers, \
                Booleans, null, arrays and dictionaries, dates and data
                """
            ),
            (
                .unwritable(path: path("$.size"), found: .value(type: "URL"), isPropertyList: false),
                """
                The migration left a value of URL at $.size; a payload holds strings, finite numbers, Booleans, null, \
                arrays and dictionaries
                """
            ),
            (
                .unsupportedVersion(chain: "Poem", version: .name("v3"), path: nil, tried: tried, because: nil),
                "Poem has no version \"v3\""
            ),
            (
                .unsupportedVersion(chain: "Poem", version: .unversioned, path: nil, tried: [], because: nil),
                "The document has no version, and every version of Poem needs one"
            ),
            (
                .unsupportedInside(type: "Verse", tried: [.number(2)]),
                "No version fits; the last one tried was Verse"
            ),
            (.noShapeFits(attempts: [], nearest: nil), "No shape fits"),
            (
                .unreachableTarget(
                    target: .number(4), version: .number(1), chain: "Poem", versions: [.number(1), .number(2)],
                    isStraight: false), "Poem has no version 4; its versions are 1 and 2"
            ),
            (
                .unreachableTarget(
                    target: .number(2), version: .number(1), chain: "Poem",
                    versions: [.number(1), .number(2), .number(3)], isStraight: true),
                "Poem goes straight to version 3, not to version 2"
            ),
            (
                .unreachableTarget(
                    target: .number(1), version: .number(2), chain: "Poem", versions: [.number(1), .number(2)],
                    isStraight: false), "The document is of version 2; a chain cannot go back to version 1"
            ),
            (
                .notEncodable(type: "Poem", because: .thrown(message: "no space")),
                "Poem was made, but does not encode: no space"
            ),
            (.decodesOnly(type: "Poem"), "Poem was made, but only decodes: the app never writes it"),
            (.malformed(problem: .leadingZero), "\(ParseProblem.leadingZero)"),
            (
                .notPreferences(found: FoundValue(kind: "array", text: "an array of 2")),
                "Preferences are a property list with a dictionary at its root, but this is an array of 2"
            ),
            (
                .notPreferences(found: nil),
                "Preferences are a property list with a dictionary at its root, but this is JSON"
            ),
        ] as [(Reason, String)])
    func chain(reason: Reason, sentence: String) {
        #expect(reason.description == sentence)
    }

    @Test(
        "a reason says why a version is not the document's",
        arguments: [
            (
                Reason.otherVersion(
                    path: path("$.version"), type: "Poem", found: .number(1), expected: .number(2)),
                "$.version is 1, not 2"
            ),
            (
                .otherVersion(path: path("$.version"), type: "Poem", found: .number(1), expected: .unversioned),
                "Poem has no version, but $.version is 1"
            ),
            (
                .otherVersion(path: nil, type: "Poem", found: .number(1), expected: .number(2)),
                "the document says 1; Poem is 2"
            ),
            (.noVersion(path: path("$.version"), type: "Poem"), "there is no version at $.version"),
            (.noVersion(path: nil, type: "Poem"), "there is no version at the place where Poem keeps its version"),
            (
                .notAVersion(path: path("$.version"), type: "Poem", found: five),
                "$.version is \"five\", which is not a version"
            ),
            (
                .notAVersion(path: path("$.version"), type: "Poem", found: nil),
                "$.version is something else, which is not a version"
            ),
            (.otherVersionOfContainer(found: .number(1), expected: .number(2)), "the container says 1, not 2"),
            (.keysStoredDifferently(paths: [path("$.a")], count: 1), "$.a is not as version 5 stores it"),
            (
                .keysStoredDifferently(paths: [path("$.a")], count: 3),
                "$.a and 2 more are not as version 5 stores them"
            ),
            (.tie(chains: ["Poem", "Song"], version: nil), "it fits Poem and Song alike"),
        ] as [(Reason, String)])
    func version(reason: Reason, sentence: String) {
        #expect(reason.description == sentence)
    }

    @Test(
        "a warning says what to know although nothing failed",
        arguments: [
            (
                Reason.ambiguousShape(isWhole: true, taken: "UserV2", others: ["UserV1", "UserV0"], lost: []),
                "The document also decodes as UserV1 and as UserV0, and was taken for UserV2"
            ),
            (
                .ambiguousShape(isWhole: false, taken: "UserV2", others: ["UserV1"], lost: [path("$.nick")]),
                "The value also decodes as UserV1, and was taken for UserV2: what only an older shape reads is lost: $.nick"
            ),
            (
                .droppedInside(paths: [path("$.a"), path("$.b")], type: "Theme"),
                "$.a, $.b of the Theme inside is dropped"
            ),
            (
                .trailingComma(location: SourceLocation(line: 2, column: 3, offset: 9)),
                "line 2, column 3: there is a comma before the closing bracket; Foundation's decoder opens it, stricter ones do not"
            ),
            (
                .commentsLost(count: 1, first: SourceLocation(line: 2, column: 3, offset: 9)),
                "line 2, column 3: a comment; migrating the document writes JSON, without comments"
            ),
            (
                .commentsLost(count: 4, first: SourceLocation(line: 2, column: 3, offset: 9)),
                "line 2, column 3: the first of 4 comments; migrating the document writes JSON, without comments"
            ),
            (
                .caught(.field(path: path("$.id"), problem: .missingKey), attempts: 3),
                """
                3 attempts to decode failed, the first at $.id (no value for id), and were caught: the type tries \
                several forms, of which one may be older
                """
            ),
            (
                .caught(.thrown(message: "no such kind")),
                """
                a first attempt to decode failed (no such kind) and was caught: the type tries several forms, of which \
                one may be older
                """
            ),
            (
                .ofPart(path: path("$.theme"), .decodesOnly(type: "Theme")),
                "$.theme: \(Reason.decodesOnly(type: "Theme"))"
            ),
            (.ofPart(path: .root, .decodesOnly(type: "Theme")), "\(Reason.decodesOnly(type: "Theme"))"),
        ] as [(Reason, String)])
    func warning(reason: Reason, sentence: String) {
        #expect(reason.description == sentence)
    }

    @Test("the words about an unwritten value say whether it cannot be written or is left out")
    func unwritten() {
        let unwritten = Reason.decodesOnly(type: "Poem")
        #expect(unwritten.unwrittenWords == "opens, but cannot be written")
        #expect(unwritten.unwrittenSentence == "opens, but cannot be written: \(unwritten)")
        let null = Reason.field(path: Self.path("$.color"), problem: .nullLeftOut)
        #expect(null.unwrittenWords == "left out" && null.unwrittenSentence == null.description)
    }

    @Test(
        "the reason about a poor fit says how far the document fits the chain",
        arguments: [
            (ChainFit.StatedVersion.notAsked, ["a", "x"], ["a"], true, "Poem knows 1 of its 2 fields"),
            (.notAsked, ["a", "x"], ["a", "b"], true, "Poem knows 1 of its 2 fields and needs 1 more"),
            (.notAsked, ["a", "b"], ["a"], true, "Poem knows its 2 fields"),
            (
                .known(.number(1)), ["a"], ["a", "b"], true,
                "has version 1; Poem knows its only field, but needs 1 more"
            ),
            (.missing, ["a"], [], false, "no version key; not all fields of Poem are known"),
            (.missing, ["a"], ["a", "b"], false, "no version key; Poem needs 1 more"),
        ] as [(ChainFit.StatedVersion, Set<String>, Set<String>, Bool, String)])
    func fit(
        version: ChainFit.StatedVersion, names: Set<String>, required: Set<String>, isComplete: Bool, sentence: String
    ) {
        var fields = TypeFields()
        for name in ["a", "b"] { fields.note(name, required: required.contains(name)) }
        fields.isComplete = isComplete
        let fit = ChainFit(version: version, type: "Poem", shares: .init(fields, names, except: nil))
        #expect(Reason.poorFit(chain: "Verses", fit: fit).description == "Verses: \(sentence)")
    }

    @Test("fields that look alike show their code points, and others do not")
    func alike() {
        let paths = ["\u{E9}", "e\u{301}", "ü"].map { DocumentPath([.key($0)]) }
        #expect(paths.sentence(of: 5) == #"$.\u{00E9}, $.e\u{0301}, $.ü and 2 more"#)
    }

    @Test("types are named as their authors write them")
    func typeNames() {
        #expect(typeName([String: [Int?]].self) == "[String: [Int?]]")
        #expect(typeName(Set<[Double]>?.self) == "Set<[Double]>?")
        #expect(typeName(Recipe.self) == "Recipe")
    }

    @Test(
        "the reason for an unrecognized document names the version and the fields",
        arguments: [
            (#"{"colour": "red", "shade": 3}"#, "Recipe: no version key; knows none of its 2 fields"),
            (#"{"version": 77}"#, "Recipe: does not know version 77; there are no fields to know it by"),
            (#"{"version": 4, "colour": "red"}"#, "Recipe: has version 4; does not know its only field"),
            ("3", "Recipe: no version key; expected an object, found a number"),
            ("[{}, {}]", "Recipe: no version key; expected an object, found an array"),
            (
                #"{"version": "1.2.0", "colour": "red"}"#,
                #"Recipe: cannot read "1.2.0" as a version; does not know its only field"#
            ),
        ])
    func reasons(json: String, reason: String) throws {
        guard case .unrecognized(let reasons) = [MigrationChain(Recipe.self)].recognize(try Document(json: json)) else {
            Issue.record("\(json) was recognised")
            return
        }
        #expect(reasons.map(\.description) == [reason])
    }
}
