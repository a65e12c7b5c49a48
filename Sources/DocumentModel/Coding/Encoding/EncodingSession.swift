/// The state that all encoders and containers of one encoding share.
final class EncodingSession {
    private let settings: SharedSettings<EncodingStrategies>
    /// Whether to follow the rules of PropertyListEncoder rather than JSONEncoder.
    let isPropertyList: Bool
    let hasDefaultKeys: Bool
    let knownTypes = KnownTypes.take()

    init(_ settings: SharedSettings<EncodingStrategies>, format: DocumentFormat) {
        self.settings = settings
        isPropertyList = format.isPropertyList
        if case .useDefaultKeys = settings.value.keys { hasDefaultKeys = true } else { hasDefaultKeys = isPropertyList }
    }

    var strategies: EncodingStrategies { settings.value }

    deinit { knownTypes.giveBack() }

    /// Whether the name of a key depends on the path to its object.
    var hasKeysOfPaths: Bool { if case .custom = strategies.keys { !hasDefaultKeys } else { false } }

    /// Returns the name for `key` in the object at `path`.
    func name(of key: some CodingKey, in path: @autoclosure () -> [any CodingKey]) -> String {
        guard !hasDefaultKeys else { return key.stringValue }
        switch strategies.keys {
        case .useDefaultKeys: return key.stringValue
        case .convertToSnakeCase: return SnakeCase.fromCamelCase(key.stringValue)
        case .custom(let convert): return convert(path() + [key]).stringValue
        @unknown default: return key.stringValue
        }
    }

    // MARK: - Numbers

    /// Returns a floating-point number. JSON omits the fraction of a whole number; property lists include it, because
    /// it distinguishes a real from an integer.
    func real<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ value: T, path: @autoclosure () -> [any CodingKey]
    ) throws -> EncodedValue {
        if isPropertyList { return .number(String(Double(value))) }
        guard value.isFinite else {
            guard case .convertToString(let positive, let negative, let nan) = strategies.nonConformingFloats else {
                throw Self.notFinite(value, path: path())
            }
            return .string(value.isNaN ? nan : value < 0 ? negative : positive)
        }
        return .number(Self.text(value))
    }

    /// Returns a date as a number. No strategy permits non-finite dates.
    func seconds(_ value: Double, path: @autoclosure () -> [any CodingKey]) throws -> EncodedValue {
        guard value.isFinite else { throw Self.notFinite(value, path: path()) }
        return .number(Self.text(value))
    }

    private static func text(_ value: some LosslessStringConvertible) -> String {
        let text = String(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func notFinite<T: BinaryFloatingPoint>(_ value: T, path: [any CodingKey]) -> EncodingError {
        .invalid(value, "Unable to encode \(T.self).\(value) directly in JSON.", at: path)
    }

    /// Returns a 128-bit integer, which PropertyListEncoder doesn't support.
    func wideInteger<T: FixedWidthInteger>(_ value: T, path: @autoclosure () -> [any CodingKey]) throws -> EncodedValue
    {
        guard !isPropertyList else {
            throw EncodingError.invalid(value, "Encoder has not implemented support for \(T.self)", at: path())
        }
        return .number(String(value))
    }
}
