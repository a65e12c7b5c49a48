import DocumentModel
import Testing

@Suite("The order of documents by a value")
struct DocumentOrderTests {
    private func order(_ values: [String?]) throws -> [Int]? {
        let documents = try values.map { try $0.map { try Document(json: $0) } }
        return DocumentOrder.ordered(Array(values.indices)) { documents[$0]?.root }
    }

    @Test(
        "documents are ordered by numbers, by points in time and by letters",
        arguments: [
            (["10", "9", "-1.5", "1e3"], [2, 1, 0, 3]),
            (["9007199254740993", "9007199254740992"], [1, 0]),
            (["1e401", "1e400", "-1e-400", "0", "-1e400", "-1e401", "-2e400"], [5, 6, 4, 2, 3, 1, 0]),
            (["1e99999999999999999999", "10", "1e-99999999999999999998", "1e-99999999999999999999"], [3, 2, 1, 0]),
            (["0.30000000000000000000000000000000000000002", "0.30000000000000000000000000000000000000001"], [1, 0]),
            ([#""b""#, #""a""#, #""A""#], [2, 1, 0]),
            // The same day in three time zones.
            (
                [
                    #""2024-03-01T10:00:00Z""#, #""2024-03-01T10:00:00+02:00""#, #""2024-03-01T11:30:00.250+02:00""#,
                ], [1, 2, 0]
            ),
            (
                [#""2024-03-02""#, #""2024-03-01T10:00:00Z""#, #""2023-12-31""#, #""2024-03-01T11:00:00""#],
                [2, 1, 3, 0]
            ),
        ])
    func kinds(values: [String], expected: [Int]) throws { #expect(try order(values) == expected) }

    @Test(
        "digits in texts are compared as numbers, as in names of files",
        arguments: [
            (["1.10.0", "1.9.0", "1.9", "1.9.0-beta"], [2, 1, 3, 0]),
            (["v10", "v9", "v09", "v1a", "v1"], [4, 3, 2, 1, 0]),
            (["18446744073709551617", "18446744073709551616", "2 b", "2 a"], [3, 2, 1, 0]),
            (["b", "10", "a1", "a"], [1, 3, 2, 0]),
        ])
    func numbersInTexts(texts: [String], expected: [Int]) throws {
        #expect(try order(texts.map { "\"\($0)\"" }) == expected)
    }

    @Test("equal documents keep their order, and those without a value are last")
    func stable() throws {
        #expect(try order([nil, "1", "true", "1", "0", "[1]"]) == [4, 1, 3, 0, 2, 5])
        #expect(try order([nil, "{}", "null"]) == [])
        #expect(DocumentOrder.ordered([1, 2], isCancelled: { true }, value: { _ in nil }) == nil)
    }
}
