import Foundation
import Testing

@testable import DocumentModel

@Suite("Exact numbers")
struct ExactNumberTests {
    @Test(
        "numbers are equal however they are spelled",
        arguments: [
            ["1", "1.0", "10e-1", "0.01E2", "1e0", "100e-02"],
            ["0", "-0", "0.000", "0e99999999999999999999", "-0.0e-5"],
            ["1e99999999999999999999999", "1.0e99999999999999999999999", "10e+099999999999999999999998"],
            ["1e-100000000000000000000", "0.1e-99999999999999999999", "10e-100000000000000000001"],
            ["1e10000000000000000", "10e9999999999999999", "0.1e00010000000000000001"],
            ["-120", "-1.2e2", "-12E+1", "-120.000"],
            ["123456789012345678901234567890", "1.23456789012345678901234567890e29"],
        ])
    func equal(spellings: [String]) throws {
        for spelling in spellings {
            #expect(ExactNumber(spelling) == ExactNumber(spellings[0]))
            #expect(ExactNumber(spelling).hashValue == ExactNumber(spellings[0]).hashValue)
            #expect(try Document(json: spelling) == Document(json: spellings[0]))
        }
    }

    @Test("numbers are different even if a double would not show it")
    func different() {
        let numbers = [
            "9007199254740992", "9007199254740993", "0.1", "0.1000000000000000055511151231257827", "1", "-1", "1e400",
            "1e401", "-1e400", "1e-400",
            "0", "nan", "inf", "-inf", "1e99999999999999999999", "1e99999999999999999998", "1e-99999999999999999999",
            "1e-99999999999999999998", "2e99999999999999999999", "1e10000000000000000", "1e10000000000000001",
        ]
        for (position, number) in numbers.enumerated() {
            for other in numbers[(position + 1)...] { #expect(ExactNumber(number) != ExactNumber(other)) }
        }
    }

    @Test(
        "equal numbers have the same hash however they are spelled, even with digits only",
        arguments: [
            ["12000", "12e3", "1.2E4", "12000.0", "12000e0"], ["-7", "-7.0", "-70e-1"], ["0", "-0", "0.0", "0e5"],
            ["10", "1e1", "10.00"], ["-1002003000", "-1002003e3"],
            ["1e99999999999999999999", "10e99999999999999999998"], ["1e10000000000000000", "10e9999999999999999"],
            ["9223372036854775808", "9223372036854775808.0", "922337203685477580.8e1"],
            ["123456789012345678901234567890", "12345678901234567890123456789e1"],
        ])
    func hashes(spellings: [String]) throws {
        let hashes = try spellings.map { try Document(json: $0).root.valueHash }
        #expect(Set(hashes).count == 1)
        #expect(try Document(json: "1" + spellings[0].filter(\.isNumber)).root.valueHash != hashes[0])
    }

    @Test("integers are written with the digits that Swift writes")
    func integers() {
        var numbers: [Int64] = [0, 1, -1, 9, 10, -10, 99, 100, .max, .min, .max - 1, .min + 1]
        var power: Int64 = 1
        for _ in 0..<18 {
            power *= 10
            numbers += [power, power - 1, power + 1, -power, 1 - power]
        }
        var builder = DocumentBuilder()
        builder.beginArray()
        for number in numbers { builder.number(number) }
        builder.number(UInt64.max)
        builder.number(Int8.min)
        builder.end()
        let texts = builder.finish().root.elements.map { $0.numberText ?? "" }
        #expect(texts == numbers.map(String.init) + ["18446744073709551615", "-128"])
    }
}
