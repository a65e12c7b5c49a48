/// The structure of a binary property list: the positions of its objects, and their contents.
///
/// ## Bounds
/// Every read of the bytes is at an offset from ``offset(of:)``, uses ``integer(at:size:)`` or ``range(at:count:)``, or
/// is in the table or trailer; all of these are checked.
struct BinaryPropertyListFile {
    private static let headerLength = 8
    private static let trailerLength = 32

    let bytes: SourceBytes
    private let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let root: Int
    private let table: Int

    /// Reads the structure of a file, and refuses whatever Foundation refuses (`__CFBinaryPlistGetTopLevelInfo` in
    /// CoreFoundation's CFBinaryPList.c): the table must end where the trailer begins, both sizes must be large enough
    /// for the numbers they store, and every object must begin before the table, even one that nothing refers to.
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

    /// Returns the integer of `size` bytes as text. Integers of up to four bytes are unsigned, and those of eight are
    /// signed. Sixteen bytes are used for unsigned integers that need 64 bits.
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

    /// Returns the string at `offset` in UTF-8, or nil if there is no string. Unpaired surrogates become U+FFFD, as
    /// when Foundation passes such a string to Swift.
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

    /// Returns the number of bytes, characters or references in the object at `offset`, and their position. A count of
    /// 15 or more is stored as a separate integer object.
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

    /// Returns the range of an object's bytes, which must end before the table.
    func range(at offset: Int, count: Int) throws(DocumentParseError) -> Range<Int> {
        guard offset <= table, count <= table - offset else { throw Self.failure(.truncated, at: offset) }
        return offset..<offset + count
    }

    /// Returns the integer of `size` bytes at `offset`.
    func integer(at offset: Int, size: Int) throws(DocumentParseError) -> UInt64 {
        let range = try range(at: offset, count: size)
        return Self.number(bytes, at: range.lowerBound, size: size)
    }

    /// The most significant byte comes first. If there are more than eight bytes, only the last eight are used.
    private static func number(_ bytes: SourceBytes, at offset: Int, size: Int) -> UInt64 {
        (offset..<offset + size).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    /// Creates an error. A binary file has no lines, so the problem contains the byte offset.
    static func failure(_ problem: BinaryPropertyListProblem, at offset: Int? = nil) -> DocumentParseError {
        DocumentParseError(format: .plistBinary, location: nil, problem: .binary(problem, offset: offset))
    }
}
