import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

// The only tests that know how reasons are put.

@Suite("The sentences of reasons")
struct ReasonWordsTests {
    private static func path(_ text: String) -> DocumentPath { DocumentPath(text) ?? .root }

    private static let five = FoundValue(kind: "string", text: "\"five\"")
    private static let tried = [
        ChainVersion(version: .number(2), type: "Poem"), ChainVersion(version: .unversioned, type: "OldPoem"),
    ]

    @Test(
        "say what was found and what would have been right",
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
                        found: FoundValue(kind: "string", text: "\"2024-01-31T12:00:00Z\""), form: .iso8601)),
                "expected a date, found \"2024-01-31T12:00:00Z\", an ISO 8601 date: the chain needs the date strategy .iso8601"
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(found: FoundValue(kind: "string", text: "\"2024-01-31\""), form: .day)),
                "expected a date, found \"2024-01-31\", a day without a time: the chain needs a date strategy .custom "
                    + "that reads it"
            ),
            (
                .field(
                    path: path("$.at"),
                    problem: .wrongDate(found: FoundValue(kind: "number", text: "1706702400"), form: .secondsSince1970)),
                "expected a date, found 1706702400, which looks like seconds since 1970: the chain needs the date "
                    + "strategy .secondsSince1970"
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
            (.timedOut(seconds: 12), "still running after 12 s"),
            (
                .caught(.field(path: path("$.id"), problem: .missingKey)),
                "a first attempt to decode failed at $.id (no value for id) and was caught: the document may be of an "
                    + "older shape"
            ),
        ])
    func sentence(reason: Reason, sentence: String) {
        #expect(reason.description == sentence)
    }

    @Test("fields that look alike show their code points, others do not")
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
        "the reason says what a person would look for: the version, and the fields",
        arguments: [
            (#"{"colour": "red", "shade": 3}"#, "Recipe: no version key; knows none of its 2 fields"),
            (#"{"version": 77}"#, "Recipe: does not know version 77; there are no fields to know it by"),
            (#"{"version": 4, "colour": "red"}"#, "Recipe: has version 4; does not know its only field"),
            ("3", "Recipe: no version key; there are no fields to know it by"),
        ])
    func reasons(json: String, reason: String) throws {
        guard case .unrecognized(let reasons) = [MigrationChain(Recipe.self)].recognize(try Document(json: json)) else {
            Issue.record("\(json) was recognised")
            return
        }
        #expect(reasons.map(\.description) == [reason])
    }
}
