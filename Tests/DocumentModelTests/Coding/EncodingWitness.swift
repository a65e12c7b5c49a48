import Testing

@testable import DocumentModel

/// Encodes a value, and says whether anything of that encoding is still kept.
struct EncodingWitness {
    private final class Token: Sendable {}

    /// What stands in the encoder's `userInfo`.
    private weak var token: Token?

    init(encoding value: some Encodable) throws {
        let token = Token()
        self.token = token
        var strategies = EncodingStrategies()
        strategies.userInfo[try #require(CodingUserInfoKey(rawValue: "witness"))] = token
        _ = try DocumentEncoder(strategies: strategies).encode(value)
    }

    var isKept: Bool { token != nil }
}
