/// What is made of a run through a chain.
package enum RunDetail: Sendable {
    /// What came of the document.
    case outcome
    /// That, and the document that came of it.
    case result
    /// Every step, with the documents between.
    case trace

    /// Whether what the last step made is encoded.
    var makesResult: Bool { self != .outcome }

    /// Whether every step and every part is kept.
    var keepsSteps: Bool { self == .trace }
}
