import Foundation

/// The scalars of JSON documents, by JSONDecoder's rules.
extension DecodingSession {
    func jsonInteger<T: FixedWidthInteger>(
        _ type: T.Type, at index: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        let number = node(index).numberText ?? ""
        if let value = T(number) { return value }
        // The number isn't written as an integer, like 1e2 or 34.0, or is too large for the type.
        guard let value = NumberText.integerByValue(type, number) else {
            throw unrepresentable(number, type, path: path())
        }
        return value
    }

    func jsonReal<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, at index: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> T {
        let number = node(index).numberText ?? ""
        if document.format == .json5, let value = try json5Real(type, number, at: index, path: path()) { return value }
        // A number that is too large becomes infinite, and one that is too small becomes zero. JSONDecoder rejects
        // both.
        guard let value = T(number), value.isFinite, value != 0 || NumberText.isZero(number),
            number.utf8.count != 3 || NumberText.isRead(byJSONDecoder: number)
        else {
            throw unrepresentable(number, type, path: path())
        }
        return value
    }

    /// Returns a number that only JSON5 has, or nil for any other: a non-finite number, or a hexadecimal one, which
    /// must be exactly a value of the type.
    private func json5Real<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: T.Type, _ number: String, at index: Int, path: @autoclosure () -> [any CodingKey]
    ) throws -> T? {
        if number.utf8.last?.isDigit == false { return T(number) }
        guard node(index).isHexadecimal else { return nil }
        guard let value = Int64(number).map({ T(exactly: $0) }) ?? UInt64(number).map({ T(exactly: $0) }) ?? nil else {
            throw unrepresentable(number, type, path: path())
        }
        return value
    }

    func nonConformingReal<T: BinaryFloatingPoint>(_ type: T.Type, at index: Int) -> T? {
        guard case .convertFromString(let positive, let negative, let nan) = strategies.nonConformingFloats,
            view[index].kind == .string, !view[index].flags.contains(.escaped), let text = node(index).string
        else { return nil }
        if text.utf8.elementsEqual(positive.utf8) { return .infinity }
        if text.utf8.elementsEqual(negative.utf8) { return -.infinity }
        return text.utf8.elementsEqual(nan.utf8) ? .nan : nil
    }

    func decimal(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> Decimal {
        try requireValue(Decimal.self, at: index, path: path())
        guard let number = index.flatMap({ node($0).numberText }) else {
            throw DecodingError.typeMismatch(Decimal.self, context(path(), "", .mismatch(Decimal.self)))
        }
        if document.format == .json5, number.utf8.last?.isDigit == false { return .nan }
        guard let value = Decimal(string: number) else { throw unrepresentable(number, Decimal.self, path: path()) }
        return value
    }

    func url(at index: Int?, path: @autoclosure () -> [any CodingKey]) throws -> URL {
        try requireValue(URL.self, at: index, path: path())
        guard let url = URL(string: try string(at: index, path: path())) else {
            throw DecodingError.dataCorrupted(context(path(), "Invalid URL string.", .noURL))
        }
        return url
    }

    /// Creates an error that ``DocumentDecoder`` converts to the one that JSONDecoder throws. As in JSONDecoder, it
    /// isn't a `DecodingError` until then, so that types that catch those errors treat it the same way.
    private func unrepresentable(_ number: String, _ type: Any.Type, path: [any CodingKey]) -> DecodingErrorDetail {
        let detail = DecodingErrorDetail(
            codingPath: path, problem: .unrepresentable(number, type: type), description: "")
        note(detail)
        return detail
    }
}

extension DocumentNode {
    /// Whether this is a number in JSON5 written in hexadecimal digits.
    fileprivate var isHexadecimal: Bool {
        guard document.format == .json5, let source = document.source, let range = sourceRange else { return false }
        return source.string(in: range.lowerBound..<min(range.lowerBound + 3, range.upperBound)).lowercased().contains(
            "x")
    }
}

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
        // PropertyListDecoder counts lines from the beginning of the number, so it always reports line 1.
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
        // Text is rounded to the type. A binary property list contains a number, which must fit the type.
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
