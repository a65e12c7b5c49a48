import DocumentSources
import Foundation
import MigrationCore
import TestSupport

@testable import MigrationWorker

/// Documents that say what the app's code does, in a folder of their own.
///
/// ## Invariant
/// The folder keeps nothing but its path.
struct Visits: @unchecked Sendable {
    let folder = try! TemporaryFolder()

    /// Writes a document with lines for ``VisitV1`` and what comes of it.
    func visit(
        _ name: String, decoding: [String]? = nil, second: [String]? = nil, third: [String]? = nil,
        encoding: [String]? = nil
    ) throws -> DocumentReference {
        var fields: [String: Any] = ["visit": 1, "name": name]
        for (key, lines) in ["decoding": decoding, "second": second, "third": third, "encoding": encoding] {
            fields[key] = lines
        }
        let data = try JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])
        return GivenName(FilePath(try folder.write(data, to: "\(name).json"))).document
    }

    /// Writes a document with that text.
    func document(_ text: String, _ name: String) throws -> DocumentReference {
        GivenName(FilePath(try folder.write(text, to: name))).document
    }

    /// A file to which the line "log" adds a byte.
    var log: String { folder.path("log") }

    /// How many bytes were added to it.
    var logged: Int { (try? folder.data("log").count) ?? 0 }
}

extension WorkerHost {
    func trace(_ document: DocumentReference, tellsSteps: Bool = false) throws -> MigrationTrace {
        var request = WorkerRequest(document)
        request.tellsSteps = tellsSteps
        return try answer(to: request, wanting: .trace)
    }

    func result(_ document: DocumentReference) throws -> CheckResult {
        try answer(to: WorkerRequest(document), wanting: .outcome)
    }

    /// What comes of a document that can be changed as asked.
    func answer<Answer>(to request: WorkerRequest, wanting wanted: Wanted<Answer>) throws -> Answer {
        guard case .success(let answer)? = try reply(to: request, wanting: wanted) else { throw OtherReply() }
        return answer
    }

    /// What the app's code finds in a worker, and its other output.
    func facts(_ visits: Visits, _ lines: [String] = []) throws -> [String: String] {
        let output = try trace(try visits.visit("facts", third: lines + ["facts"])).output
        var facts: [String: String] = [:]
        for line in output.flatMap({ $0.text.split(separator: "\n") }) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            facts[words[0]] = words.count > 1 ? words[1] : ""
        }
        return facts
    }
}

struct OtherReply: Error {}

/// What some thread adds to and another reads.
final class Collected<Element: Sendable>: @unchecked Sendable {
    // Touched only while the lock is held.
    private var elements: [Element] = []
    private let lock = NSLock()

    func append(_ element: Element) { lock.withLock { elements.append(element) } }
    var all: [Element] { lock.withLock { elements } }
}

/// Waits until a condition holds; false where it does not within a minute.
func waits(until condition: () throws -> Bool) rethrows -> Bool {
    let beginning = ContinuousClock.now
    while beginning.duration(to: .now) < .seconds(600) {
        if try condition() { return true }
        usleep(5000)
    }
    return false
}

/// The state of a process, as proc(5) tells it; nil when there is none.
func processState(_ process: String?) -> Character? {
    let status = try? String(contentsOfFile: "/proc/\(process ?? "none")/stat", encoding: .utf8)
    return status?.split(separator: ") ").last?.first
}

/// How many threads a process has; 0 when there is none.
func threadCount(of process: pid_t) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count) ?? 0
}
