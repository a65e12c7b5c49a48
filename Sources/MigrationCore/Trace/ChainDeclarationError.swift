/// A mistake in the declaration of a chain, which no compiler sees: no document can be opened with it.
public struct ChainDeclarationError: Error, Sendable, Hashable, Codable {
    /// The name of the chain.
    public var chain: String
    /// What is wrong.
    public var problem: Problem

    /// What is wrong with a declaration.
    public enum Problem: Sendable, Hashable, Codable {
        /// More than one key of preferences is declared with that name.
        case keyDeclaredTwice(String)
        /// The values of a key of preferences hold a type that is not `Codable` and has no bridge.
        case noBridge(key: String, type: String)
    }
}
