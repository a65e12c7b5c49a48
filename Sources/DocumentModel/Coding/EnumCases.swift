/// What the runtime knows of the cases of an enum.
///
/// It is read from the type's metadata, whose layout is part of Swift's ABI (docs/ABI/TypeMetadata.rst in Swift's
/// sources): the kind, then the nominal type descriptor, in which five fields of four bytes stand before the number of
/// cases with payloads (in the low three bytes) and the number of those without.
package struct EnumCases {
    /// How many cases hold values.
    package let withPayload: UInt32
    /// How many hold none.
    package let withoutPayload: UInt32

    /// The cases of a type; nil of one that is no enum.
    package init?(_ type: any Any.Type) {
        let enumKind: UInt = 0x201
        let metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        guard metadata[0] == enumKind, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return nil }
        withPayload = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        withoutPayload = descriptor.load(fromByteOffset: 24, as: UInt32.self)
    }

    /// The raw values of an enum, as text: those that it lists itself or, where it does not, of all its cases, in the
    /// order in which they are declared. nil of any other type, and where they are neither texts nor whole numbers.
    ///
    /// The type is asked, and not its values: for a value, a conformance that belongs to the main actor answers only
    /// there.
    package static func rawValues(of type: any Any.Type) -> [String]? {
        if let type = type as? any (CaseIterable & RawRepresentable).Type { return listed(type) }
        return (type as? any RawRepresentable.Type).flatMap { declared($0) }
    }

    private static func listed<Case: CaseIterable & RawRepresentable>(_ type: Case.Type) -> [String] {
        type.allCases.map { "\($0.rawValue)" }
    }

    private static func declared<Case: RawRepresentable>(_ type: Case.Type) -> [String]? {
        guard let values = values(of: type) else { return nil }
        let found = values.filter {
            ($0.rawValue is String || $0.rawValue is any BinaryInteger) && Case(rawValue: $0.rawValue) != nil
        }
        return found.count == values.count ? found.map { "\($0.rawValue)" } : nil
    }

    /// All values of an enum whose cases hold nothing, in the order in which they are declared; nil of any other type.
    ///
    /// Such cases are numbered from 0, in as many bytes as their number needs (docs/ABI/TypeLayout.rst in Swift's
    /// sources: C-like enums). The values that are made stay below the number of cases that the type says it has; an enum
    /// that does not number them so does not find its own raw values again.
    package static func values<Case>(of type: Case.Type) -> [Case]? {
        guard _isPOD(type), let cases = EnumCases(type), cases.withPayload == 0, cases.withoutPayload > 0,
            MemoryLayout<Case>.size <= MemoryLayout<UInt32>.size
        else { return nil }
        return (0..<cases.withoutPayload).map { number in
            withUnsafeTemporaryAllocation(
                byteCount: max(MemoryLayout<Case>.stride, 1), alignment: MemoryLayout<Case>.alignment
            ) { buffer in
                for index in buffer.indices { buffer[index] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(index))) }
                return buffer.load(as: Case.self)
            }
        }
    }
}
