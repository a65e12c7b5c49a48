import Foundation

/// Converts the text of JSON numbers (RFC 8259, section 6) to values.
enum NumberText {
    /// Returns the integer for an optional sign and digits, if they are few enough not to overflow a machine word.
    static func smallInteger(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard bytes.count <= 18 else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for position in (isNegative ? 1 : 0)..<bytes.count {
            value = value &* 10 &+ Int64(bytes[position] &- UInt8(ascii: "0"))
        }
        return isNegative ? -value : value
    }

    /// Returns the integer for a number in any form, with the limits of JSONDecoder: by way of the nearest `Double` as
    /// long as that is certainly exact, and beyond that by way of a `Decimal`. Returns nil if it isn't an integer or
    /// doesn't fit `type`.
    static func integerByValue<T: FixedWidthInteger>(_ type: T.Type, _ number: String) -> T? {
        guard let real = Double(number), let value = T(exactly: real) else { return nil }
        if real.magnitude < 0x1p53 { return value }
        guard let decimal = Decimal(string: number) else { return nil }
        return integer(type, decimal)
    }

    private static func integer<T: FixedWidthInteger>(_ type: T.Type, _ decimal: Decimal) -> T? {
        guard var magnitude = UInt64(String(describing: decimal.significand.magnitude)) else { return nil }
        for _ in 0..<abs(decimal.exponent) {
            if decimal.exponent < 0 {
                magnitude /= 10
            } else {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                magnitude = product
            }
        }
        guard let value = T(exactly: magnitude) else { return nil }
        guard decimal.sign == .minus else { return value }
        return T.isSigned ? 0 - value : nil
    }

    /// Returns the nearest double if it can be computed quickly: if the digits and the power of ten are both exact
    /// doubles, a single multiplication or division rounds correctly (William Clinger, "How to Read Floating Point
    /// Numbers Accurately", 1990).
    static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
        var digits: UInt64 = 0
        var scale = 0
        var position = bytes.first == UInt8(ascii: "-") ? 1 : 0
        // With an exponent and a point, 19 bytes contain at most 19 digits, which fit in a word.
        guard bytes.count - position <= 19 else { return nil }
        var seenPoint = false
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if seenPoint { scale -= 1 }
            case UInt8(ascii: "."): seenPoint = true
            default: break scan
            }
            position += 1
        }
        if position < bytes.count {
            var exponent = 0
            position += 1
            guard position < bytes.count else { return nil }
            let isDown = bytes[position] == UInt8(ascii: "-")
            if isDown || bytes[position] == UInt8(ascii: "+") { position += 1 }
            while position < bytes.count, exponent < 100 {
                exponent = exponent * 10 + Int(bytes[position] &- UInt8(ascii: "0"))
                position += 1
            }
            scale += isDown ? -exponent : exponent
        }
        // See ``isRead(byJSONDecoder:)``.
        if digits == 0, bytes.count == 3 { return nil }
        guard digits <= 1 << 53, abs(scale) < powersOfTen.count else { return nil }
        let magnitude =
            scale < 0 ? Double(digits) / powersOfTen[-scale] : Double(digits) * powersOfTen[scale]
        return bytes.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    /// The powers of ten that are exact doubles.
    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Returns whether JSONDecoder accepts a number of three characters as a real: some versions refuse `0e1`.
    static func isRead(byJSONDecoder number: String) -> Bool {
        guard number.utf8.first == UInt8(ascii: "0"),
            number.utf8.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "e")
        else { return true }
        return (try? JSONDecoder().decode([Double].self, from: Data("[\(number)]".utf8))) != nil
    }

    /// Returns whether all digits before the exponent are 0.
    static func isZero(_ number: String) -> Bool {
        !number.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.contains { (0x31...0x39).contains($0) }
    }
}
