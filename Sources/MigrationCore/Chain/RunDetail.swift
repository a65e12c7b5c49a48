/// The amount of detail that a run through a chain produces.
package enum RunDetail: Sendable {
    /// The outcome for the document.
    case outcome
    /// The outcome, and the migrated document.
    case result
    /// The outcome, and the document that the app writes the next time it saves, even if the document is current.
    case writing
    /// Every step, with the documents between them.
    case trace

    /// Whether every step and every part is kept.
    var keepsSteps: Bool { self == .trace }

    /// Returns whether a value is encoded.
    ///
    /// - Parameter isResult: Whether the value is the final result for the whole document.
    func encodes(isResult: Bool) -> Bool { self == .trace || self != .outcome && isResult }
}
