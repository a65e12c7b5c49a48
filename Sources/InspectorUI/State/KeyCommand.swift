/// What a key does. The commands are static members, defined next to the code that they run.
struct KeyCommand: Hashable, Sendable, CustomStringConvertible {
    /// What a command would do at the moment.
    enum Effect {
        case change((inout Inspector) -> Void)
        /// The command would change nothing. The notice says why, if the user may wonder.
        case nothing(Notice? = nil)

        /// Returns a change that is possible on a condition.
        static func when(
            _ isPossible: Bool, else notice: Notice? = nil, _ change: @escaping (inout Inspector) -> Void
        ) -> Effect {
            isPossible ? .change(change) : .nothing(notice)
        }
    }

    /// The name of the command's static member, which identifies it.
    let description: String
    let effect: @Sendable (Inspector) -> Effect

    init(_ name: String, _ effect: @escaping @Sendable (Inspector) -> Effect) {
        description = name
        self.effect = effect
    }

    /// Creates a command that is always possible.
    init(_ name: String, always change: @escaping @Sendable (inout Inspector) -> Void) {
        self.init(name) { _ in .change(change) }
    }

    static func == (left: KeyCommand, right: KeyCommand) -> Bool { left.description == right.description }
    func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// The contexts that determine the meaning of keys in the panels. The step panel has two, because it shows two kinds
/// of rows.
struct KeyContexts: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let documents = KeyContexts(rawValue: 1)
    /// The step panel with a difference, a failed document or the overview.
    static let rows = KeyContexts(rawValue: 2)
    /// A tree of values.
    static let value = KeyContexts(rawValue: 4)
    static let source = KeyContexts(rawValue: 8)
    static let panels = KeyContexts(rawValue: .max)
}

/// Keys that belong together and share a line of the help and a word at the bottom of the screen.
struct KeyGroup: Sendable {
    struct Binding: Sendable {
        let command: KeyCommand
        let keys: [InspectorKey]

        init(_ command: KeyCommand, _ keys: InspectorKey...) {
            self.command = command
            self.keys = keys
        }
    }

    /// The panels that the keys work in. The keys of an overlay work in no panel.
    let contexts: KeyContexts
    let bindings: [Binding]
    /// The word at the bottom of the screen; nil if the keys need none.
    let hint: String?
    /// The explanation of the keys in the help.
    let help: String
    /// Whether the bottom line shows the keys before all others, because they lead out or to the help.
    let isAlwaysShown: Bool

    /// Creates a group of keys of panels.
    init(
        _ contexts: KeyContexts, hint: String? = nil, _ help: String, isAlwaysShown: Bool = false,
        _ bindings: Binding...
    ) {
        (self.contexts, self.bindings) = (contexts, bindings)
        (self.hint, self.help, self.isAlwaysShown) = (hint, help, isAlwaysShown)
    }

    /// Creates a group of keys of an overlay.
    init(hint: String? = nil, isAlwaysShown: Bool = false, _ bindings: Binding...) {
        (contexts, self.bindings) = ([], bindings)
        (self.hint, help, self.isAlwaysShown) = (hint, "", isAlwaysShown)
    }
}
