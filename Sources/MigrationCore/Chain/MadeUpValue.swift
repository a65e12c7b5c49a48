import Foundation

/// Values of types that do not make themselves from a ``FieldProbe``.
enum MadeUpValue {
    /// A value of one of Foundation's types that read themselves from texts of a certain form, or from a form of their own; nil for any
    /// other type.
    static func known<Value>(_ type: Value.Type) -> Value? {
        for case let value as Value in values { return value }
        return nil
    }

    private static let values: [any Sendable] = [
        URL(fileURLWithPath: "/"), UUID(), Decimal(1), Date(timeIntervalSinceReferenceDate: 1), Data([1]), TimeZone.gmt,
        Locale(identifier: "en"), Calendar(identifier: .gregorian),
    ]

    /// The first case of an enum; nil for any type of which that is not known.
    static func firstCase<Value>(_ type: Value.Type) -> Value? {
        if let type = type as? any CaseIterable.Type, let value = first(of: type) as? Value { return value }
        // An enum with raw values offers no way to be listed.
        return type is any RawRepresentable.Type ? zeros(type) : nil
    }

    private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Cases? { type.allCases.first }

    /// The value whose bits are all zero, of a type that is plain bits and represents raw values or coding keys.
    ///
    /// Such a type is an enum without payloads, whose first case is all zeros (and which has a case, for it has a raw value or a
    /// name to represent), or a wrapper of plain bits, for which zeros are zero. The load stays within the buffer, which has the size and
    /// the alignment of the type.
    static func zeros<Value>(_ type: Value.Type) -> Value? {
        guard _isPOD(type), MemoryLayout<Value>.size > 0 || hasCase(type) else { return nil }
        return withUnsafeTemporaryAllocation(
            byteCount: max(MemoryLayout<Value>.stride, 1), alignment: MemoryLayout<Value>.alignment
        ) { buffer in
            buffer.initializeMemory(as: UInt8.self, repeating: 0)
            return buffer.load(as: Value.self)
        }
    }

    /// Whether a type that takes no room is an enum of one case; one of no case, such as the coding keys of a type without properties, takes
    /// none either, and has no values.
    ///
    /// Read from the type's metadata, whose layout is part of Swift's ABI (docs/ABI/TypeMetadata.rst in Swift's sources): the kind, then the
    /// nominal type descriptor, in which five fields of four bytes stand before the number of cases with payloads (in the low three
    /// bytes) and the number of those without.
    private static func hasCase<Value>(_ type: Value.Type) -> Bool {
        let enumKind: UInt = 0x201
        let metadata = unsafeBitCast(type as Any.Type, to: UnsafePointer<UInt>.self)
        guard metadata[0] == enumKind, let descriptor = UnsafeRawPointer(bitPattern: metadata[1]) else { return false }
        let withPayload = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
        let withoutPayload = descriptor.load(fromByteOffset: 24, as: UInt32.self)
        return withPayload + withoutPayload > 0
    }
}
