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
        "\(edit.words)  (\(opens ? "opens" : "gets past this"))"
    }
    static func edit(_ node: DocumentNode) -> String { "edit the value: \(node.briefText)" }
    static let remove = "remove it"
    static let rename = "give it another name"
    static func addElement(to path: DocumentPath) -> String { "add an element to \(path)" }
    static func addField(to path: DocumentPath) -> String { "add a field to \(path)" }

    // MARK: Reading with a chain

    static let otherVersion = "read it as another version"
    static let noOtherVersion = "read it as another version: not possible, each value shows its own"
    static let readAs = "Read it as"
    static let chain = "read it with a chain, as one of its versions"
    static let otherChain = "read it with another chain"
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
    static let patchOfChanges = "your changes, as a JSON Patch"
    static let trace = "the trace, in JSON"

    // MARK: Timelines

    /// The title of the menu of states in which a value changed.
    static func states(of path: DocumentPath, in count: Int, unread: Int) -> String {
        let unread = unread > 0 ? ", \(NumberWords.grouped(unread)) of them unread" : ""
        // The element at a position may be a different one in later states.
        let isPosition = path.components.contains { if case .index = $0 { true } else { false } }
        let manner = isPosition ? ", by position" : ""
        return "\(path) in \(NumberWords.grouped(count)) states\(unread)\(manner)"
    }
}
