/// The parts of the screen that can have the keyboard.
enum Panel: Hashable, Sendable, CaseIterable {
    case documents, step, source
}

/// What the keys of a panel mean: the step panel shows rows of two kinds.
struct Places: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let documents = Places(rawValue: 1)
    /// The step panel with a difference, a failed document or the overview.
    static let rows = Places(rawValue: 2)
    /// A tree of values.
    static let value = Places(rawValue: 4)
    static let source = Places(rawValue: 8)
    static let help = Places(rawValue: 16)

    static let panels: Places = [.documents, .rows, .value, .source]
}
