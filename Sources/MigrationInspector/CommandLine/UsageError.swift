import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// An error in the command line.
enum UsageError: Error, Equatable {
    /// Nothing of this kind has the given name. The known names are attached.
    case unknown(_ kind: String, _ name: String, known: [String])
    /// The first argument is neither a command nor an existing file.
    case neitherCommandNorFile(String)
    /// None of the chains has this version.
    case unknownVersion(DocumentVersion, chains: [ChainDescription])
    /// The option exists only for other commands.
    case foreign(Option, of: Command)
    case needlessValue(Option)
    case missingValue(Option)
    case wrongValue(Option, found: String)
    case repeated(Option)
    case exclusive(Option, Option)
    /// The first option means something only together with the second.
    case needs(Option, Option)
    /// A value is followed through the history of one file, but several were given.
    case followsOneFile(count: Int)
    /// Several elements of a document have the value that was to choose one of them.
    case severalSelected(DocumentSelector, count: Int, in: String)

    /// A command that needs at least one path got none.
    case noPath(Command)
    /// A command that takes no path got one.
    case needlessPath(Command, FilePath)
    /// The tour was requested, but the program has none.
    case noTour
    /// The tour needs the screen, but standard output isn't a terminal.
    case tourWithoutScreen
    /// Completions were requested for no shell, or for several.
    case notOneShell(count: Int)
    /// A command that takes at most one name got another.
    case needlessName(Command, FilePath)
    /// A command that takes one document got a different number.
    case notOne(Command, count: Int)
    /// A command that compares two documents got a different number.
    case notTwo(Command, count: Int)
    /// Standard input was given for both of two documents.
    case inputTwice
    /// A part was requested of an input that can be read only once.
    case shardOfInput(FilePath)
    /// There is no report to combine.
    case noReport
    /// A file contains several documents, but one was expected.
    ///
    /// - Parameter first: The name of the first document; nil if the lines have no names because they can be read only
    ///   once.
    case several(count: Int, in: FilePath, first: String?)

    /// An edit was requested, but not for exactly one document.
    case editsOfSeveral(Option)
    /// The document cannot be edited as requested.
    case notEdited(DocumentEditError, in: FilePath)

    /// Standard input cannot be replaced.
    case inPlaceOfInput
    /// A part of a file cannot be replaced.
    case inPlaceOfPart(FilePath, of: FilePath)
    /// The output is the document being opened.
    case outputIsDocument
    /// Several documents need an output folder or `--in-place`, and neither was given.
    case severalNeedFolder
    /// The output for several documents exists but isn't a folder.
    case noFolder(FilePath)
    /// The output folder is inside a folder to migrate.
    case outputInside(FilePath, of: FilePath)
    /// One of several documents has no name under which it could be written.
    case nameless(FilePath)
    /// One document would be written to a path where others need a folder.
    case fileAndFolder(FilePath)
    /// Two documents would be written to the same name.
    case sameName(FilePath, FilePath, name: FilePath)
    /// A store cannot be migrated together with other documents.
    case storeAmongSeveral(FilePath)
    /// A store is never replaced.
    case inPlaceOfStore(FilePath)
    /// A store cannot be written to standard output.
    case storeNeedsOutput(FilePath)
    /// A document contains characters that must not reach a terminal, and its format cannot escape them.
    case unfitForTerminal(FilePath, Command)
}

extension UsageError {
    /// Returns the error for an input with several documents where one was expected.
    static func several(_ count: Int, in given: GivenName, first: DocumentReference) -> UsageError {
        .several(count: count, in: given.path, first: given.isReadOnce ? nil : first.name)
    }
}
