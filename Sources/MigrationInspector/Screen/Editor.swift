import DocumentModel
import DocumentSources
import Foundation

/// The user's editor, as named by `$VISUAL` or `$EDITOR`, or else vi.
struct Editor {
    /// The program and the arguments before those that name the file.
    let words: [String]

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        let named = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        words = named.split(separator: " ").map(String.init)
    }

    /// How to pass a location to an editor.
    private enum Spelling {
        case line
        case lineColumn(separator: String)
        case cursor, inName
        case inNameBehind(option: String)
    }

    /// The editors whose syntax is known. Others are given only the file.
    private static let spellings: [(names: Set<String>, spelling: Spelling)] = [
        (["vim", "nvim", "gvim", "mvim", "view"], .cursor),
        (["vi", "elvis", "nvi", "joe", "jed", "mcedit", "mg", "ed"], .line),
        (["nano", "pico", "ne"], .lineColumn(separator: ",")),
        (["emacs", "emacsclient", "micro", "kak", "gedit", "kate"], .lineColumn(separator: ":")),
        (["hx", "helix", "subl", "zed"], .inName),
        (["code", "code-insiders", "codium", "cursor"], .inNameBehind(option: "-g")),
    ]

    /// Returns the whole command line that opens a file at a location.
    func arguments(file: String, at location: SourceLocation?) -> [String] {
        guard let location, let program = words.first?.split(separator: "/").last.map(String.init),
            let spelling = Self.spellings.first(where: { $0.names.contains(program) })?.spelling
        else { return words + [file] }
        let (line, column) = (location.line, location.column)
        return switch spelling {
        case .line: words + ["+\(line)", file]
        case .lineColumn(let separator): words + ["+\(line)\(separator)\(column)", file]
        case .cursor: words + ["+call cursor(\(line),\(column))", file]
        case .inName: words + ["\(file):\(line):\(column)"]
        case .inNameBehind(let option): words + [option, "\(file):\(line):\(column)"]
        }
    }

    /// Opens a document and waits until the user leaves the editor. A document that isn't a whole file is opened as a
    /// copy.
    ///
    /// - Parameter isAskedToEnd: Called now and then. If it returns true, the editor is asked to end.
    /// - Returns: A message for the user, if there is one.
    func open(
        _ document: DocumentReference, at location: SourceLocation?, isAskedToEnd: () -> Bool = { false }
    ) -> String? {
        if document.isWhole, document.stamp != nil, let name = String(validating: document.file.bytes, as: UTF8.self) {
            return run(arguments(file: Self.plain(name), at: location), isAskedToEnd)
        }
        do {
            return try openCopy(of: document, at: location, isAskedToEnd)
        } catch {
            return Console.words(for: error)
        }
    }

    private func openCopy(
        of document: DocumentReference, at location: SourceLocation?, _ isAskedToEnd: () -> Bool
    ) throws -> String? {
        let bytes = try document.read()
        let ending = bytes.data.first == UInt8(ascii: "{") ? ".json" : ""
        let copy = try TemporaryCopy(of: bytes, ending: ending, as: document.file)
        return run(arguments(file: copy.file.description, at: location), isAskedToEnd) ?? CommandWords.editedCopy
    }

    /// Whether the process has a controlling terminal.
    private static var hasTerminal: Bool {
        let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }

    /// Returns a name that every editor reads as a file name. Editors run `+cmd` (vim) and `!cmd` (ed, joe), treat `-c`
    /// as an option, and open addresses such as `scp://host/`.
    static func plain(_ name: String) -> String { name.utf8.first == UInt8(ascii: "/") ? name : "./" + name }

    /// Runs the command line in the foreground of the terminal. Returns a message if something went wrong.
    private func run(_ arguments: [String], _ isAskedToEnd: () -> Bool) -> String? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A document may come from standard input, but keys come from the terminal.
        if isatty(STDIN_FILENO) == 0, Self.hasTerminal {
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/tty", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var argv = arguments.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, arguments[0], &actions, &attributes, &argv, environ)
        if error != 0 { return CommandWords.editorNotFound(arguments[0], String(cString: strerror(error))) }
        var status: Int32 = 0
        var end: ContinuousClock.Instant?
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process || ended < 0 && errno != EINTR { break }
            if let end {
                // If the editor asks a question, leave it to the user.
                if ContinuousClock.now > end { break }
            } else if isAskedToEnd() {
                // This is as if the terminal had closed: editors then preserve what wasn't saved.
                kill(process, SIGHUP)
                end = .now + Self.patience
            }
            usleep(Self.interval)
        }
        return status == 0 ? nil : CommandWords.editorFailed(arguments[0])
    }

    /// How long to wait before checking again whether the editor has ended, in microseconds.
    private static let interval: useconds_t = 20_000

    /// How long an editor may take to end after it was asked to.
    private static let patience = Duration.seconds(2)
}
