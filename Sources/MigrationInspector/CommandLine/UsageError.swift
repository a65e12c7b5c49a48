import DocumentModel
import MigrationCore

/// What is wrong with a command line, and what would have been right.
struct UsageError: Error, Equatable {
    var message: String

    /// Something of that kind does not exist; the nearest known name is offered.
    static func unknown(_ kind: String, _ name: String, known: [String]) -> UsageError {
        var message = "unknown \(kind) '\(name)'"
        if let nearest = name.nearest(in: known) {
            message += "; did you mean '\(nearest)'?"
        } else if !known.isEmpty {
            message += "; known are \(known.joined(separator: ", "))"
        }
        return UsageError(message: message)
    }
}
