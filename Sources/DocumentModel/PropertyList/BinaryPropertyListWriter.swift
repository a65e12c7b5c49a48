import Foundation

/// Writes binary property lists (see ``BinaryPropertyListParser`` for the format). It preserves the document's order of
/// keys, which Foundation's PropertyListSerialization would lose, and writes equal keys only once.
struct BinaryPropertyListWriter {
    static func data(_ node: DocumentNode) throws(PropertyListWritingError) -> Data {
        var writer = BinaryPropertyListWriter()
        try writer.number(node)
        writer.write()
        return Data(writer.output)
    }

    /// An object in the file.
    private enum Object {
        case value(DocumentNode)
        case container(isDictionary: Bool, references: [Int])
        case identifier(UInt64)
    }

    private var objects: [Object] = []
    private var keys: [ExactText: Int] = [:]
    private var output: [UInt8] = []

    // MARK: - Numbering

    /// Numbers `node` and everything inside it, a container before its contents.
    ///
    /// - Returns: The number of `node`.
    @discardableResult
    private mutating func number(_ node: DocumentNode) throws(PropertyListWritingError) -> Int {
        let index = objects.count
        switch node.kind {
        case .object:
            if node.isIdentifier, let identifier = KeyedArchiveIdentifier.value(of: node) {
                objects.append(.identifier(UInt64(identifier)))
                break
            }
            objects.append(.container(isDictionary: true, references: []))
            var references: [Int] = []
            for member in node.members { references.append(number(key: member.key)) }
            for member in node.members { references.append(try number(member.value)) }
            objects[index] = .container(isDictionary: true, references: references)
        case .array:
            objects.append(.container(isDictionary: false, references: []))
            var references: [Int] = []
            for element in node.elements { references.append(try number(element)) }
            objects[index] = .container(isDictionary: false, references: references)
        case .null: throw PropertyListWritingError(node, .null)
        case .number where node.isIntegerNumber:
            let number = PropertyListNumber.integer(Array((node.numberText ?? "").utf8))
            guard number != nil else { throw PropertyListWritingError(node, .integerTooLarge(node.briefText)) }
            objects.append(.value(node))
        default: objects.append(.value(node))
        }
        return index
    }

    private mutating func number(key: DocumentNode) -> Int {
        let name = ExactText(key.string ?? "")
        if let index = keys[name] { return index }
        keys[name] = objects.count
        objects.append(.value(key))
        return objects.count - 1
    }

    // MARK: - Writing

    private mutating func write() {
        output.append(contentsOf: "bplist00".utf8)
        let referenceSize = Self.size(of: UInt64(objects.count))
        var offsets: [Int] = []
        for object in objects {
            offsets.append(output.count)
            append(object, referenceSize: referenceSize)
        }
        let table = output.count
        let offsetSize = Self.size(of: UInt64(table))
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        output.append(contentsOf: [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)])
        append(UInt64(objects.count), size: 8)
        append(0, size: 8)
        append(UInt64(table), size: 8)
    }

    private mutating func append(_ object: Object, referenceSize: Int) {
        switch object {
        case .container(let isDictionary, let references):
            append(isDictionary ? 0xD0 : 0xA0, count: isDictionary ? references.count / 2 : references.count)
            for reference in references { append(UInt64(reference), size: referenceSize) }
        case .identifier(let value):
            let size = Self.size(of: value)
            output.append(0x80 | UInt8(size - 1))
            append(value, size: size)
        case .value(let node): append(node)
        }
    }

    private mutating func append(_ node: DocumentNode) {
        switch node.kind {
        case .string, .key: append(text: node.string ?? "")
        case .number where node.isIntegerNumber: append(integer: node.numberText ?? "")
        case .number: append(marker: 0x23, real: Double(node.numberText ?? "") ?? .nan)
        case .boolean: output.append(node.boolean == true ? 0x09 : 0x08)
        case .date: append(marker: 0x33, real: node.date?.timeIntervalSinceReferenceDate ?? 0)
        case .data:
            let data = node.data ?? Data()
            append(0x40, count: data.count)
            output.append(contentsOf: data)
        case .null, .object, .array: break
        }
    }

    private mutating func append(text: String) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            append(0x50, count: text.utf8.count)
            output.append(contentsOf: text.utf8)
        } else {
            append(0x60, count: text.utf16.count)
            for unit in text.utf16 { append(UInt64(unit), size: 2) }
        }
    }

    private mutating func append(marker: UInt8, real: Double) {
        output.append(marker)
        append(real.bitPattern, size: 8)
    }

    /// Integers of up to four bytes are unsigned, and those of eight are signed. Sixteen bytes are used for unsigned
    /// integers that need 64 bits.
    private mutating func append(integer text: String) {
        if let value = Int64(text) {
            let size = value < 0 ? 8 : Self.size(of: UInt64(value))
            output.append(0x10 | UInt8(size.trailingZeroBitCount))
            append(UInt64(bitPattern: value), size: size)
        } else {
            output.append(0x14)
            append(0, size: 8)
            append(UInt64(text) ?? 0, size: 8)
        }
    }

    private mutating func append(_ marker: UInt8, count: Int) {
        output.append(marker | UInt8(min(count, 15)))
        if count >= 15 { append(integer: String(count)) }
    }

    private mutating func append(_ value: UInt64, size: Int) {
        for position in (0..<size).reversed() { output.append(UInt8(truncatingIfNeeded: value >> (8 * position))) }
    }

    /// Returns 1, 2, 4 or 8, the minimum number of bytes for `value`.
    private static func size(of value: UInt64) -> Int {
        value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8
    }
}
