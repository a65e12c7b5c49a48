import DocumentSources
import Foundation
@_exported import MigrationCore
import MigrationWorker

/// The whole program, for the chains of your own app.
///
/// Make an executable target with one type in it; what it opens and shows follows from the chains that it names.
///
///     import MigrationInspector
///     import MyModels
///
///     @main struct Inspect: MigrationInspectorProgram {
///         static let chains: [MigrationChain] = [MigrationChain(Poem.self), MigrationChain(Album.self)]
///     }
///
/// Run it with `--help` to see what it can do.
public protocol MigrationInspectorProgram {
    /// The chains that documents are opened with, and recognized among.
    static var chains: [MigrationChain] { get }

    /// The folder of documents to open when no path is given; the current folder where this is nil, as it is unless you
    /// say otherwise.
    static var demoData: URL? { get }

    /// The document in that folder to look at first, as a path below it; the first that fails where this is nil, as it
    /// is unless you say otherwise.
    static var demoDocument: String? { get }

    /// A guided walk through that folder, for the command `tour` and the key T; none where this is nil, as it is unless
    /// you say otherwise.
    static var tour: Tour? { get }
}

extension MigrationInspectorProgram {
    /// No documents of the program's own.
    public static var demoData: URL? { nil }

    /// No document in particular.
    public static var demoDocument: String? { nil }

    /// No tour.
    public static var tour: Tour? { nil }

    /// Runs the program with the process's arguments, and ends the process with its exit status.
    @MainActor
    public static func main() {
        WorkerMain.runIfWorker { chains }
        Surroundings.prepare()
        // As bytes: an argument may be the name of a file, which need not be UTF-8, and `CommandLine.arguments` would
        // repair it.
        let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { FilePath(cString: $0) }
        }
        let program = Program(
            makeChains: { chains }, demoData: demoData, demoDocument: demoDocument, tour: tour, arguments: arguments)
        let status = program.run()
        // A thread that looks into a store may still be at work.
        TemporaryFiles.removeAll { exit(status.rawValue) }
    }
}
