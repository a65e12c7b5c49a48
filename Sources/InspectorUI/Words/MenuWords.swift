import DisplayText
import DocumentModel
import MigrationCore

/// The titles and items of menus.
enum MenuWords {
    static let causes = "Why documents fail"

    // MARK: What if

    static func whatIf(_ path: DocumentPath) -> String { "What if \(path)" }
    static func repair(_ edit: DocumentEdit) -> String { "\(edit.words)  (repair)" }
    static func passing(_ edit: DocumentEdit, opens: Bool) -> String {
        "\(edit.words)  (\(opens ? "opens" : "gets past this; the rest is not known"))"
    }
    static func edit(_ node: DocumentNode) -> String { "edit the value: \(node.briefText)" }
    static let remove = "remove it"
    static let rename = "give it another name"
    static func addElement(to path: DocumentPath) -> String { "add an element to \(path)" }
    static func addField(to path: DocumentPath) -> String { "add a field to \(path)" }

    // MARK: Reading with a chain

    static let otherVersion = "read the document as another version"
    static let noOtherVersion = "read the document as another version: not possible, each value shows its own"
    static let readAs = "Read it as"
    static let chain = "read the document with a chain, as one of its versions"
    static let otherChain = "read the document with another chain"
    static func readWith(_ chain: String? = nil) -> String { "Read it with\(chain.map { " \($0) as" } ?? "")" }
    static let detectedVersion = "the version that the chain finds"
    static func version(_ version: ChainVersion) -> String { "version \(version.version)  \(version.type)" }

    // MARK: Copying and writing

    static let copy = "Copy"
    static let location = "place"
    static let path = "path"
    static let value = "value"
    static let patchOfStep = "patch of the step"
    static let story = "the story of the migration, in Markdown"
    static let commandLine = "command line"
    static let write = "Write"
    static let mendedDocument = "the mended document, as it is now"
    static func migratedDocument(_ version: DocumentVersion?, losesComments: Bool) -> String {
        "the document in version \(version.map { "\($0)" } ?? "")"
            + (losesComments ? ", as JSON without its comments" : "")
    }
    static func patch(of step: MigrationStep) -> String {
        "the changes of step \(step.from) to \(step.to), as a JSON Patch"
    }
    static let redactedDocument = "a redacted copy: each value replaced by one of the same form"
    static let redacted = "Redacted copy"
    static let writeCopy = "write the copy"
    static let patchOfChanges = "your changes, as a JSON Patch"
    static let trace = "the trace, in JSON"
    static let picture = "a picture of this screen, as SVG"

    // MARK: Timelines

    /// The title of the menu of states in which something happened to a value.
    static func states(of path: DocumentPath, in count: Int, unread: Int, isMigrated: Bool) -> String {
        let unread = unread > 0 ? ", \(NumberWords.grouped(unread)) of them unread" : ""
        return "\(path) in \(NumberWords.grouped(count)) states\(unread)\(isMigrated ? ", as migrated" : "")"
    }

    /// The title of the menu of values, each with the state that last changed it.
    static func blame(_ state: String, isMigrated: Bool) -> String {
        "Who last changed the values of \(state)\(isMigrated ? ", as migrated" : "")"
    }

    static func blamed(_ who: String, _ value: String, mayBeEarlier: Bool) -> String {
        "\(who)\(mayBeEarlier ? " or before" : "")  \(value)"
    }

    /// What happened to a value, given a function that shortens values.
    static func change(
        _ change: ValueHistory.Change, _ revision: DocumentRevision?, _ brief: (Document?) -> String, arrow: String
    ) -> String {
        let values =
            switch change.event {
            case .first(let new): brief(new)
            case .added, .removed, .changed: "\(brief(change.event.old)) \(arrow) \(brief(change.event.new))"
            case .migrated(let old, let new): "\(brief(old)) \(arrow) \(brief(new)), migrated"
            case .moved(let value, let from): "\(brief(value)), was \(from)"
            case .unfollowed(let reason, let value):
                (value.map { "\(brief($0)); " } ?? "") + "not followed further: \(reason.sentence)"
            }
        return values + (change.groundWords(in: revision).map { "  \($0)" } ?? "")
    }
}
