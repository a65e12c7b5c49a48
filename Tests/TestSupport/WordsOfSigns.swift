/// Two values with keys of the type `FloatingPointSign`. That type isn't a `CodingKey`, but this module makes it one
/// with words as keys. The module SecondModule makes it one with characters as keys.
public struct WordsOfSigns: Codable, Equatable {
    public var plus: Int
    public var minus: Int

    public init(plus: Int, minus: Int) { (self.plus, self.minus) = (plus, minus) }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FloatingPointSign.self)
        plus = try container.decode(Int.self, forKey: .plus)
        minus = try container.decode(Int.self, forKey: .minus)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: FloatingPointSign.self)
        try container.encode(plus, forKey: .plus)
        try container.encode(minus, forKey: .minus)
    }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension FloatingPointSign: @retroactive CodingKey {
    public var stringValue: String { self == .plus ? "plus" : "minus" }
    public var intValue: Int? { nil }

    public init?(stringValue: String) {
        guard stringValue == "plus" || stringValue == "minus" else { return nil }
        self = stringValue == "plus" ? .plus : .minus
    }

    public init?(intValue: Int) { nil }
}
