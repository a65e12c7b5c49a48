import DocumentModel
import DocumentSources
import MigrationCore
import MigrationWorker

/// What is wrong with a command line.
enum UsageError: Error, Equatable {
    /// Something of that kind does not exist; these do.
    case unknown(_ kind: String, _ name: String, known: [String])
    /// The first argument is the name of nothing.
    case neitherCommandNorFile(String)
    /// None of the chains has the version.
    case unknownVersion(DocumentVersion, chains: [ChainDescription])
    /// The option belongs to other commands.
    case foreign(Option, of: Command)
    case needlessValue(Option)
    case missingValue(Option)
    case wrongValue(Option, found: String)
    case repeated(Option)
    case exclusive(Option, Option)

    /// A command that needs at least one path has none.
    case noPath(Command)
    /// A command that takes no path has one.
    case needlessPath(Command, FilePath)
    /// A program without a tour is asked for it.
    case noTour
    /// The tour is on the screen, and there is none.
    case tourWithoutScreen
    /// Completions are wanted for no shell, or for several.
    case notOneShell(count: Int)
    /// A command that takes one name has another.
    case needlessName(Command, FilePath)
    /// A command that takes one document has another number of them.
    case notOne(Command, count: Int)
    /// A command that compares two documents has another number of them.
    case notTwo(Command, count: Int)
    /// Standard input is given as both of two documents.
    case inputTwice
    /// A part is wanted of what can be read only once.
    case shardOfInput(FilePath)
    /// Reports are to be added up, and none is given.
    case noReport
    /// A file of several documents where one was wanted.
    ///
    /// - Parameter first: The name of the first; nil where lines have none, since they can be read only once.
    case several(count: Int, in: FilePath, first: String?)

    /// Changes are asked for where there is not just one document.
    case editsOfSeveral(Option)
    /// The document cannot be changed as asked.
    case notEdited(DocumentEditError, in: FilePath)

    /// Standard input cannot be replaced.
    case inPlaceOfInput
    /// A part of a file cannot be replaced.
    case inPlaceOfPart(FilePath, of: FilePath)
    /// The output is the document that is opened.
    case outputIsDocument
    /// Several documents are to be written, and it is not said where.
    case severalNeedFolder
    /// Several documents are to be written to what is no folder.
    case noFolder(FilePath)
    /// What is written would lie among what is migrated.
    case outputInside(FilePath, of: FilePath)
    /// Of several documents one has no name under which it could be written.
    case nameless(FilePath)
    /// One document would be written where another needs a folder.
    case fileAndFolder(FilePath)
    /// Two documents would be written under one name.
    case sameName(FilePath, FilePath, name: FilePath)
    /// A store is not migrated with other documents.
    case storeAmongSeveral(FilePath)
    /// A store is never replaced.
    case inPlaceOfStore(FilePath)
    /// A store cannot be written to standard output.
    case storeNeedsOutput(FilePath)
    /// A document contains what must not reach a terminal, and its format cannot escape it.
    case unfitForTerminal(FilePath, Command)
}

extension UsageError {
    /// What was given holds several documents where one was wanted.
    static func several(_ count: Int, in given: GivenName, first: DocumentReference) -> UsageError {
        .several(count: count, in: given.path, first: given.isReadOnce ? nil : first.name)
    }
}
