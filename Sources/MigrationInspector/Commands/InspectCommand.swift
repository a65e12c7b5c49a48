import CursesTerminal
import DocumentSources
import Foundation
import MigrationCore

/// `inspect`: the screen.
struct InspectCommand {
    let opener: Opener
    let walker: DocumentWalker

    @MainActor
    func run() -> ExitStatus {
        // With nothing to show there is no reason to take over the terminal.
        let missing = walker.given.filter { !$0.exists }
        for given in missing { Console.complain("\(given.path): \(SourceProblem.noSuchFile)") }
        if missing.count == walker.given.count { return .noInput }
        do {
            let terminal = try CursesTerminal()
            let session = InspectorSession(
                terminal: terminal, opener: opener, title: walker.given.map(\.path.description).joined(separator: " "))
            let signal = session.run(walker)
            terminal.close()
            signal?.raise()
            return .success
        } catch {
            Console.complain("\(error)")
            return .software
        }
    }
}
