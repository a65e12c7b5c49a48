import DocumentModel
import DocumentSources
import Foundation

extension Console {
    /// Writes a document to standard output: its bytes, or, if that's a terminal, what ``TerminalDocument`` makes of
    /// them.
    ///
    /// - Parameters:
    ///   - path: The name of the document.
    ///   - command: The command that writes it.
    /// - Throws: ``UsageError`` if standard output is a terminal and the format cannot escape some of the document's
    ///   characters; ``ConsoleError``.
    static func write(
        document data: Data, in format: DocumentFormat, of path: FilePath, for command: Command
    ) throws {
        guard isTerminal else { return try write(data) }
        try write(spelled(data, in: format, of: path, for: command))
    }

    /// Returns a document in a form that is safe to show on a terminal.
    ///
    /// - Throws: ``UsageError`` if the format cannot escape some of the document's characters.
    static func spelled(
        _ data: Data, in format: DocumentFormat, of path: FilePath, for command: Command
    ) throws(UsageError) -> Data {
        guard let spelled = TerminalDocument.spelling(of: data, in: format) else {
            throw UsageError.unfitForTerminal(path, command)
        }
        return spelled
    }
}
