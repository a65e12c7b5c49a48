import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `inspect`: the screen.
struct InspectCommand {
    let opener: Opener
    let walker: DocumentWalker
    /// The document to look at first; nil for the first that fails.
    let first: String?
    /// The value by which documents of one place are ordered in time.
    let order: DocumentPath?
    /// A walk through the documents.
    let tour: Tour?
    /// Whether to begin with it.
    var startsTour = false
    /// The folder from which the names in the list go on; nil for what was opened.
    var shownFolder: FilePath?

    @MainActor
    func run() -> ExitStatus {
        let view = Restart.takeView()
        var (walker, shownFolder) = (walker, shownFolder)
        if let opened = view?.opened {
            (walker, shownFolder) = (walker.looking(through: [GivenName(FilePath(opened))]), nil)
        }
        // With nothing to show there is no reason to take over the terminal.
        let missing = walker.given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        if missing.count == walker.given.count { return .noInput }
        // While the terminal is opened and documents are found, it gets ready.
        opener.host.keepOneReady()
        do {
            let terminal = try CursesTerminal()
            var session = InspectorSession(
                terminal: terminal, opener: opener, title: walker.title, first: first, order: order, tour: tour,
                startsTour: startsTour, view: view)
            var signal = session.run(walker, below: shownFolder)
            while signal == nil, let next = session.next {
                var opener = opener
                opener.edits = []
                session = InspectorSession(
                    terminal: terminal, opener: opener, title: next.walker.title, first: nil, order: order, tour: tour,
                    startsTour: false, view: nil, carried: next.carried)
                signal = session.run(next.walker, below: nil)
            }
            terminal.close()
            if let signal { Interruption.end(by: signal.number) }
            if let view = session.viewForNewBuild {
                opener.host.close()
                Restart.start(view)
            }
            return .success
        } catch {
            Console.complain("\(error)")
            return .software
        }
    }
}

extension DocumentWalker {
    /// What is opened, as the user named it.
    fileprivate var title: String { given.map(\.path.description).joined(separator: " ") }
}
