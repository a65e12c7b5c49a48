import DocumentModel
import MigrationCore
import Testing

@testable import MigrationCore

@Suite("Fields that closures read and leave in place")
struct FieldReadingTests {
    private let before = try? Document(json: #"{"ounces": 12, "mood": "gray", "rows": [{"a": 1}, {"a": 2}]}"#)

    private func path(_ text: String) throws -> DocumentPath { try #require(DocumentPath(text)) }

    /// The result of a step that converts the ounces, counts the rows and leaves all fields in place.
    private func made(_ document: Document, extra: String = "") throws -> Document {
        let ounces = document.root["ounces"]?.numberText ?? "9"
        let rows = document.root["rows"]?.elements.reduce(0) { count, row in count + (row["a"] == nil ? 0 : 1) } ?? 0
        let text = JSONWriter(layout: .compact).string(document.root).dropLast()
        return try Document(json: "\(text), \"grams\": \(ounces)0, \"count\": \(rows)\(extra)}")
    }

    @Test("a field is read if removing it removes more than the field itself")
    func read() throws {
        let before = try #require(before)
        var reading = FieldReading(before: before, after: try made(before)) { .made(try made($0)) }
        #expect(try reading.reads([try path("$.ounces")]) == true)
        #expect(try reading.reads([try path("$.mood")]) == false)
        #expect(try reading.reads([try path("$.rows[*].a")]) == true)
        #expect(try reading.reads([try path("$.nothing")]) == false)
    }

    @Test("a field that is equal to what the step takes without it is read")
    func defaults() throws {
        let before = try Document(json: #"{"currency": "EUR", "total": 5, "kind": "x"}"#)
        func made(_ document: Document) throws -> Document {
            let currency = document.root["currency"]?.string ?? "EUR"
            let total = document.root["total"]?.numberText ?? ""
            let text = JSONWriter(layout: .compact).string(document.root).dropLast()
            return try Document(json: "\(text), \"money\": \"\(currency) \(total)\"}")
        }
        var reading = FieldReading(before: before, after: try made(before)) { .made(try made($0)) }
        #expect(try reading.reads([try path("$.currency")]) == true)
        #expect(try reading.reads([try path("$.kind")]) == false)
        // A value that the step refuses was read.
        var refusing = FieldReading(before: before, after: try made(before)) { document in
            ["x", nil].contains(document.root["kind"]?.string) ? .made(try made(document)) : .refused(.refused)
        }
        #expect(try refusing.reads([try path("$.kind")]) == true)
    }

    @Test("a field that the step ignores for its kind is read if it reads it in another kind")
    func kinds() throws {
        let before = try Document(json: #"{"zip": 5, "floor": true, "mood": 1}"#)
        func made(_ document: Document) throws -> Document {
            let zip = document.root["zip"]?.string ?? ""
            let floor = document.root["floor"]?.kind == .object ? 1 : 0
            let text = JSONWriter(layout: .compact).string(document.root).dropLast()
            return try Document(json: "\(text), \"address\": \"\(zip)\", \"level\": \(floor)}")
        }
        var reading = FieldReading(before: before, after: try made(before)) { .made(try made($0)) }
        #expect(try reading.reads([try path("$.zip")]) == true)
        #expect(try reading.reads([try path("$.floor")]) == true)
        #expect(try reading.reads([try path("$.mood")]) == false)
    }

    @Test("a field is read if the step refuses the document without it, and unknown if the process ends without it")
    func refused() throws {
        let before = try #require(before)
        for (reason, isRead) in [(StepFinding.Left.Reason.refused, true), (.crashed, nil), (.timedOut, nil)] {
            var reading = FieldReading(before: before, after: try made(before)) { document in
                document.root["mood"] == nil ? .refused(reason) : .made(try made(document))
            }
            #expect(try reading.reads([try path("$.mood")]) == isRead)
            #expect(reading.unknown == (isRead == nil ? reason : nil))
        }
    }

    @Test("a step with a different result in every run reveals nothing about its fields")
    func differs() throws {
        let before = try #require(before)
        var number = 0
        var reading = FieldReading(before: before, after: try made(before)) { document in
            number += 1
            return .made(try made(document, extra: ", \"id\": \(number)"))
        }
        #expect(try reading.reads([try path("$.mood")]) == nil)
        #expect(reading.unknown == .differs)
    }

    @Test("a field is unknown if no runs are left for it")
    func budget() throws {
        let before = try #require(before)
        var budget = ExperimentBudget()
        budget.runs = 10
        var reading = FieldReading(before: before, after: try made(before), budget: budget) { .made(try made($0)) }
        #expect(try reading.reads([try path("$.mood")]) == false)
        #expect(try reading.reads([try path("$.ounces")]) == nil)
        #expect(reading.unknown == .budget)
    }
}
