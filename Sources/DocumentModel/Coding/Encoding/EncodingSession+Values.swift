import Foundation

/// The types for which Foundation's encoders have special rules, wherever they occur.
extension EncodingSession {
    /// Returns the encoded form of a value whose type isn't asked to encode itself. Returns nil for any other value.
    ///
    /// - Parameter path: The path of the value, evaluated only for errors.
    func scalar<T: Encodable>(_ value: T, path: @autoclosure () -> [any CodingKey]) throws -> EncodedTree.Value? {
        let type = T.self
        // Compare types instead of casting: a cast searches for conversions, which takes many times as long. The casts
        // below are from a type to itself, so they cannot fail and cost nothing.
        if type == String.self { return .string(value as! String) }
        if type == Int.self { return integer(value as! Int) }
        if type == Double.self { return try real(value as! Double, path: path()) }
        if type == Bool.self { return .boolean(value as! Bool) }
        if type == Date.self { return try date(value as! Date, path: path()) }
        if type == Data.self { return data(value as! Data) }
        guard !isPropertyList else { return nil }
        if type == URL.self { return .string((value as! URL).absoluteString) }
        if type == Decimal.self { return Self.decimal(value as! Decimal) }
        return nil
    }

    /// Encodes a value with the app's closure for its type.
    func encodeByClosure<T: Encodable>(_ value: T, to encoder: any Encoder) throws {
        if T.self == Date.self, case .custom(let encode) = strategies.dates { try encode(value as! Date, encoder) }
        if T.self == Data.self, case .custom(let encode) = strategies.data { try encode(value as! Data, encoder) }
    }

    /// Returns whether the app has a closure for values of the type.
    func hasClosure(for type: Any.Type) -> Bool {
        guard !isPropertyList else { return false }
        if type == Date.self, case .custom = strategies.dates { return true }
        if type == Data.self, case .custom = strategies.data { return true }
        return false
    }

    /// The result is exact. NaN, which JSON doesn't have either, is represented like a real of a property list.
    private static func decimal(_ value: Decimal) -> EncodedTree.Value {
        .number(value.isNaN ? "nan" : value.description)
    }

    private func date(_ date: Date, path: @autoclosure () -> [any CodingKey]) throws -> EncodedTree.Value? {
        if isPropertyList { return .date(date) }
        switch strategies.dates {
        case .secondsSince1970: return try seconds(date.timeIntervalSince1970, path: path())
        case .millisecondsSince1970: return try seconds(1000 * date.timeIntervalSince1970, path: path())
        case .iso8601: return .string(date.formatted(.iso8601))
        #if canImport(Darwin)
            case .formatted(let formatter): return .string(formatter.string(from: date))
        #endif
        case .custom, .deferredToDate: return nil
        @unknown default: return nil
        }
    }

    private func data(_ data: Data) -> EncodedTree.Value? {
        if isPropertyList { return .data(data) }
        if case .base64 = strategies.data { return .string(data.base64EncodedString()) }
        return nil
    }
}
