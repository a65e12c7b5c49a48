import Foundation
import TestSupport

@testable import DocumentModel

/// Random property lists, as values of Foundation.
struct RandomPropertyList {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func value(depth: Int = 0) -> Any {
        switch Int.random(in: 0..<(depth > 2 ? 7 : 10), using: &generator) {
        case 0: return string()
        case 1: return Int.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<64, using: &generator)
        case 2: return UInt64.random(in: .min ... .max, using: &generator)
        case 3: return Double(Int.random(in: -999...999, using: &generator)) / 8
        case 4: return Bool.random(using: &generator)
        case 5:
            return Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: -90_000_000_000...90_000_000_000, using: &generator)))
        case 6:
            return Data(
                (0..<Int.random(in: 0..<150, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
                })
        case 7: return (0..<Int.random(in: 0..<7, using: &generator)).map { _ in value(depth: depth + 1) }
        default:
            let count = Int.random(in: 0..<7, using: &generator)
            return Dictionary(
                (0..<count).map { _ in (string(), value(depth: depth + 1)) }, uniquingKeysWith: { first, _ in first })
        }
    }

    mutating func string() -> String {
        let alphabet: [Character] = ["a", "b", "<", "&", ">", "\"", "é", "日", "😀", " ", "\n", "]", "0"]
        return String(
            (0..<Int.random(in: 0..<24, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "a"
            })
    }
}

extension DocumentNode {
    /// The value as an object of Foundation.
    var foundationValue: NSObject {
        switch kind {
        case .object:
            NSDictionary(
                dictionary: Dictionary(
                    members.map { ($0.name, $0.value.foundationValue) }, uniquingKeysWith: { first, _ in first }))
        case .array: NSArray(array: elements.map(\.foundationValue))
        case .string, .key: NSString(string: string ?? "")
        case .number where isIntegerNumber:
            Int64(numberText ?? "").map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(numberText ?? "") ?? 0)
        case .number: NSNumber(value: Double(numberText ?? "") ?? .nan)
        case .boolean: NSNumber(value: boolean ?? false)
        case .date: NSDate(timeIntervalSinceReferenceDate: date?.timeIntervalSinceReferenceDate ?? 0)
        case .data: NSData(data: data ?? Data())
        case .null: NSNull()
        }
    }
}
