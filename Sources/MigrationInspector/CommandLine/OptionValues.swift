/// What a shell may complete for the value of an option.
enum OptionValues: Equatable {
    /// One of these words.
    case words([String])
    /// Several of these words, separated by commas.
    case list([String])
    case files
    /// Nothing that is known beforehand.
    case any
}

extension Option {
    /// What its value may be; nil for one that takes none.
    func values(for command: Command, chains: [String]) -> OptionValues? {
        guard value != nil else { return nil }
        return switch self {
        case .chain: .words(chains)
        case .format: .words(command.formats)
        case .only: .list(ResultKind.allCases.map(\.rawValue))
        case .output, .baseline, .among: .files
        default: .any
        }
    }
}

extension Command {
    /// The formats in which it reports.
    var formats: [String] {
        switch self {
        case .check: CheckFormat.allCases.map(\.rawValue)
        case .trace: TraceFormat.allCases.map(\.rawValue)
        case .diff: DiffFormat.allCases.map(\.rawValue)
        case .chains: ReportFormat.allCases.map(\.rawValue)
        case .inspect, .tour, .shrink, .migrate, .completions, .manual: []
        }
    }

    /// What stands behind its options; nil where nothing does.
    func arguments(chains: [String]) -> OptionValues? {
        switch self {
        case .tour, .manual: nil
        case .chains: .words(chains)
        case .completions: .words(Shell.allCases.map(\.rawValue))
        case .inspect, .check, .trace, .diff, .shrink, .migrate: .files
        }
    }
}

/// The shells that completions can be made for.
enum Shell: String, CaseIterable { case bash, zsh, fish }
