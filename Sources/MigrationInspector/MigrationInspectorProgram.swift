import DocumentSources
import Foundation
@_exported import MigrationCore
import MigrationWorker

/// The whole program, for the chains of your own app.
///
/// Make an executable target with one type in it. The chains that the type declares determine what the program can open
/// and show.
///
///     import MigrationInspector
///     import MyModels
///
///     @main struct Inspect: MigrationInspectorProgram {
///         static let chains: [MigrationChain] = [MigrationChain(Poem.self), MigrationChain(Album.self)]
///     }
///
/// Run the program with `--help` to see what it can do.
public protocol MigrationInspectorProgram {
    /// The chains that documents can belong to.
    static var chains: [MigrationChain] { get }

    /// The folder of documents to open if no path is given. If this is nil, which is the default, the current folder is
    /// opened.
    static var demoData: URL? { get }

    /// The path, relative to that folder, of the document to show first. If this is nil, which is the default, the
    /// first document that fails is shown.
    static var demoDocument: String? { get }

    /// A guided tour of that folder, for the command `tour` and the key T. If this is nil, which is the default, there
    /// is no tour.
    static var tour: Tour? { get }
}

extension MigrationInspectorProgram {
    /// The default: the program comes without documents.
    public static var demoData: URL? { nil }

    /// The default: the first document that fails is shown.
    public static var demoDocument: String? { nil }

    /// The default: there is no tour.
    public static var tour: Tour? { nil }

    /// Runs the program with the process's arguments, and ends the process with the program's exit status.
    @MainActor
    public static func main() {
        WorkerMain.runIfWorker { chains }
        Surroundings.prepare()
        // Use the bytes of the arguments: the name of a file doesn't have to be UTF-8, and `CommandLine.arguments`
        // would repair it.
        let arguments = (0..<Int(CommandLine.argc)).compactMap { index in
            CommandLine.unsafeArgv[index].map { FilePath(cString: $0) }
        }
        let program = Program(
            makeChains: { chains }, demoData: demoData, demoDocument: demoDocument, tour: tour, arguments: arguments)
        let status = program.run()
        // A thread that reads a store may still be running.
        TemporaryFiles.removeAll { exit(status.rawValue) }
    }
}
