import MigrationCore

/// A document that was found, before anything is known about it.
public struct FoundDocument: Hashable, Sendable {
    /// The name by which the program finds it again.
    public var name: String
    /// The name a person reads in the list: without what all documents have in common.
    public var displayName: String

    public init(name: String, displayName: String? = nil) {
        self.name = name
        self.displayName = displayName ?? name
    }
}

/// What was not taken for documents, and why.
public struct LeftOut: Hashable, Sendable {
    /// The reason, as it goes on after a number: "hidden", "not documents".
    public var reason: String
    public var count: Int

    public init(_ reason: String, count: Int) {
        self.reason = reason
        self.count = count
    }
}

/// What a check in the background said of one document.
public struct CheckedDocument: Sendable {
    /// The document's place in the order in which documents were found.
    public var index: Int
    public var result: CheckResult

    public init(index: Int, result: CheckResult) {
        self.index = index
        self.result = result
    }
}
