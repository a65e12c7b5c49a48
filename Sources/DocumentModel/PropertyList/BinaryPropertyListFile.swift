/// The parts of a binary property list: where its objects are, and what they are made of.
///
/// ## Bounds
/// Every read of the bytes is at an offset that ``offset(of:)`` gave, goes through ``integer(at:size:)`` or
/// ``range(at:count:)``, or lies in table and trailer; all of these check.
struct BinaryPropertyListFile {
    private static let headerLength = 8
    private static let trailerLength = 32

    let bytes: SourceBytes
    private let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let root: Int
    private let table: Int

    /// Finds the parts of a file, and refuses what Foundation refuses (`__CFBinaryPlistGetTopLevelInfo` in
    /// CoreFoundation's CFBinaryPList.c): the table ends where the trailer begins, both sizes are large enough for what
    /// they count, and every object begins before the table, also one that nothing refers to.
    init(_ bytes: SourceBytes) throws(DocumentParseError) {
        self.bytes = bytes
        let header = bytes.string(in: 0..<min(bytes.count, Self.headerLength))
        guard header.utf8.count == Self.headerLength, header.hasPrefix("bplist0") else {
            throw Self.failure(.header(header))
        }
        let trailer = bytes.count - Self.trailerLength
        guard trailer > Self.headerLength else {
            throw Self.failure(.noTrailer(byteCount: bytes.count))
        }
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        func number(at offset: Int) -> Int { Int(exactly: Self.number(bytes, at: offset, size: 8)) ?? .max }
        func canCount(_ size: Int, to number: Int) -> Bool { size >= 8 || number < 1 << (8 * size) }
        (objectCount, root, table) = (number(at: trailer + 8), number(at: trailer + 16), number(at: trailer + 24))
        guard offsetSize > 0, referenceSize > 0, root < objectCount, table > Self.headerLength, table < trailer,
            objectCount <= (trailer - table) / offsetSize, table + objectCount * offsetSize == trailer,
            canCount(referenceSize, to: objectCount), canCount(offsetSize, to: table)
        else { throw Self.failure(.trailer) }
        for object in 0..<objectCount where tableEntry(of: object) >= UInt64(table) { throw misplaced(object) }
    }

    func offset(of object: Int) throws(DocumentParseError) -> Int {
        let value = tableEntry(of: object)
        guard value >= UInt64(Self.headerLength) else { throw misplaced(object) }
        return Int(value)
    }

    private func tableEntry(of object: Int) -> UInt64 {
        Self.number(bytes, at: table + object * offsetSize, size: offsetSize)
    }

    private func misplaced(_ object: Int) -> DocumentParseError {
        Self.failure(.misplacedObject(at: tableEntry(of: object)), at: table + object * offsetSize)
    }

    /// Integers of up to four bytes have no sign; those of eight have one; those of sixteen are there for what needs 64
    /// bits without one.
    func integerText(at offset: Int, size: Int) throws(DocumentParseError) -> String {
        guard size == 16 else {
            let value = try integer(at: offset, size: size)
            return size == 8 ? String(Int64(bitPattern: value)) : String(value)
        }
        let high = try integer(at: offset, size: 8)
        let low = try integer(at: offset + 8, size: 8)
        if high == 0 { return String(low) }
        if high == .max, Int64(bitPattern: low) < 0 { return String(Int64(bitPattern: low)) }
        throw Self.failure(.integerBeyond64Bits, at: offset)
    }

    /// The string at `offset` in UTF-8; nil if something else stands there. Halves of surrogate pairs become U+FFFD, as
    /// they do when Foundation hands such a string to Swift.
    func text(at offset: Int) throws(DocumentParseError) -> [UInt8]? {
        let marker = bytes[offset]
        guard (0x50...0x6F).contains(marker) else { return nil }
        let (count, start) = try count(at: offset)
        switch marker {
        case 0x60...0x6F:
            guard count <= bytes.count else { throw Self.failure(.truncated, at: offset) }
            let range = try range(at: start, count: 2 * count)
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default:
            let range = try range(at: start, count: count)
            let text = bytes.withBytes(in: range) { Array($0) }
            if let position = text.firstIndex(where: { $0 >= 0x80 }) {
                throw Self.failure(.notASCII, at: start + position)
            }
            return text
        }
    }

    // MARK: - Bytes

    /// The number of bytes, characters or references of the object at `offset`, and where they begin. Counts from 15 on
    /// are an integer object of their own.
    func count(at offset: Int) throws(DocumentParseError) -> (count: Int, start: Int) {
        let count = Int(bytes[offset] & 0xF)
        guard count == 0xF else { return (count, offset + 1) }
        let marker = try integer(at: offset + 1, size: 1)
        guard (0x10...0x13).contains(marker) else {
            throw Self.failure(.lengthNotInteger, at: offset + 1)
        }
        let size = 1 << Int(marker & 0xF)
        guard let count = Int(exactly: try integer(at: offset + 2, size: size)) else {
            throw Self.failure(.truncated, at: offset)
        }
        return (count, offset + 2 + size)
    }

    /// The bytes of an object, which end before the table.
    func range(at offset: Int, count: Int) throws(DocumentParseError) -> Range<Int> {
        guard offset <= table, count <= table - offset else { throw Self.failure(.truncated, at: offset) }
        return offset..<offset + count
    }

    /// The integer of `size` bytes at `offset`.
    func integer(at offset: Int, size: Int) throws(DocumentParseError) -> UInt64 {
        let range = try range(at: offset, count: size)
        return Self.number(bytes, at: range.lowerBound, size: size)
    }

    /// The byte that counts most comes first; of more than eight only the last eight count.
    private static func number(_ bytes: SourceBytes, at offset: Int, size: Int) -> UInt64 {
        (offset..<offset + size).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    /// An error; a binary file has no lines, so the problem has the byte.
    static func failure(_ problem: BinaryPropertyListProblem, at offset: Int? = nil) -> DocumentParseError {
        DocumentParseError(format: .plistBinary, location: nil, problem: .binary(problem, offset: offset))
    }
}
