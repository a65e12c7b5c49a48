import CursesTerminal
import DocumentSources
import Foundation
import MigrationCore

/// `inspect`: the screen.
struct InspectCommand {
    let opener: DocumentOpener
    let paths: [String]
    /// The columns of stores that hold documents; where none is named, they are found by looking.
    let columns: [String]
    /// The program's name, for messages.
    let name: String

    @MainActor
    func run() -> ExitStatus {
        // With nothing to show there is no reason to take over the terminal.
        let missing = paths.filter { !DocumentReference(resolving: $0).exists }
        for path in missing { Console.error(SafeText.line("\(name): \(path): no such file or folder")) }
        if missing.count == paths.count { return .noInput }
        do {
            let terminal = try CursesTerminal()
            let session = InspectorSession(
                terminal: terminal, opener: opener, title: paths.joined(separator: " "))
            let signal = session.run(DocumentWalker(paths: paths, columns: columns))
            terminal.close()
            signal?.raise()
            return .success
        } catch {
            Console.error("\(name): \(error)")
            return .software
        }
    }
}
