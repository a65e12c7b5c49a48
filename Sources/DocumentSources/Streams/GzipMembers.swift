import DocumentModel
import MigrationCore

/// Finds the end of the intact part of a gzip stream, because gzip reports that there is damage but not where.
///
/// Packed data is a sequence of members (RFC 1952, section 2.2). Each begins where the previous one ends, so the ends
/// are found by walking through the blocks of each member without unpacking them. gzip then decides whether everything
/// up to such an end is intact.
struct GzipMembers {
    private let bytes: SourceBytes
    private let file: FilePath
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - file: The path for error messages.
    ///   - isCancelled: Called now and then; the search ends when it returns true.
    init(_ bytes: SourceBytes, of file: FilePath, isCancelled: @escaping () -> Bool) {
        self.bytes = bytes
        self.file = file
        self.isCancelled = isCancelled
    }

    /// Returns the same error with the position where the last intact member ends, if there is one.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if `isCancelled` returned true.
    func located(_ error: SourceError) throws(SourceError) -> SourceError {
        guard case .gzip(.damaged(_, let message)) = error.reason, let end = try goodEnd() else { return error }
        return SourceError(file, .gzip(.followed(offset: end, message: message)))
    }

    /// Returns the number of bytes up to the end of the last intact member and the zeros after it, or nil if no member
    /// is intact.
    private func goodEnd() throws(SourceError) -> Int? {
        let ends = try ends()
        // If everything up to an end is intact, so is everything up to an earlier end. Usually it is the last end or
        // the one before it.
        var (good, bad) = (-1, ends.count)
        var middle = ends.count - 1
        while bad - good > 1 {
            if try isGood(first: ends[middle]) { good = middle } else { bad = middle }
            middle = bad == ends.count - 1 && good < bad - 1 ? bad - 1 : (good + bad) / 2
        }
        guard good >= 0 else { return nil }
        return bytes.withBytes(in: 0..<bytes.count) { bytes in
            bytes[ends[good]...].firstIndex { $0 != 0 } ?? bytes.count
        }
    }

    /// Returns the ends of the members, as long as one directly follows another.
    private func ends() throws(SourceError) -> [Int] {
        let ends = bytes.withBytes(in: 0..<bytes.count) { bytes in
            var ends: [Int] = []
            var members = DeflateReader(bytes)
            while !isCancelled(), members.skipMember() { ends.append(members.offset) }
            return ends
        }
        if isCancelled() { throw SourceError(file, .cancelled) }
        return ends
    }

    private func isGood(first count: Int) throws(SourceError) -> Bool {
        do throws(SourceError) {
            let packed = ResumedStream(bytes, first: count, then: nil)
            try Gzip.unpacking(packed, as: file).skip(as: file, isCancelled: isCancelled)
            return true
        } catch {
            guard case .gzip(.damaged) = error.reason else { throw error }
            return false
        }
    }
}

/// Walks through packed members (RFC 1952) and their blocks (RFC 1951) without unpacking them.
///
/// It finds the end of every intact member. For a damaged member, it may find a wrong end or none.
private struct DeflateReader {
    private let bytes: UnsafeRawBufferPointer
    /// The offset of the next byte to read.
    private(set) var offset = 0
    /// The bits that were read but not consumed; the next bit is the lowest.
    private var bits: UInt64 = 0
    private var bitCount = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    // MARK: Members

    /// Moves to the end of the member that begins here.
    ///
    /// - Returns: Whether there is one.
    mutating func skipMember() -> Bool {
        // The magic number, the only compression method, and no unknown flags.
        guard take(16) == 0x8B1F, take(8) == 8, let flags = take(8), flags & 0xE0 == 0, skip(6) else { return false }
        if flags & 4 != 0 { guard let length = take(16), skip(length) else { return false } }
        for flag in [8, 16] where flags & flag != 0 {
            guard let end = bytes[offset...].firstIndex(of: 0) else { return false }
            offset = end + 1
        }
        // The checksum of the header, the blocks, and the checksum and length of the content.
        return (flags & 2 == 0 || skip(2)) && skipBlocks() && skip(8)
    }

    /// Skips whole bytes.
    private mutating func skip(_ count: Int) -> Bool {
        offset += count - bitCount / 8
        (bits, bitCount) = (0, 0)
        return offset <= bytes.count
    }

    /// Takes a few bits, with the first one lowest, or returns nil at the end.
    private mutating func take(_ count: Int) -> Int? {
        fill(count)
        guard bitCount >= count else { return nil }
        defer { drop(count) }
        return Int(bits & (1 << UInt64(count) - 1))
    }

    private mutating func fill(_ count: Int) {
        while bitCount < count, offset < bytes.count {
            bits |= UInt64(bytes[offset]) << UInt64(bitCount)
            bitCount += 8
            offset += 1
        }
    }

    private mutating func drop(_ count: Int) {
        bits >>= UInt64(count)
        bitCount -= count
    }

    // MARK: Blocks

    private mutating func skipBlocks() -> Bool {
        while let header = take(3) {
            let isRead =
                switch header >> 1 {
                case 0: skipStored()
                case 1: skipSymbols(Self.fixedLiterals, Self.fixedDistances)
                case 2: skipDynamic()
                default: false
                }
            guard isRead else { return false }
            if header & 1 == 1 { return skip(0) }
        }
        return false
    }

    private mutating func skipStored() -> Bool {
        drop(bitCount % 8)
        guard let length = take(16), let complement = take(16), length ^ complement == 0xFFFF else { return false }
        return skip(length)
    }

    /// The order of the code lengths for the alphabet of code lengths (RFC 1951, section 3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func skipDynamic() -> Bool {
        guard let literals = take(5), let distances = take(5), let count = take(4) else { return false }
        var codeLengths = [Int](repeating: 0, count: 19)
        for position in Self.order.prefix(count + 4) {
            guard let length = take(3) else { return false }
            codeLengths[position] = length
        }
        let code = HuffmanCode(codeLengths)
        let total = literals + 257 + distances + 1
        var lengths: [Int] = []
        while lengths.count < total {
            guard let symbol = symbol(in: code) else { return false }
            // A symbol is either a length or a repetition of the last length or of 0. A repetition has a base count and
            // extra bits.
            let (times, bitCount) = symbol < 16 ? (1, 0) : [(3, 2), (3, 3), (11, 7)][symbol - 16]
            guard let more = take(bitCount) else { return false }
            let length = symbol < 16 ? symbol : symbol == 16 ? lengths.last ?? 0 : 0
            lengths += repeatElement(length, count: times + more)
        }
        let literalCount = literals + 257
        return skipSymbols(
            HuffmanCode(lengths[..<literalCount]), HuffmanCode(lengths[literalCount...].prefix(distances + 1)))
    }

    /// The fixed codes (RFC 1951, section 3.2.6).
    private static let fixedLiterals = HuffmanCode(
        [(8, 144), (9, 112), (7, 24), (8, 8)].flatMap { repeatElement($0.0, count: $0.1) })
    private static let fixedDistances = HuffmanCode(repeatElement(5, count: 30))

    private mutating func skipSymbols(_ literals: HuffmanCode, _ distances: HuffmanCode) -> Bool {
        while let literal = symbol(in: literals) {
            if literal < 256 { continue }
            if literal == 256 { return true }
            // A length and a distance, each with extra bits.
            let lengthBits = literal == 285 ? 0 : max(0, (literal - 261) / 4)
            guard literal <= 285, take(lengthBits) != nil, let distance = symbol(in: distances), distance < 30,
                take(max(0, distance / 2 - 1)) != nil
            else { return false }
        }
        return false
    }

    private mutating func symbol(in code: HuffmanCode) -> Int? {
        fill(HuffmanCode.longest)
        // Codes of the same length are consecutive numbers, and the first one follows the shorter codes.
        var (number, first, index) = (0, 0, 0)
        for length in 1...HuffmanCode.longest where length <= bitCount {
            number |= Int(bits >> UInt64(length - 1)) & 1
            let count = code.counts[length]
            if number - first < count {
                drop(length)
                return code.symbols[index + number - first]
            }
            index += count
            first = (first + count) << 1
            number <<= 1
        }
        return nil
    }
}

/// A prefix code (RFC 1951, section 3.2.2).
private struct HuffmanCode {
    /// The maximum number of bits of a symbol.
    static let longest = 15

    /// The number of symbols for each number of bits.
    private(set) var counts = [Int](repeating: 0, count: longest + 1)
    /// The symbols, those with the fewest bits first.
    private(set) var symbols: [Int] = []

    /// - Parameter lengths: The number of bits of each symbol, up to 15; 0 for a symbol that doesn't occur. If there
    ///   are more symbols than codes, the code is empty.
    init(_ lengths: some Collection<Int>) {
        var room = 1
        for length in 1...Self.longest {
            let found = lengths.enumerated().filter { $0.element == length }.map(\.offset)
            counts[length] = found.count
            symbols += found
            room = room * 2 - found.count
            if room < 0 {
                counts = [Int](repeating: 0, count: Self.longest + 1)
                return
            }
        }
    }
}
