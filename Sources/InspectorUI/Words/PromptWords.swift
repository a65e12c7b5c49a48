import DocumentModel
import MigrationCore

/// The labels, key hints and problems of prompts, and the titles of pages.
enum PromptWords {
    typealias Hints = (take: String, leave: String)

    static let entry: Hints = ("take", "leave")
    static let filter: Hints = ("keep", "undo")
    static let searching: Hints = ("search", "leave")
    static let path: Hints = ("open", "leave")
    static let complete = "complete"

    static let nameContains = "Name contains"
    static let search = "Search"
    static let open = "Open"
    static let writeTo = "Write to"
    static func newName(of path: DocumentPath) -> String { "New name of \(path)" }
    static func newElement(of path: DocumentPath) -> String { "New element of \(path)" }
    static func newField(of path: DocumentPath) -> String { "New field of \(path), as name: value" }

    static let noPath = "the name of a file or folder is wanted:"
    static let noCompletion = "no name begins so:"
    static let noName = "a name is wanted"
    static let noField = "a name, a colon and a value are wanted"
    static func noValue(_ error: any Error) -> String {
        "\(MigrationFailure(parsing: error).message) (put texts in quotes)"
    }
    static func exists(isDocument: Bool) -> String {
        isDocument
            ? "that is the document itself; Enter replaces it (.bak):"
            : "that file exists; Enter replaces it, keeps .bak:"
    }

    static let sent = "Sent to the terminal"
    static let onlyTheBeginning = "That is the beginning; y copies more, and w writes all of it."
}
