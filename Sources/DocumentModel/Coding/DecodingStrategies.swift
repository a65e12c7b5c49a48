import Foundation

/// The strategies of a ``DocumentDecoder`` for values that documents can represent in more than one way.
///
/// An app can copy the settings of its decoder:
///
///     let strategies = DecodingStrategies(matching: decoder)
///
/// All strategies except ``userInfo`` apply only to JSON. As in PropertyListDecoder, dates, data and keys in property
/// lists have only one form each.
///
/// - Note: JSONDecoder's `assumesTopLevelDictionary` has no equivalent, because it concerns the text. Documents are
///   read from JSON as defined by RFC 8259, or from JSON5.
public struct DecodingStrategies: Sendable {
    /// The representation of dates.
    public var dates: JSONDecoder.DateDecodingStrategy
    /// The representation of data.
    public var data: JSONDecoder.DataDecodingStrategy
    /// The conversion of a document's keys to those that a type uses.
    public var keys: JSONDecoder.KeyDecodingStrategy
    /// The representation of non-finite numbers.
    public var nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy
    /// Whether documents may be JSON5. A ``DocumentDecoder`` decodes a document that is already parsed, so this is for
    /// code that parses text.
    public var allowsJSON5: Bool
    /// The `userInfo` of decoders.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Creates strategies. The defaults are those of a new decoder.
    public init(
        dates: JSONDecoder.DateDecodingStrategy = .deferredToDate, data: JSONDecoder.DataDecodingStrategy = .base64,
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys,
        nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy = .throw, allowsJSON5: Bool = false,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.dates = dates
        self.data = data
        self.keys = keys
        self.nonConformingFloats = nonConformingFloats
        self.allowsJSON5 = allowsJSON5
        self.userInfo = userInfo
    }

    /// Copies the current settings of `decoder`.
    public init(matching decoder: JSONDecoder) {
        self.init(
            dates: decoder.dateDecodingStrategy, data: decoder.dataDecodingStrategy, keys: decoder.keyDecodingStrategy,
            nonConformingFloats: decoder.nonConformingFloatDecodingStrategy, allowsJSON5: decoder.allowsJSON5,
            userInfo: decoder.userInfo)
    }

    /// Copies the current `userInfo` of `decoder`; a property list decoder has no other settings.
    public init(matching decoder: PropertyListDecoder) { self.init(userInfo: decoder.userInfo) }
}

extension DecodingStrategies {
    /// Whether all strategies have their defaults, so that types are decoded as by any new decoder.
    package var areUsual: Bool {
        guard case .deferredToDate = dates, case .base64 = data, case .useDefaultKeys = keys,
            case .throw = nonConformingFloats, !allowsJSON5
        else { return false }
        return userInfo.isEmpty
    }

    /// Whether types use the same key names as documents.
    package var hasDefaultKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }

    /// Returns a type's name for the field that is called `key` at the root of a document.
    public func fieldName(ofKey key: String) -> String {
        switch keys {
        case .convertFromSnakeCase: SnakeCase.toCamelCase(key)
        case .custom(let convert): convert([PathCodingKey(key)]).stringValue
        default: key
        }
    }

    /// Returns the key that a document has at its root for a type's field called `name`. It is the one that an app
    /// writes with its own key strategy, or else the name in snake case, provided that it is read as this field.
    package func key(ofField name: String, writtenBy encoding: EncodingStrategies) -> String {
        if hasDefaultKeys { return name }
        return [encoding.convertedKey(ofField: name), SnakeCase.fromCamelCase(name)].lazy.compactMap(\.self)
            .first { fieldName(ofKey: $0) == name } ?? name
    }
}
