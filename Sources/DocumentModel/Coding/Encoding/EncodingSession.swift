/// The state that all encoders and containers of one encoding share.
final class EncodingSession {
    private let settings: SharedSettings<EncodingStrategies>
    /// Whether to follow the rules of PropertyListEncoder rather than JSONEncoder.
    let isPropertyList: Bool
    let hasDefaultKeys: Bool
    /// The values so far.
    var tree = EncodedTree()
    /// Whether values of a type are dictionaries, for the types encoded so far.
    private var dictionaryTypes: [ObjectIdentifier: Bool] = [:]

    init(_ settings: SharedSettings<EncodingStrategies>, format: DocumentFormat) {
        self.settings = settings
        isPropertyList = format.isPropertyList
        if case .useDefaultKeys = settings.value.keys { hasDefaultKeys = true } else { hasDefaultKeys = isPropertyList }
    }

    var strategies: EncodingStrategies { settings.value }

    /// Returns whether values of the type are dictionaries, whose order changes between runs.
    func isDictionary(_ type: Any.Type) -> Bool {
        if let known = dictionaryTypes[ObjectIdentifier(type)] { return known }
        let isDictionary = type is any UnorderedMembers.Type
        dictionaryTypes[ObjectIdentifier(type)] = isDictionary
        return isDictionary
    }

    /// Returns the document whose root is a node.
    func document(of node: Int, as format: DocumentFormat) -> Document {
        if strategies.sortsKeys { tree.sortAllMembers() }
        var builder = DocumentBuilder()
        tree.write(node, to: &builder, isPropertyList: isPropertyList)
        return builder.finish(format: format)
    }

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

    /// Returns an integer.
    func integer(_ value: some FixedWidthInteger) -> EncodedTree.Value {
        Int64(exactly: value).map { .integer($0) } ?? .number(String(value))
    }

    /// Returns a floating-point number. JSON omits the fraction of a whole number; property lists include it, because
    /// it distinguishes a real from an integer.
    func real<T: BinaryFloatingPoint & LosslessStringConvertible>(
        _ value: T, path: @autoclosure () -> [any CodingKey]
    ) throws -> EncodedTree.Value {
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
    func seconds(_ value: Double, path: @autoclosure () -> [any CodingKey]) throws -> EncodedTree.Value {
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
    func wideInteger<T: FixedWidthInteger>(_ value: T, path: @autoclosure () -> [any CodingKey]) throws
        -> EncodedTree.Value
    {
        guard !isPropertyList else {
            throw EncodingError.invalid(value, "Encoder has not implemented support for \(T.self)", at: path())
        }
        return .number(String(value))
    }
}

private protocol UnorderedMembers {}

extension Dictionary: UnorderedMembers {}
