/// The parts of a binary property list: where its objects are, and what they are made of.
///
/// ## Bounds
/// Every read of the bytes is at an offset that ``offset(of:)`` gave or goes through ``integer(at:size:)`` or
/// ``range(at:count:)``; all three check.
struct BinaryPropertyListFile {
    private static let headerLength = 8
    private static let trailerLength = 32

    let bytes: SourceBytes
    private let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let root: Int
    private let table: Int

    init(_ bytes: SourceBytes) throws(DocumentParseError) {
        self.bytes = bytes
        let header = bytes.string(in: 0..<min(bytes.count, Self.headerLength))
        guard header == "bplist00" else {
            throw Self.failure(
                found: "a header '\(header)'", expected: "a binary property list of version 00, 'bplist00'")
        }
        let trailer = bytes.count - Self.trailerLength
        guard trailer > Self.headerLength else {
            throw Self.failure(
                found: "the end of the file after \(bytes.count) bytes", expected: "a trailer of 32 bytes")
        }
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        func number(at offset: Int) -> Int? {
            let value = (offset..<offset + 8).reduce(0 as UInt64) { $0 << 8 | UInt64(bytes[$1]) }
            return Int(exactly: value)
        }
        guard let objectCount = number(at: trailer + 8), let root = number(at: trailer + 16),
            let table = number(at: trailer + 24), (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            root < objectCount, table >= Self.headerLength, table < trailer,
            objectCount <= (trailer - table) / offsetSize
        else {
            throw Self.failure(
                found: "a trailer that does not fit the file",
                expected: "the whole file, from 'bplist00' to its last 32 bytes")
        }
        (self.objectCount, self.root, self.table) = (objectCount, root, table)
    }

    func offset(of object: Int) throws(DocumentParseError) -> Int {
        let entry = table + object * offsetSize
        let value = try integer(at: entry, size: offsetSize)
        guard value >= UInt64(Self.headerLength), value < UInt64(table) else {
            throw Self.failure(
                at: entry, found: "an object at byte \(value)", expected: "objects between header and table")
        }
        return Int(value)
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
        throw Self.failure(at: offset, found: "an integer of more than 64 bits", expected: "at most \(UInt64.max)")
    }

    /// The string at `offset` in UTF-8; nil if something else stands there. Halves of surrogate pairs become U+FFFD, as
    /// they do when Foundation hands such a string to Swift.
    func text(at offset: Int) throws(DocumentParseError) -> [UInt8]? {
        let marker = bytes[offset]
        guard (0x50...0x7F).contains(marker) else { return nil }
        let (count, start) = try count(at: offset)
        switch marker {
        case 0x60...0x6F:
            guard count <= bytes.count else { throw Self.truncation(at: offset) }
            let range = try range(at: start, count: 2 * count)
            let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        case 0x70...0x7F: return Array(bytes.string(in: try range(at: start, count: count)).utf8)
        default:
            let range = try range(at: start, count: count)
            let text = bytes.withBytes(in: range) { Array($0) }
            if let position = text.firstIndex(where: { $0 >= 0x80 }) {
                throw Self.failure(
                    at: start + position, found: "a byte that is not ASCII in an ASCII string", expected: "ASCII")
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
            throw Self.failure(at: offset + 1, found: "a length that is not an integer", expected: "an integer")
        }
        let size = 1 << Int(marker & 0xF)
        guard let count = Int(exactly: try integer(at: offset + 2, size: size)) else {
            throw Self.truncation(at: offset)
        }
        return (count, offset + 2 + size)
    }

    func range(at offset: Int, count: Int) throws(DocumentParseError) -> Range<Int> {
        guard offset <= bytes.count, count <= bytes.count - offset else { throw Self.truncation(at: offset) }
        return offset..<offset + count
    }

    /// The integer of `size` bytes, at most eight, at `offset`, the byte that counts most first.
    func integer(at offset: Int, size: Int) throws(DocumentParseError) -> UInt64 {
        try range(at: offset, count: size).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
    }

    // MARK: - Words for errors

    static func truncation(at offset: Int) -> DocumentParseError {
        failure(at: offset, found: "an object that is longer than the file", expected: "the whole file")
    }

    /// A binary file has no lines; the words say at which byte.
    static func failure(at offset: Int? = nil, found: String, expected: String?) -> DocumentParseError {
        DocumentParseError(
            format: .plistBinary, location: nil, found: found + (offset.map { " (at byte \($0))" } ?? ""),
            expected: expected)
    }
}
