import Foundation

/// The scalars of property lists, by PropertyListDecoder's rules.
extension DecodingSession {
    func propertyListInteger<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        let number = node(index).numberText ?? ""
        guard node(index).isIntegerNumber else {
            let real = Double(number) ?? .nan
            if let value = T(exactly: real) { return value }
            let word = document.format == .plistXML ? "Parsed property" : "Property"
            throw unrepresentable(
                number, type, "\(word) list number <\(real)> does not fit in \(type).", path: path())
        }
        if let value = T(number) { return value }
        // PropertyListDecoder counts lines from the beginning of the number, so that it always names the first.
        throw unrepresentable(
            number, type,
            document.format == .plistXML
                ? "Invalid <integer> value on line 1"
                : "Parsed property list number <\(number)> does not fit in \(type).", path: path())
    }

    func propertyListReal<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, at index: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        let number = node(index).numberText ?? ""
        // Text is rounded to the type; the bytes of a binary list are a number already, which must fit.
        if node(index).isIntegerNumber || document.format == .plistXML { return T(number) ?? .nan }
        let real = Double(number) ?? .nan
        if real.isNaN { return .nan }
        guard let value = T(exactly: real) else {
            throw unrepresentable(
                number, type, "Property list number <\(real)> does not fit in \(type).", path: path())
        }
        return value
    }

    private func unrepresentable(
        _ number: String, _ type: Any.Type, _ description: String, path: [any CodingKey]
    ) -> DecodingError {
        .dataCorrupted(context(path, description, .unrepresentable(number, type: type)))
    }
}
