import Foundation

/// How a ``DocumentDecoder`` reads what documents can spell in more than one way.
///
/// An app copies its own decoder's settings:
///
///     let strategies = DecodingStrategies(matching: decoder)
///
/// All but ``userInfo`` count for JSON only; in property lists dates, data and keys have one form each, as for
/// PropertyListDecoder.
///
/// - Note: JSONDecoder's `assumesTopLevelDictionary` has no counterpart: it is about the text, and documents are read
///   from JSON as RFC 8259 defines it, or as JSON5.
public struct DecodingStrategies: Sendable {
    /// How dates are written.
    public var dates: JSONDecoder.DateDecodingStrategy
    /// How bytes are written.
    public var data: JSONDecoder.DataDecodingStrategy
    /// How keys are changed before they are compared with those that a type asks for.
    public var keys: JSONDecoder.KeyDecodingStrategy
    /// How numbers are written that are not finite.
    public var nonConformingFloats: JSONDecoder.NonConformingFloatDecodingStrategy
    /// Whether documents may be JSON5. A ``DocumentDecoder`` decodes what was read; those who read a text ask for it.
    public var allowsJSON5: Bool
    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// The strategies of a decoder on which nothing was set, unless given.
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

    /// The strategies that are set on `decoder` now.
    public init(matching decoder: JSONDecoder) {
        self.init(
            dates: decoder.dateDecodingStrategy, data: decoder.dataDecodingStrategy, keys: decoder.keyDecodingStrategy,
            nonConformingFloats: decoder.nonConformingFloatDecodingStrategy, allowsJSON5: decoder.allowsJSON5,
            userInfo: decoder.userInfo)
    }

    /// The `userInfo` that is set on `decoder` now; a property list decoder has no other settings.
    public init(matching decoder: PropertyListDecoder) { self.init(userInfo: decoder.userInfo) }
}

extension DecodingStrategies {
    /// Whether nothing is set, so that a type is decoded as by any other decoder on which nothing was.
    package var areUsual: Bool {
        guard case .deferredToDate = dates, case .base64 = data, case .useDefaultKeys = keys,
            case .throw = nonConformingFloats, !allowsJSON5
        else { return false }
        return userInfo.isEmpty
    }

    /// Whether types ask for keys by the names that a document has.
    package var hasDefaultKeys: Bool { if case .useDefaultKeys = keys { true } else { false } }

    /// What a type calls the field that a document calls `key`, at the root of the document.
    public func fieldName(ofKey key: String) -> String {
        switch keys {
        case .convertFromSnakeCase: SnakeCase.toCamelCase(key)
        case .custom(let convert): convert([PathCodingKey(key)]).stringValue
        default: key
        }
    }
}
