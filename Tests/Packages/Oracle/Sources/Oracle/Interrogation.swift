import DocumentModel
import DocumentSources
import Foundation
import MigrationCore
import MigrationWorker

/// Examines documents with the program as `trace` does, in worker processes.
struct Interrogation: Sendable {
    /// The chains of the workers.
    let schemes: [Scheme]
    private let host = WorkerHost()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "Oracle-\(UUID().uuidString)").path

    /// Prepares for workers with these chains and no others, because a new worker is started for each proof, and makes
    /// all of them.
    init(_ reductions: [Reduction], seed: UInt64) throws {
        schemes = reductions.enumerated().map { Scheme($1, slot: $0, seed: seed) }
        Reduction.hand(over: reductions)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    func end() { try? FileManager.default.removeItem(atPath: folder) }

    /// Returns the program's claims about a document.
    func ask(_ scheme: Scheme, _ document: Value) throws -> Story { Story(Value(try trace(scheme, document).root)) }

    /// Returns the trace of a document as `trace` writes it.
    func trace(_ scheme: Scheme, _ document: Value) throws -> Document {
        let file = folder + "/\(UUID().uuidString).json"
        try Data(document.json.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let request = WorkerRequest(GivenName(FilePath(file)).document, chain: scheme.name)
        guard let trace = try host.reply(to: request, wanting: .trace)?.answer else { throw NoAnswer() }
        let proved = try host.proving(trace, of: request) ?? trace
        let examined = try host.examining(proved, of: request) ?? proved
        return try DocumentEncoder().encode(versioned: examined)
    }

    struct NoAnswer: Error {}
}
