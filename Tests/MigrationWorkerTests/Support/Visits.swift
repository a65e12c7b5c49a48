import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import TestSupport

@testable import MigrationWorker

/// Documents that say what the app's code does, in a temporary folder.
///
/// ## Invariant
/// The folder stores nothing but its path.
struct Visits: @unchecked Sendable {
    let folder = try! TemporaryFolder()

    /// Writes a document with lines for ``VisitV1`` and the versions after it.
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

    /// Writes a document with the given text.
    func document(_ text: String, _ name: String) throws -> DocumentReference {
        GivenName(FilePath(try folder.write(text, to: name))).document
    }

    /// The file to which a "log" line appends a byte.
    var log: String { folder.path("log") }

    /// The number of bytes appended to ``log``.
    var logged: Int { (try? folder.data("log").count) ?? 0 }
}

extension MigrationTrace {
    /// The trace as it is in a file.
    var text: String {
        (try? DocumentEncoder().encode(self)).map { JSONWriter(layout: .compact).string($0.root) } ?? ""
    }
}

extension WorkerHost {
    func trace(_ document: DocumentReference, sendsSteps: Bool = false) throws -> MigrationTrace {
        var request = WorkerRequest(document)
        request.sendsSteps = sendsSteps
        return try answer(to: request, wanting: .trace)
    }

    func result(_ document: DocumentReference) throws -> CheckResult {
        try answer(to: WorkerRequest(document), wanting: .outcome)
    }

    /// Returns the answer to a request, or throws ``OtherReply`` if its edits cannot be made.
    func answer<Answer>(to request: WorkerRequest, wanting wanted: Wanted<Answer>) throws -> Answer {
        guard case .success(let answer)? = try reply(to: request, wanting: wanted) else { throw OtherReply() }
        return answer
    }

    /// Returns what the app's code finds out in a worker, and its other output, by the first word of each line.
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

/// A list that one thread appends to and another reads.
final class Collected<Element: Sendable>: @unchecked Sendable {
    // Accessed only while the lock is held.
    private var elements: [Element] = []
    private let lock = NSLock()

    func append(_ element: Element) { lock.withLock { elements.append(element) } }
    var all: [Element] { lock.withLock { elements } }
}

/// The state of a process as in proc(5), or nil if there is no such process.
func processState(_ process: String?) -> Character? {
    let status = try? String(contentsOfFile: "/proc/\(process ?? "none")/stat", encoding: .utf8)
    return status?.split(separator: ") ").last?.first
}

/// The number of threads of a process, or 0 if there is no such process.
func threadCount(of process: pid_t) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").count) ?? 0
}
