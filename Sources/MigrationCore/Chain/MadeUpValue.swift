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

    /// The first case of an enum; nil for any other type.
    ///
    /// Whether the enum lists its cases is not asked: its conformance may belong to the main actor, and the answer depends on the thread.
    static func firstCase<Value>(_ type: Value.Type) -> Value? {
        zeros(type).flatMap { Mirror(reflecting: $0).displayStyle == .enum ? $0 : nil }
    }

    /// The value whose bits are all zero, of a type that is plain bits.
    ///
    /// The first case of an enum is all zeros, and for numbers and structs of them zeros are zero. The load stays within the buffer, which
    /// has the size and the alignment of the type.
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
