import DocumentModel
import DocumentSources
import MigrationCore

/// `trace --blame`: the commit that last changed each value of a file.
struct BlameCommand {
    let opener: Opener
    let path: FilePath
    let format: ReportFormat
    /// Whether each state is shown in the shape of the newest version.
    let isMigrated: Bool

    func run() throws -> ExitStatus {
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(historyOf: path)]).walk { found += $0 }
        if let problem = found.first(where: { $0.revision == nil })?.problem {
            Console.complain("\(path): \(problem.reason)")
            return .noInput
        }
        let states = StatesInTime(found.map { ($0, nil) }, opener: opener, isMigrated: isMigrated)
        if let newest = states.newest, states.states[newest].isDeleted, let commit = states.documents[newest].revision {
            let before = states.states[newest].before.first.map { states.documents[$0].name }
            Console.complain("\(path): \(CommandWords.deleted(in: commit, before: before))")
            return .documentsFailed
        }
        guard let newest = states.newest,
            let blame = ValueBlame(newest: newest, in: states.states, checkpoint: {}, read: states.content)
        else {
            Console.complain("\(path): \(isMigrated ? CommandWords.notMigrated : CommandWords.notThere)")
            return .documentsFailed
        }
        let values = blame.values.map { BlamedValue($0, of: states.documents[$0.state]) }
        switch format {
        case .text:
            let widest = values.map { $0.who.count }.max() ?? 0
            for value in values {
                let padding = String(repeating: " ", count: widest - value.who.count)
                try Console.print(SafeText.line("\(value.who)\(padding)  \(value.what)"))
            }
        case .json:
            try Console.print(
                JSONText.text(of: BlameReport(source: path.description, blame: values), layout: .pretty))
        }
        return .success
    }
}

/// The values of a file, each with the commit that last changed it.
private struct BlameReport: Encodable {
    let source: String
    let blame: [BlamedValue]
}

/// A value, and the commit that last changed it.
private struct BlamedValue {
    private let blamed: ValueBlame.Value
    private let selector: DocumentSelector
    private let revision: DocumentRevision?

    init(_ blamed: ValueBlame.Value, of document: DocumentReference) {
        self.blamed = blamed
        selector = DocumentSelector(of: blamed.value)
        revision = document.revision
    }

    /// Whether an earlier state may have had the value.
    private var mayBeEarlier: Bool { blamed.mayBeEarlier(revision) }

    /// The day, the commit and the author.
    var who: String {
        guard let revision else { return "not committed" }
        return "\(revision.day) \(revision.shortCommit) \(revision.author)\(mayBeEarlier ? " or before" : "")"
    }

    /// The value and its path.
    var what: String { "\(selector)  \(blamed.value.briefText)" }
}

extension BlamedValue: Encodable {
    private enum CodingKeys: CodingKey {
        case path, selector, value, commit, date, author, subject, mayBeEarlier
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(blamed.path, forKey: .path)
        try container.encode(selector.description, forKey: .selector)
        try container.encode(Document(copying: blamed.value), forKey: .value)
        try container.encode(revision?.commit, forKey: .commit)
        try container.encode(revision?.committed, forKey: .date)
        try container.encode(revision?.author, forKey: .author)
        try container.encode(revision?.subject, forKey: .subject)
        try container.encode(mayBeEarlier, forKey: .mayBeEarlier)
    }
}
