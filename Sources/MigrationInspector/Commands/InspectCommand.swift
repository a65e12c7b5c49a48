import CursesTerminal
import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `inspect`: shows documents on the screen.
struct InspectCommand {
    let opener: Opener
    let walker: DocumentWalker
    /// The document to show first; nil for the first one that fails.
    let first: String?
    /// The value that orders the documents of one folder, file or column in time.
    let order: OrderKey?
    /// A guided tour of the documents.
    let tour: Tour?
    /// Whether to start with the tour.
    var startsTour = false
    /// The folder to which names in the list are relative; nil for what was opened.
    var shownFolder: FilePath?
    /// A picture to write instead of opening the screen.
    var picture: PictureRequest?

    @MainActor
    func run() throws -> ExitStatus {
        let view = Restart.takeView()
        var (walker, shownFolder) = (walker, shownFolder)
        if let opened = view?.opened {
            (walker, shownFolder) = (walker.looking(through: [GivenName(FilePath(opened))]), nil)
        }
        // Don't take over the terminal if there is nothing to show.
        let missing = walker.given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        if missing.count == walker.given.count { return .noInput }
        // The worker gets ready while the terminal is opened and documents are found.
        opener.host.keepOneReady()
        if let picture { return try write(picture) }
        do {
            let terminal = try CursesTerminal()
            var session = InspectorSession(
                terminal: terminal, opener: opener, title: walker.title, first: first,
                opensTimeline: walker.given.count == 1 && walker.given[0].isHistoryOfOne, order: order, tour: tour,
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

    /// Writes a picture of the first screen. An existing file is kept as a backup.
    @MainActor
    private func write(_ picture: PictureRequest) throws -> ExitStatus {
        let terminal: PictureTerminal
        do throws(TerminalError) {
            terminal = try PictureTerminal(width: picture.width, height: picture.height)
        } catch {
            Console.complain("\(error)")
            return .software
        }
        let session = InspectorSession(
            terminal: terminal, opener: opener, title: walker.title, first: first,
            opensTimeline: walker.given.count == 1 && walker.given[0].isHistoryOfOne, order: order, tour: nil,
            startsTour: false, view: nil)
        _ = session.run(walker, below: shownFolder, endsSettled: true)
        let title = CommandWords.picture(of: walker.title)
        let text = ScreenPicture(canvas: terminal.canvas, title: title).text
        if picture.file == "-" {
            try Console.print(text)
            return .success
        }
        do throws(SourceError) {
            let replaced = try AtomicFileWriter(keepsBackup: true).write(Data("\(text)\n".utf8), to: picture.file)
            replaced?.report(of: picture.file, "file")
            return .success
        } catch {
            Console.complain(Console.words(for: error))
            return ExitStatus(notWritten: error)
        }
    }
}

extension DocumentWalker {
    /// The opened paths, as the user named them.
    fileprivate var title: String { given.map(\.path.description).joined(separator: " ") }
}
