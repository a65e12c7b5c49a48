/// The values that a shell can complete for an option.
enum OptionValues: Equatable {
    /// One of these words.
    case words([String])
    /// Several of these words, separated by commas.
    case list([String])
    case files
    /// Values that aren't known in advance.
    case any
}

extension Option {
    /// Returns the possible values of the option; nil if it takes none.
    func values(for command: Command, chains: [String]) -> OptionValues? {
        guard value != nil else { return nil }
        return switch self {
        case .chain: .words(chains)
        case .format: .words(command.formats)
        case .only: .list(ResultKind.allCases.map(\.rawValue))
        case .output, .baseline, .among, .picture: .files
        default: .any
        }
    }
}

extension Command {
    /// The report formats of the command.
    var formats: [String] {
        switch self {
        case .check: CheckFormat.allCases.map(\.rawValue)
        case .trace: TraceFormat.allCases.map(\.rawValue)
        case .diff: DiffFormat.allCases.map(\.rawValue)
        case .chains: ReportFormat.allCases.map(\.rawValue)
        case .inspect, .tour, .shrink, .migrate, .scaffold, .completions, .manual: []
        }
    }

    /// Returns the possible arguments after the options; nil if there are none.
    func arguments(chains: [String]) -> OptionValues? {
        switch self {
        case .tour, .manual: nil
        case .chains: .words(chains)
        case .completions: .words(Shell.allCases.map(\.rawValue))
        case .inspect, .check, .trace, .diff, .shrink, .migrate, .scaffold: .files
        }
    }
}

/// The shells with completions.
enum Shell: String, CaseIterable { case bash, zsh, fish }
