import DocumentModel
import DocumentSources
import ExampleChains
import Foundation
import MigrationCore
import MigrationWorker

/// The documents of the demo-data, which inputs are made from, and the chains that they belong to.
struct Examples {
    /// The folder of the demo-data.
    static let folder = URL(filePath: #filePath).appending(path: "../../../../../../../demo-data").standardized.path
    static var store: String { folder + "/store-of-books.sqlite" }

    let host = WorkerHost(inProcess: ExampleChains.all)
    /// The text or bytes of every document.
    let texts: [[UInt8]]
    /// Those that parse.
    let documents: [Document]
    /// A name for documents that no file holds.
    let name = GivenName(FilePath(Self.folder + "/unknown.json")).document

    init() throws {
        var found: [DocumentReference] = []
        try DocumentWalker([GivenName(FilePath(Self.folder))]).walk { found += $0 }
        texts = found.compactMap { try? Array($0.read().data) }
        documents = texts.compactMap { try? Document(parsing: SourceBytes(Data($0))) }
        try Broken.unless(documents.count > 40, "there are only \(documents.count) documents in \(Self.folder)")
    }

    func result(of bytes: [UInt8]) throws -> CheckResult {
        guard
            case .result(let result)? = try host.reply(
                to: .init(name, bytes: SourceBytes(Data(bytes)), wanted: .outcome))
        else { throw Broken(description: "no result") }
        return result
    }

    func trace(of bytes: [UInt8]) throws -> MigrationTrace {
        guard case .trace(let trace)? = try host.reply(to: .init(name, bytes: SourceBytes(Data(bytes)), wanted: .trace))
        else { throw Broken(description: "no trace") }
        return Self.withoutTimes(trace)
    }

    /// The trace of a run that took no time, so that it is the same in every run.
    private static func withoutTimes(_ trace: MigrationTrace) -> MigrationTrace {
        var trace = trace
        trace.decodingSeconds = 0
        for index in trace.steps.indices { trace.steps[index].seconds = 0 }
        trace.parts = trace.parts.map(withoutTimes)
        return trace
    }

    /// A document of the demo-data, changed.
    func mutated(_ random: inout SplitMix64) -> [UInt8] {
        if random.below(3) > 0 { return MutatedDocument.bytes(documents[random.below(documents.count)], &random) }
        var bytes = texts[random.below(texts.count)]
        let mutator: Mutator =
            bytes.first == UInt8(ascii: "<") ? .xml : bytes.first == UInt8(ascii: "b") ? .binary : .json
        mutator.mutate(&bytes, times: 1 + random.below(2), &random)
        return bytes
    }
}
