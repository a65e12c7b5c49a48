import Foundation

/// What a thread is busy with, told to the person should the process crash over it.
///
/// A migration is an app's own code, and that may trap: an index out of range in one document of a hundred thousand.
/// The trap says where in the code it happened; this says with which document.
///
///     CrashNote.during("opening poems/rating-9.json as Poem") { chain.check(document) }
public enum CrashNote {
    /// Runs `work`. Should the process crash meanwhile in this thread, under ``CrashGuard``, standard error ends with
    /// `PROGRAM: crashed while DOING`.
    ///
    /// - Parameter doing: One line of what cannot harm a terminal.
    public static func during<Result>(_ doing: String, _ work: () throws -> Result) rethrows -> Result {
        let text = strdup(doing)
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, text)
        defer {
            pthread_setspecific(key, outer)
            free(text)
        }
        return try work()
    }

    /// Makes what the handler needs while all is well.
    static func prepare() {
        _ = key
        _ = beginning
        _ = lineEnd
    }

    /// Writes the calling thread's note to standard error. Safe in a signal handler, after ``prepare()``.
    static func tell() {
        guard let text = pthread_getspecific(key) else { return }
        write(beginning)
        write(UnsafePointer(text.assumingMemoryBound(to: CChar.self)))
        write(lineEnd)
    }

    private static func write(_ text: UnsafePointer<CChar>) { _ = Foundation.write(STDERR_FILENO, text, strlen(text)) }

    /// The key under which a thread keeps its note.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Never freed, as is fit for what lives as long as the process.
    private nonisolated(unsafe) static let beginning: UnsafePointer<CChar> = {
        let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "the program"
        return UnsafePointer(strdup("\n\(program): crashed while ")!)
    }()

    private nonisolated(unsafe) static let lineEnd = UnsafePointer<CChar>(strdup("\n")!)
}
