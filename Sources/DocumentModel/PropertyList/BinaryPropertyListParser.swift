import Foundation

/// Reads a binary property list, preserving the order of keys and all kinds of numbers.
///
/// It doesn't use Foundation's PropertyListSerialization, which loses the order of keys and, on Linux, crashes on
/// certain malformed files. The format is described in CoreFoundation's CFBinaryPList.c: a header of eight bytes,
/// objects in any order, a table with the offset of each object, and a trailer of 32 bytes with the offset of the
/// table. Objects refer to others by number.
///
/// A unique identifier, which occurs only in keyed archives, is read in the form that Foundation writes in XML:
/// `{"CF$UID": 1}`. Unlike a dictionary of this form, it is marked as an identifier (``DocumentNode/isIdentifier``),
/// and written as one again.
struct BinaryPropertyListParser: ~Copyable {
    /// Parses the document in `bytes`.
    ///
    /// - Throws: ``DocumentParseError``; `CancellationError` if `progress` returned false.
    static func parse(_ bytes: SourceBytes, progress: ParseProgress?) throws -> Document {
        var parser = BinaryPropertyListParser(file: try BinaryPropertyListFile(bytes))
        try parser.parseDocument(progress: progress)
        return parser.builder.finish(format: .plistBinary, source: bytes, sourceRanges: nil)
    }

    private typealias File = BinaryPropertyListFile

    private let file: File
    private var builder = DocumentBuilder()
    /// The remaining number of bytes for nodes and their texts. Objects may be used many times, and so may the objects
    /// that contain them, so a few bytes can represent more than fits in memory.
    private var budget: Int

    private init(file: File) {
        self.file = file
        // A file that consists of repeated references to `true`, one byte each, needs forty times its size. A tape
        // stores byte offsets in 32 bits.
        budget = min((64 << 20) + 64 * file.bytes.count, Document.largestSourceLength)
    }

    // MARK: - Structure

    /// An open container: the position of its references, and the number of members or elements read so far.
    private struct Container {
        var object: Int
        var isDictionary: Bool
        var references: Int
        var count: Int
        var done = 0
    }

    /// The number of nodes to read between two calls of `progress`.
    private static let reportInterval = 1 << 16

    /// This is a loop, so nesting needs no stack.
    private mutating func parseDocument(progress: ParseProgress?) throws {
        var open: [Container] = []
        var nextReport = Self.reportInterval
        var farthest = 0
        try parseObject(file.root, &open)
        while let container = open.last {
            guard container.done < container.count else {
                builder.end()
                open.removeLast()
                continue
            }
            open[open.count - 1].done += 1
            if container.isDictionary { try parseKey(reference(container.done, of: container)) }
            // The references of all keys come before those of the values.
            let value = container.done + (container.isDictionary ? container.count : 0)
            try parseObject(reference(value, of: container), &open)
            if builder.nodeCount >= nextReport {
                nextReport = builder.nodeCount + Self.reportInterval
                farthest = max(farthest, container.references)
                if let progress, !progress(farthest) { throw CancellationError() }
            }
        }
    }

    private func reference(_ index: Int, of container: Container) throws(DocumentParseError) -> Int {
        let offset = container.references + index * file.referenceSize
        let value = try file.integer(at: offset, size: file.referenceSize)
        guard value < UInt64(file.objectCount) else {
            throw File.failure(.reference(value, count: file.objectCount), at: offset)
        }
        return Int(value)
    }

    private mutating func parseKey(_ object: Int) throws(DocumentParseError) {
        let offset = try file.offset(of: object)
        guard let text = try file.text(at: offset) else {
            throw File.failure(.keyNotString, at: offset)
        }
        try spend(text.count)
        builder.key(utf8: text)
    }

    private mutating func parseObject(_ object: Int, _ open: inout [Container]) throws(DocumentParseError) {
        let offset = try file.offset(of: object)
        let marker = file.bytes[offset]
        switch marker {
        case 0xA0...0xAF, 0xD0...0xDF: try begin(object, at: offset, &open)
        case 0x50...0x6F:
            let text = try file.text(at: offset) ?? []
            try spend(text.count)
            builder.string(utf8: text)
        default:
            // Dates and numbers have no longer text.
            try spend(24)
            try parseScalar(marker, at: offset)
        }
    }

    private mutating func begin(_ object: Int, at offset: Int, _ open: inout [Container]) throws(DocumentParseError) {
        let isDictionary = file.bytes[offset] >= 0xD0
        guard open.count < Document.deepestNesting else {
            throw DocumentParseError(format: .plistBinary, location: nil, problem: .tooDeep)
        }
        guard !open.contains(where: { $0.object == object }) else {
            throw File.failure(.cycle, at: offset)
        }
        let (count, references) = try file.count(at: offset)
        let memberLength = (isDictionary ? 2 : 1) * file.referenceSize
        guard count <= file.bytes.count / memberLength else { throw File.failure(.truncated, at: offset) }
        _ = try file.range(at: references, count: count * memberLength)
        try spend(0)
        if isDictionary { builder.beginObject() } else { builder.beginArray() }
        open.append(Container(object: object, isDictionary: isDictionary, references: references, count: count))
    }

    private mutating func spend(_ textLength: Int) throws(DocumentParseError) {
        budget -= textLength + MemoryLayout<TapeNode>.stride
        guard budget >= 0 else { throw File.failure(.unfolding(byteCount: file.bytes.count)) }
    }

    // MARK: - Scalars

    private mutating func parseScalar(_ marker: UInt8, at offset: Int) throws(DocumentParseError) {
        switch marker {
        case 0x00: builder.null()
        case 0x08, 0x09: builder.boolean(marker == 0x09)
        case 0x10...0x14: builder.number(try file.integerText(at: offset + 1, size: 1 << Int(marker & 0xF)))
        case 0x22:
            let bits = UInt32(truncatingIfNeeded: try file.integer(at: offset + 1, size: 4))
            builder.number(PropertyListNumber.text(of: Double(Float(bitPattern: bits))))
        case 0x23:
            builder.number(PropertyListNumber.text(of: Double(bitPattern: try file.integer(at: offset + 1, size: 8))))
        case 0x33:
            let seconds = Double(bitPattern: try file.integer(at: offset + 1, size: 8))
            guard seconds.isFinite else { throw File.failure(.dateNotNumber, at: offset) }
            builder.date(Date(timeIntervalSinceReferenceDate: seconds))
        case 0x40...0x4F:
            let (count, start) = try file.count(at: offset)
            let range = try file.range(at: start, count: count)
            try spend(count)
            builder.data(file.bytes.data(in: range))
        case 0x80...0x8F:
            let value = try file.integer(at: offset + 1, size: Int(marker & 0xF) + 1)
            guard let identifier = UInt32(exactly: value) else {
                throw File.failure(.identifier(value), at: offset)
            }
            builder.identifier(identifier)
        default:
            throw File.failure(.unknownKind(marker), at: offset)
        }
    }
}
