/// Information that the runtime has about the cases of an enum.
///
/// It is read from the type's metadata, whose layout is part of Swift's ABI (docs/ABI/TypeMetadata.rst in Swift's
/// sources): the kind, followed by a pointer to the nominal type descriptor. In the descriptor, five fields of four
/// bytes precede the number of cases with payloads (in the low three bytes) and the number of those without.
package struct EnumCases {
    /// The number of cases with associated values.
    package let withPayload: UInt32
    /// The number of cases without associated values.
    package let withoutPayload: UInt32

    /// Reads the cases of a type, or returns nil if it isn't an enum.
    package init?(_ type: any Any.Type) {
        let enumKind: UInt = 0x201
        let metadata = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        guard metadata[0] == enumKind, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return nil }
        withPayload = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        withoutPayload = descriptor.load(fromByteOffset: 24, as: UInt32.self)
    }

    /// Returns the raw values of an enum as text: those of `allCases` if the enum declares them, or else those of all
    /// cases in the order of their declaration. Returns nil for any other type, and if the raw values are neither
    /// strings nor integers.
    ///
    /// This depends only on the type, not on a value: for a value, a conformance that is isolated to the main actor can
    /// be used only there.
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

    /// Returns all values of an enum whose cases have no associated values, in the order of their declaration, or nil
    /// for any other type.
    ///
    /// Such cases are numbered from 0, in the minimum number of bytes (docs/ABI/TypeLayout.rst in Swift's sources:
    /// C-like enums). The numbers stay below the number of cases in the type's metadata. If an enum were numbered
    /// differently, its raw values would not be found again.
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
