import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("The sample of a document")
struct SampledDocumentTests {
    private func document(_ text: String) throws -> Document { try Document(parsing: SourceBytes(text)) }

    private func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    @Test("a sample has the first and last element of each array, one of each shape, and those to keep")
    func elements() throws {
        let whole = try document(
            """
            {"a": [1, 2, 3], "b": [{"n": 0, "c": [0, 1, 2, 3, 4]}, {"n": 1}, {"n": 2}, {"m": 3}, {"n": 4}, {"n": 5}]}
            """)
        let sample = try #require(
            SampledDocument(whole, keeping: [path("$.b[4].n"), path("$.b[0].c[2]"), path("$.x[9]")]))
        #expect(
            sample.document
                == (try document(
                    #"{"a": [1, 2, 3], "b": [{"n": 0, "c": [0, 2, 4]}, {"n": 1}, {"m": 3}, {"n": 4}, {"n": 5}]}"#)))
        for (smaller, original) in [
            ("$.b[0].c[1]", "$.b[0].c[2]"), ("$.b[2].m", "$.b[3].m"), ("$.b[4]", "$.b[5]"), ("$.a[2]", "$.a[2]"),
            ("$.b", "$.b"),
        ] {
            #expect(sample.original(of: try path(smaller)) == (try path(original)))
            #expect(sample.sampled(try path(original)) == (try path(smaller)))
        }
        #expect(sample.sampled(try path("$.b[2].n")) == nil)
    }

    @Test("a document with short arrays has no sample")
    func none() throws {
        #expect(SampledDocument(try document(#"{"a": [1, 2, [3, 4, 5]], "b": {"c": []}}"#)) == nil)
        #expect(SampledDocument(try document("1")) == nil)
    }

    @Test("a sample has a few members of an object with many similar ones, unless all are required")
    func dictionaries() throws {
        let members = (0..<100).map { #""k\#($0)": {"n": \#($0), "l": [1, 2, 3, 4]}"# }
        let whole = try document(#"{"d": {\#(members.joined(separator: ","))}, "x": 1}"#)
        let sample = try #require(SampledDocument(whole, keeping: [path("$.d.k7.n")]))
        #expect(sample.cutsDictionaries)
        #expect(
            sample.document
                == (try document(
                    #"{"d": {"k0": {"n": 0, "l": [1, 4]}, "k7": {"n": 7, "l": [1, 4]}, "k99": {"n": 99, "l": [1, 4]}}, "x": 1}"#
                )))
        let place = try path("$.d.k99.l[1]")
        #expect(sample.original(of: place) == (try path("$.d.k99.l[3]")))
        let uncut = try #require(SampledDocument(whole, cutsDictionaries: false))
        #expect(!uncut.cutsDictionaries && uncut.document.root["d"]?.count == 100)
        // Members of different kinds are the fields of a type.
        let mixed = (0..<100).map { #""k\#($0)": \#($0 % 2 == 0 ? "1" : "\"a\"")"# }
        #expect(SampledDocument(try document("{\(mixed.joined(separator: ","))}")) == nil)
    }

    @Test("a sample has the beginnings of long texts")
    func texts() throws {
        let long = String(repeating: "wind ", count: 2000)
        let sample = try #require(
            SampledDocument(
                try document(#"{"a": "\#(long)", "b": ["\#(long)", "\#(long)"]}"#), keeping: [path("$.b[1]")]))
        let beginning = String(long.prefix(2000))
        #expect(
            sample.document == (try document(#"{"a": "\#(beginning)", "b": ["\#(beginning)", "\#(long)"]}"#)))
        #expect(sample.original(of: try path("$.b[0]")) == (try path("$.b[0]")))
    }

    @Test("a sample keeps values that only property lists have")
    func propertyList() throws {
        var builder = DocumentBuilder()
        builder.beginArray()
        for number in 0..<6 { builder.date(Date(timeIntervalSinceReferenceDate: Double(number))) }
        builder.end()
        let sample = try #require(SampledDocument(builder.finish(format: .plistBinary)))
        #expect(sample.document.format == .plistBinary)
        let kinds = sample.document.root.elements.map { $0.kind }
        #expect(kinds == [NodeKind.date, .date])
    }
}
