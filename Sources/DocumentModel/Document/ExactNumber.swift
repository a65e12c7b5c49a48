/// The exact value of a number with any number of digits: its sign, its significant digits, and the power of ten of the
/// first digit.
///
/// `1`, `1.0`, `10e-1` and `0.01E2` are the same number; 9007199254740992 and 9007199254740993 are different ones.
struct ExactNumber: Hashable {
    private let isNegative: Bool
    /// Decimal digits without leading or trailing zeros; empty for zero. For `nan` and `inf`, the word itself.
    private let digits: [UInt8]
    /// The power of ten of the first digit, limited to ±``farthest``. `Int.min` for zero, `nan` and `inf`.
    private let exponent: Int
    /// The decimal digits of an exponent beyond that limit, without its sign; empty for any other.
    private let farExponent: [UInt8]

    /// The limit from which exponents may not fit into a machine word.
    private static let farthest = 10_000_000_000_000_000

    /// Reads a JSON number, or `nan`, `inf` or `-inf`.
    init(_ text: UnsafeRawBufferPointer) {
        var digits: [UInt8] = []
        let scale = Self.scale(of: text) { digits.append($0) }
        isNegative = text.first == UInt8(ascii: "-") && !digits.isEmpty
        guard let scale, !digits.isEmpty else {
            (self.digits, exponent, farExponent) = (scale == nil ? Array(text) : [], .min, [])
            return
        }
        self.digits = digits
        let shift = scale.shift + digits.count - 1
        exponent = Self.exponent(scale.written, shiftedBy: shift)
        farExponent = exponent.magnitude < Self.farthest ? [] : Self.farExponent(scale.written, shiftedBy: shift)
    }

    /// Reads the number in `text`.
    init(_ text: String) { self = text.withBytes { ExactNumber($0) } }

    /// Returns whether the text is a number that can be read, for text that wasn't parsed.
    static func isSpelled(by text: UnsafeRawBufferPointer) -> Bool {
        if ["nan", "inf", "-inf"].contains(where: { text.elementsEqual($0.utf8) }) { return true }
        func isSign(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let parts = halves[0].split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == UInt8(ascii: ".") }
        let whole = parts[0].first.map(isSign) == true ? parts[0].dropFirst() : parts[0]
        let fractionIsSound = parts.count == 1 || !parts[1].isEmpty && parts[1].allSatisfy(isDigit)
        guard !whole.isEmpty, whole.allSatisfy(isDigit), fractionIsSound else { return false }
        guard halves.count == 2 else { return true }
        let exponent = halves[1].first.map(isSign) == true ? halves[1].dropFirst() : halves[1]
        return !exponent.isEmpty && exponent.allSatisfy(isDigit)
    }

    /// Returns whether a number that satisfies ``isSpelled(by:)`` consists of digits only, with or without a minus
    /// sign.
    static func isInteger(_ text: UnsafeRawBufferPointer) -> Bool {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Returns a hash of the number in `text` without creating an ``ExactNumber``. Equal numbers have equal hashes.
    static func hash(_ text: UnsafeRawBufferPointer) -> UInt64 {
        var digits: UInt64 = 0
        var isZero = true
        let scale = scale(of: text) { digit in
            digits = digits &* factor &+ UInt64(digit - UInt8(ascii: "0"))
            isZero = false
        }
        guard let scale else { return FastHash.hash(text) }
        if isZero { return 0 }
        // The power of ten of the last digit. All exponents beyond the limit have the same hash.
        let exponent = exponent(scale.written, shiftedBy: scale.shift)
        let sign: UInt64 = text.first == UInt8(ascii: "-") ? 2 : 1
        return FastHash.mix(digits &+ sign << 62, UInt64(bitPattern: Int64(exponent)))
    }

    /// Returns the same hash for a number that consists of digits only, with or without a minus sign.
    static func hash(ofInteger text: UnsafeRawBufferPointer) -> UInt64 {
        let isNegative = text.first == UInt8(ascii: "-")
        let start = isNegative ? 1 : 0
        var end = text.count
        while end > start, text[end - 1] == UInt8(ascii: "0") { end -= 1 }
        if end <= start { return 0 }
        var digits: UInt64 = 0
        for offset in start..<end {
            digits = digits &* factor &+ UInt64(text[offset] &- UInt8(ascii: "0"))
        }
        return FastHash.mix(digits &+ (isNegative ? 2 : 1) << 62, UInt64(text.count - end))
    }

    /// The factor that multiplies the hash of the digits so far before the next digit is added.
    private static let factor: UInt64 = 0x1_0000_01B3

    /// Calls `body` with the digits of the number in `text`, without leading and trailing zeros.
    ///
    /// - Returns: The text of the exponent after `e`, and the number to add to it to get the power of ten of the last
    ///   digit; nil if the text is a word.
    @inline(__always)
    private static func scale(
        of text: UnsafeRawBufferPointer, _ body: (UInt8) -> Void
    ) -> (written: Slice<UnsafeRawBufferPointer>, shift: Int)? {
        var offset = text.first == UInt8(ascii: "-") ? 1 : 0
        var (hasDigits, seenPoint) = (false, false)
        // Zeros count only if another digit follows them.
        var zeros = 0
        var fraction = 0
        scan: while offset < text.count {
            let byte = text[offset]
            offset += 1
            switch byte {
            case UInt8(ascii: "."): seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if seenPoint { fraction += 1 }
                if byte == UInt8(ascii: "0") {
                    zeros += hasDigits ? 1 : 0
                    continue
                }
                for _ in 0..<zeros { body(UInt8(ascii: "0")) }
                body(byte)
                (hasDigits, zeros) = (true, 0)
            default: return nil
            }
        }
        return (text[offset...], zeros - fraction)
    }

    /// Returns the sum of a written exponent and a shift, limited to ±``farthest``. The shift itself is far below that,
    /// because it is at most the number of digits in a document.
    private static func exponent(_ written: Slice<UnsafeRawBufferPointer>, shiftedBy shift: Int) -> Int {
        let (digits, isDown) = unsigned(written)
        var value = 0
        for byte in digits where value < 10 * farthest { value = value * 10 + Int(byte - UInt8(ascii: "0")) }
        return max(-farthest, min((isDown ? -value : value) + shift, farthest))
    }

    /// Returns the decimal digits of the sum of a written exponent and a shift, if the sum is beyond the limit.
    private static func farExponent(_ written: Slice<UnsafeRawBufferPointer>, shiftedBy shift: Int) -> [UInt8] {
        let (text, isDown) = unsigned(written)
        var digits = text.map { Int($0 - UInt8(ascii: "0")) }
        var carry = isDown ? -shift : shift
        for index in digits.indices.reversed() where carry != 0 {
            let sum = digits[index] + carry
            digits[index] = (sum % 10 + 10) % 10
            carry = (sum - digits[index]) / 10
        }
        while carry > 0 {
            digits.insert(carry % 10, at: 0)
            carry /= 10
        }
        return digits.drop { $0 == 0 }.map(UInt8.init)
    }

    private static func unsigned(
        _ written: Slice<UnsafeRawBufferPointer>
    ) -> (digits: Slice<UnsafeRawBufferPointer>, isDown: Bool) {
        let isDown = written.first == UInt8(ascii: "-")
        return (isDown || written.first == UInt8(ascii: "+") ? written.dropFirst() : written, isDown)
    }
}

extension ExactNumber: Comparable {
    /// Whether it is a number and not a word.
    var isNumber: Bool { exponent != .min || digits.isEmpty }

    static func < (left: ExactNumber, right: ExactNumber) -> Bool {
        guard left.isNegative == right.isNegative else { return left.isNegative }
        return left.isNegative ? right.isCloserToZero(than: left) : left.isCloserToZero(than: right)
    }

    private func isCloserToZero(than other: ExactNumber) -> Bool {
        if exponent != other.exponent { return exponent < other.exponent }
        if farExponent == other.farExponent { return digits.lexicographicallyPrecedes(other.digits) }
        let isLower =
            farExponent.count != other.farExponent.count
            ? farExponent.count < other.farExponent.count : farExponent.lexicographicallyPrecedes(other.farExponent)
        return isLower == (exponent > 0)
    }
}
