import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import MigrationWorker

/// The documents of the demo-data, from which inputs are made, and their chains.
struct Examples {
    /// The folder of the demo-data.
    static let folder = URL(filePath: #filePath).appending(path: "../../../../../../../demo-data").standardized.path
    static var store: String { folder + "/store-of-books.sqlite" }

    let host = WorkerHost(inProcess: ExampleChains.all)
    /// The text or bytes of every document.
    let texts: [[UInt8]]
    /// The documents that parse.
    let documents: [Document]
    /// The name of the documents, which aren't in any file.
    let name = GivenName(FilePath(Self.folder + "/unknown.json")).document

    init() throws {
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(Self.folder))]).walk { found += $0 }
        texts = found.compactMap { try? Array($0.read().data) }
        documents = texts.compactMap { try? Document(parsing: SourceBytes(Data($0))) }
        try Broken.unless(documents.count > 40, "there are only \(documents.count) documents in \(Self.folder)")
    }

    func result(of bytes: [UInt8]) throws -> CheckResult {
        try answer(bytes, .outcome)
    }

    func migration(of bytes: [UInt8]) throws -> WrittenMigration { try answer(bytes, .migration) }

    /// Returns the fields of all versions of all chains.
    func outlines() throws -> [VersionOutline?] {
        try host.chains().flatMap { chain in
            try chain.versions.compactMap { version in
                try host.reply(to: WorkerRequest(name, chain: chain.name, target: version.version), wanting: .outline)?
                    .answer
            }
        }
    }

    private func answer<Answer>(_ bytes: [UInt8], _ wanted: Wanted<Answer>) throws -> Answer {
        let request = WorkerRequest(name, bytes: SourceBytes(Data(bytes)))
        guard case .success(let answer)? = try host.reply(to: request, wanting: wanted) else {
            throw Broken(description: "no answer")
        }
        return answer
    }

    func trace(of bytes: [UInt8]) throws -> MigrationTrace {
        Self.withoutTimes(try answer(bytes, .trace))
    }

    /// Returns the trace with all times set to zero, so that it is the same in every run.
    private static func withoutTimes(_ trace: MigrationTrace) -> MigrationTrace {
        var trace = trace
        trace.decodingSeconds = 0
        for index in trace.steps.indices { trace.steps[index].seconds = 0 }
        trace.parts = trace.parts.map(withoutTimes)
        return trace
    }

    /// Returns a mutated document of the demo-data.
    func mutated(_ random: inout SplitMix64) -> [UInt8] {
        if random.below(3) > 0 { return MutatedDocument.bytes(documents[random.below(documents.count)], &random) }
        var bytes = texts[random.below(texts.count)]
        let mutator: Mutator =
            bytes.first == UInt8(ascii: "<") ? .xml : bytes.first == UInt8(ascii: "b") ? .binary : .json
        mutator.mutate(&bytes, times: 1 + random.below(2), &random)
        return bytes
    }
}
