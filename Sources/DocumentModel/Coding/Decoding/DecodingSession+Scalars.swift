import Foundation

/// The scalars, where the rules of JSON and of property lists part. `path` is asked for only to name the place of an error.
extension DecodingSession {
    func boolean(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> Bool {
        if let index, tape[index].kind == .boolean { return tape[index].flags.contains(.isTrue) }
        // JSONDecoder says of a null that it has the wrong type; of every other scalar that it is not there.
        if isPropertyList { try requireValue(Bool.self, at: index, path: path()) }
        throw typeMismatch(Bool.self, at: index, path: path())
    }

    func string(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> String {
        if let index, tape[index].kind == .string, !isNull(index), let value = node(index).string { return value }
        try requireValue(String.self, at: index, path: path())
        throw typeMismatch(String.self, at: index, path: path())
    }

    @inline(__always)
    func integer<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        if let small = smallInteger(at: index), let value = T(exactly: small) { return value }
        return try anyInteger(type, at: index, path: path())
    }

    /// The integer at `index` if it is written as one, in so few digits that no machine word overflows; nil for all else.
    private func smallInteger(at index: Int?) -> Int64? {
        guard let index else { return nil }
        let node = tape[index]
        guard node.kind == .number, node.flags.contains(.integer) else { return nil }
        return text.withBytes(in: Int(node.start)..<Int(node.end)) { NumberText.smallInteger($0) }
    }

    @inline(never)
    private func anyInteger<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        try requireValue(type, at: index, path: path())
        guard let index, tape[index].kind == .number else { throw typeMismatch(type, at: index, path: path()) }
        return isPropertyList
            ? try propertyListInteger(type, at: index, path: path()) : try jsonInteger(type, at: index, path: path())
    }

    /// An integer of 128 bits, which PropertyListDecoder does not know.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func wideInteger<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        guard !isPropertyList else {
            throw DecodingError.typeMismatch(
                type, context(path(), "Decoder has not implemented support for \(type)", .mismatch(type)))
        }
        return try integer(type, at: index, path: path())
    }

    func double(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> Double {
        if !isPropertyList, let index, tape[index].kind == .number {
            let node = tape[index]
            let quick = text.withBytes(in: Int(node.start)..<Int(node.end)) { NumberText.double($0) }
            if let quick { return quick }
        }
        return try real(Double.self, at: index, path: path())
    }

    func real<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        try requireValue(type, at: index, path: path())
        if let index, tape[index].kind == .number {
            return isPropertyList
                ? try propertyListReal(type, at: index, path: path()) : try jsonReal(type, at: index, path: path())
        }
        if !isPropertyList, let index, let value = nonConformingReal(type, at: index) { return value }
        throw typeMismatch(type, at: index, path: path())
    }

    // MARK: - Errors

    /// - Throws: `DecodingError.valueNotFound` where there is no value or null.
    func requireValue(_ type: Any.Type, at index: Int?, path: @autoclosure () -> [any CodingKey]) throws {
        guard isNull(index) else { return }
        let what = isPropertyList ? "value of \(type)" : "value of type \(type)"
        throw DecodingError.valueNotFound(
            type, context(path(), "Cannot get \(what) -- found null value instead", .missingValue(type)))
    }

    func typeMismatch(_ type: Any.Type, at index: Int?, path: [any CodingKey]) -> DecodingError {
        .typeMismatch(
            type,
            context(
                path, "Expected to decode \(type) but found \(kindDescription(at: index)) instead.", .mismatch(type)))
    }

    /// What is found at `index`, in the words of Foundation's decoders.
    private func kindDescription(at index: Int?) -> String {
        guard let index else { return isPropertyList ? "a null value" : "null" }
        let node = tape[index]
        switch node.kind {
        case .object: return "a dictionary"
        case .array: return "an array"
        case .string, .key: return "a string"
        case .number where isPropertyList: return node.flags.contains(.integer) ? "an integer" : "a real number"
        case .number: return "number"
        case .boolean: return isPropertyList ? "a boolean" : "bool"
        case .null: return isPropertyList ? "a null value" : "null"
        case .date: return "a date"
        case .data: return "a data value"
        }
    }
}
