import DocumentSources
import Foundation
import InspectorUI

/// Starting the program anew where a new build of it was made, at what was looked at.
enum Restart {
    /// The variable of the environment in which the old program tells the new one what was looked at.
    private static let variable = "MIGRATION_INSPECTOR_VIEW"

    /// The program's own file, as it is named when the program starts.
    static let program = Bundle.main.executableURL?.resolvingSymlinksInPath().path(percentEncoded: false)

    /// What the program is to show first, if the one before it said so. It is taken once.
    static func takeView() -> InspectedView? {
        guard let text = getenv(variable).map({ String(cString: $0) }) else { return nil }
        unsetenv(variable)
        return try? JSONDecoder().decode(InspectedView.self, from: Data(text.utf8))
    }

    /// Becomes the new program. Where that is not possible, says why and ends this one.
    static func start(_ view: InspectedView) -> Never {
        if let data = try? JSONEncoder().encode(view) { setenv(variable, String(decoding: data, as: UTF8.self), 1) }
        // Copies of stores are the old program's.
        TemporaryFiles.removeAll {
            if let program { execv(program, CommandLine.unsafeArgv) }
            Console.complain(CommandWords.notRestarted(because: String(cString: strerror(errno))))
            exit(ExitStatus.software.rawValue)
        }
    }
}
