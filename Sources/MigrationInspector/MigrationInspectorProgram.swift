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

    /// The type of ``demoData``, which follows from its value.
    associatedtype Demo: DemoDocuments = DemoData

    /// The documents to open if no path is given: ``DemoData``, the URL of a folder, or its path as a String. By
    /// default, there are none, and the current folder is opened.
    static var demoData: Demo { get }

    /// The path, relative to that folder, of the document to show first. If this is nil, which is the default, the
    /// first document that fails is shown.
    static var demoDocument: String? { get }

    /// The type of ``tour``, which follows from its value.
    associatedtype GivenTour: TourOfDocuments = Tour?

    /// A guided tour of those documents, for the command `tour` and the key T. If this is nil, which is the default,
    /// there is no tour.
    static var tour: GivenTour { get }
}

extension MigrationInspectorProgram where Demo == DemoData {
    /// The default: the program comes without documents.
    public static var demoData: DemoData { .none }
}

extension MigrationInspectorProgram where GivenTour == Tour? {
    /// The default: there is no tour.
    public static var tour: Tour? { nil }
}

extension MigrationInspectorProgram {
    /// The default: the first document that fails is shown.
    public static var demoDocument: String? { nil }

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
            makeChains: { chains }, demoData: demoData.demoData, demoDocument: demoDocument, tour: tour.tour,
            arguments: arguments)
        let status = program.run()
        // A thread that reads a store may still be running.
        TemporaryFiles.removeAll { exit(status.rawValue) }
    }
}
