import Foundation

/// The strategies of a ``DocumentEncoder`` for values that documents can represent in more than one way.
///
/// An app can copy the settings of its encoder:
///
///     let strategies = EncodingStrategies(matching: encoder)
///
/// All strategies except ``userInfo`` and ``sortsKeys`` apply only to JSON. As in PropertyListEncoder, dates, data and
/// keys in property lists have only one form each.
public struct EncodingStrategies: Sendable {
    /// The representation of dates.
    public var dates: JSONEncoder.DateEncodingStrategy
    /// The representation of data.
    public var data: JSONEncoder.DataEncodingStrategy
    /// The conversion of a type's keys to those of the document.
    public var keys: JSONEncoder.KeyEncodingStrategy
    /// The representation of non-finite numbers.
    public var nonConformingFloats: JSONEncoder.NonConformingFloatEncodingStrategy
    /// The `userInfo` of encoders.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether members are sorted by name. Otherwise they keep the order in which the types encode them.
    public var sortsKeys: Bool

    /// Creates strategies. The defaults are those of a new encoder.
    public init(
        dates: JSONEncoder.DateEncodingStrategy = .deferredToDate, data: JSONEncoder.DataEncodingStrategy = .base64,
        keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        nonConformingFloats: JSONEncoder.NonConformingFloatEncodingStrategy = .throw,
        userInfo: [CodingUserInfoKey: any Sendable] = [:], sortsKeys: Bool = false
    ) {
        self.dates = dates
        self.data = data
        self.keys = keys
        self.nonConformingFloats = nonConformingFloats
        self.userInfo = userInfo
        self.sortsKeys = sortsKeys
    }

    /// Copies the current settings of `encoder`. Of its `outputFormatting`, only `sortedKeys` affects the document; the
    /// rest affects only its text.
    public init(matching encoder: JSONEncoder) {
        self.init(
            dates: encoder.dateEncodingStrategy, data: encoder.dataEncodingStrategy, keys: encoder.keyEncodingStrategy,
            nonConformingFloats: encoder.nonConformingFloatEncodingStrategy, userInfo: encoder.userInfo,
            sortsKeys: encoder.outputFormatting.contains(.sortedKeys))
    }

    /// Copies the current `userInfo` of `encoder`.
    public init(matching encoder: PropertyListEncoder) { self.init(userInfo: encoder.userInfo) }
}

extension EncodingStrategies {
    /// Returns the key that replaces a type's field called `name` at the root of a document, or nil if fields keep their
    /// names.
    func convertedKey(ofField name: String) -> String? {
        switch keys {
        case .convertToSnakeCase: SnakeCase.fromCamelCase(name)
        case .custom(let convert): convert([PathCodingKey(name)]).stringValue
        default: nil
        }
    }
}
