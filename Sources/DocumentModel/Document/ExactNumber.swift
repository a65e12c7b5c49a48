/// A number by its value, exact however many digits it has: sign, significant digits, and the power of ten of the last of them.
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
                // An exponent that fits no machine word is held at the end of the range; it is compared, never computed with.
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
