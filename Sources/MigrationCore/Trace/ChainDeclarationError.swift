/// A mistake in the declaration of a chain that the compiler cannot catch. Such a chain opens no document.
public struct ChainDeclarationError: Error, Sendable, Hashable, Codable {
    /// The name of the chain.
    public var chain: String
    /// The problem.
    public var problem: Problem

    /// The possible mistakes in a declaration.
    public enum Problem: Sendable, Hashable, Codable {
        /// More than one preference key is declared with this name.
        case keyDeclaredTwice(String)
        /// The values of a preference key contain a type that is neither `Codable` nor bridged.
        case noBridge(key: String, type: String)
    }
}
