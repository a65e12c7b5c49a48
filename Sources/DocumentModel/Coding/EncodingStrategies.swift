import Foundation

/// How a ``DocumentEncoder`` writes what documents can spell in more than one way.
///
/// An app copies its own encoder's settings:
///
///     let strategies = EncodingStrategies(matching: encoder)
///
/// All but ``userInfo`` and ``sortsKeys`` count for JSON only; in property lists dates, data and keys have one form
/// each, as for PropertyListEncoder.
public struct EncodingStrategies: Sendable {
    /// How dates are written.
    public var dates: JSONEncoder.DateEncodingStrategy
    /// How bytes are written.
    public var data: JSONEncoder.DataEncodingStrategy
    /// How the keys of types are changed into those of the document.
    public var keys: JSONEncoder.KeyEncodingStrategy
    /// How numbers are written that are not finite.
    public var nonConformingFloats: JSONEncoder.NonConformingFloatEncodingStrategy
    /// What types find in their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]
    /// Whether members are sorted by name. Otherwise they keep the order in which the types encode them.
    public var sortsKeys: Bool

    /// The strategies of an encoder on which nothing was set, unless given.
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

    /// The strategies that are set on `encoder` now. Of its `outputFormatting` only `sortedKeys` is about the document;
    /// the rest is about the text that is made of it.
    public init(matching encoder: JSONEncoder) {
        self.init(
            dates: encoder.dateEncodingStrategy, data: encoder.dataEncodingStrategy, keys: encoder.keyEncodingStrategy,
            nonConformingFloats: encoder.nonConformingFloatEncodingStrategy, userInfo: encoder.userInfo,
            sortsKeys: encoder.outputFormatting.contains(.sortedKeys))
    }

    /// The `userInfo` that is set on `encoder` now.
    public init(matching encoder: PropertyListEncoder) { self.init(userInfo: encoder.userInfo) }
}
