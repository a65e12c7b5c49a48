import DocumentSources
import Foundation
import InspectorUI

/// Restarts the program with the same view after a new build.
enum Restart {
    /// The environment variable in which the old program passes its view to the new one.
    private static let variable = "MIGRATION_INSPECTOR_VIEW"

    /// The path of the program's file when the program starts.
    static let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path(percentEncoded: false)

    /// Returns the view that the previous program passed, if any. The view can be taken only once.
    static func takeView() -> InspectedView? {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        unsetenv(variable)
        return try? JSONDecoder().decode(InspectedView.self, from: Data(text.utf8))
    }

    /// Replaces this program with the new one. If that isn't possible, says why and ends this one.
    static func start(_ view: InspectedView) -> Never {
        if let data = try? JSONEncoder().encode(view) { setenv(variable, String(decoding: data, as: UTF8.self), 1) }
        // Copies of stores belong to the old program.
        TemporaryFiles.removeAll {
            if let program { execv(program, CommandLine.unsafeArgv) }
            Console.complain(CommandWords.notRestarted(because: String(cString: strerror(errno))))
            exit(ExitStatus.software.rawValue)
        }
    }
}
