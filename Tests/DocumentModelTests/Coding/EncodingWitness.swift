import Testing

@testable import DocumentModel

/// Encodes a value, and reports whether anything of that encoding is still alive.
struct EncodingWitness {
    private final class Token: Sendable {}

    /// The value in the encoder's `userInfo`.
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
