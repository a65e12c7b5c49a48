/// A number by its value, exact however many digits it has: sign, significant digits, and the power of ten of the last
/// of them.
///
/// `1`, `1.0`, `10e-1` and `0.01E2` are one number; 9007199254740992 and 9007199254740993 are two.
struct ExactNumber: Hashable {
    private var isNegative: Bool
    /// Decimal digits without leading or trailing zeros; empty for zero. For `nan` and `inf`, that word.
    private var digits: String
    private var exponent: Int

    /// Reads a JSON number, or `nan`, `inf` or `-inf`.
    init(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var significant: [UInt8] = []
        var scale = 0
        var seenPoint = false
        var power = 0
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "."): seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                // An exponent that fits no machine word is held at the end of the range; it is compared, never computed
                // with.
                let isDown = rest.first == UInt8(ascii: "-")
                power =
                    Int(Substring(rest.first == UInt8(ascii: "+") ? rest.dropFirst() : rest))
                    ?? (isDown ? .min / 2 : .max / 2)
                power = max(.min / 2, min(power, .max / 2))
                rest = rest[rest.endIndex...]
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                significant.append(byte)
                if seenPoint { scale += 1 }
            default:
                digits = text
                exponent = 0
                return
            }
        }
        while significant.last == UInt8(ascii: "0") {
            significant.removeLast()
            scale -= 1
        }
        let leading = significant.prefix { $0 == UInt8(ascii: "0") }.count
        digits = String(decoding: significant.dropFirst(leading), as: UTF8.self)
        exponent = digits.isEmpty ? 0 : power - scale
        if digits.isEmpty { isNegative = false }
    }
}

// MARK: - Hashing

extension ExactNumber {
    /// A hash of the number that `text` spells, without an ``ExactNumber`` being made: equal numbers have equal hashes.
    static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        let isNegative = text.first == UInt8(ascii: "-")
        if isNegative { offset = 1 }
        var digits: UInt64 = 0
        var hasDigits = false
        // Zeros count only when another digit follows them.
        var zeros = 0
        var scale = 0
        var seenPoint = false
        var power = 0
        scan: while offset < text.count {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "."): seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                power = exponent(text[offset...])
                break scan
            case UInt8(ascii: "0"):
                if hasDigits { zeros += 1 }
                if seenPoint { scale += 1 }
            case UInt8(ascii: "1")...UInt8(ascii: "9"):
                for _ in 0..<zeros { digits = digits &* 0x1_0000_01B3 }
                zeros = 0
                digits = digits &* 0x1_0000_01B3 &+ UInt64(byte - UInt8(ascii: "0"))
                hasDigits = true
                if seenPoint { scale += 1 }
            default: return FastHash.hash(text)
            }
        }
        guard hasDigits else { return 0 }
        let sign: UInt64 = isNegative ? 2 : 1
        return FastHash.mix(digits &+ sign << 62, UInt64(bitPattern: Int64(power - scale + zeros)))
    }

    private static func exponent(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
        let isDown = text.first == UInt8(ascii: "-")
        let digits = text.first == UInt8(ascii: "+") || isDown ? text.dropFirst() : text
        var value = 0
        for byte in digits {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            value = overflow ? .max / 2 : min(product, .max / 2) + Int(byte - UInt8(ascii: "0"))
        }
        value = min(value, .max / 2)
        return isDown ? -value : value
    }
}
