/// What is made of a run through a chain.
package enum RunDetail: Sendable {
    /// What came of the document.
    case outcome
    /// That, and the document that came of it.
    case result
    /// That, and what the app writes the next time it saves: of a document that is current too.
    case writing
    /// Every step, with the documents between.
    case trace

    /// Whether every step and every part is kept.
    var keepsSteps: Bool { self == .trace }

    /// Whether a value is encoded.
    ///
    /// - Parameter isResult: Whether it is what came of the whole document in the end.
    func encodes(isResult: Bool) -> Bool { self == .trace || self != .outcome && isResult }
}
