import Foundation
import Testing

@testable import DocumentModel

@Suite("Numbers by their value")
struct ExactNumberTests {
    @Test(
        "are equal however they are spelled",
        arguments: [
            ["1", "1.0", "10e-1", "0.01E2", "1e0", "100e-02"],
            ["0", "-0", "0.000", "0e99999999999999999999", "-0.0e-5"],
            ["1e99999999999999999999999", "1.0e99999999999999999999999"], ["-120", "-1.2e2", "-12E+1", "-120.000"],
            ["123456789012345678901234567890", "1.23456789012345678901234567890e29"],
        ])
    func equal(spellings: [String]) throws {
        for spelling in spellings {
            #expect(ExactNumber(spelling) == ExactNumber(spellings[0]))
            #expect(ExactNumber(spelling).hashValue == ExactNumber(spellings[0]).hashValue)
            #expect(try Document(json: spelling) == Document(json: spellings[0]))
        }
    }

    @Test("are different where a double would not see it")
    func different() {
        let numbers = [
            "9007199254740992", "9007199254740993", "0.1", "0.1000000000000000055511151231257827", "1", "-1", "1e400",
            "1e401", "-1e400", "1e-400",
            "0", "nan", "inf", "-inf",
        ]
        for (position, number) in numbers.enumerated() {
            for other in numbers[(position + 1)...] { #expect(ExactNumber(number) != ExactNumber(other)) }
        }
    }
}
