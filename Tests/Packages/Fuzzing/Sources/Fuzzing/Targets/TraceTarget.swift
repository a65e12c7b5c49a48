import DocumentModel
import Foundation
import MigrationCore

let traceTarget = FuzzTarget(
    name: "trace", summary: "changed trace files; reached: with steps, and written and read again"
) { try Traces(examples: Examples()) }

private struct Traces: FuzzSubject {
    private let files: [Document]

    init(examples: Examples) throws {
        files = try examples.texts.map { try DocumentEncoder().encode(examples.trace(of: $0)) }
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        let file = files[random.below(files.count)]
        if random.below(2) == 0 { return MutatedDocument.bytes(file, &random) }
        var bytes = Array(JSONWriter(layout: .compact).data(file.root))
        Mutator.json.mutate(&bytes, times: 1, &random)
        return bytes
    }

    func run(_ input: [UInt8]) throws -> Depth {
        guard let document = try? Document(parsing: SourceBytes(Data(input))),
            let trace = try? DocumentDecoder().decode(versioned: MigrationTrace.self, from: document.root)
        else { return .refused }
        let written = try DocumentEncoder().encode(trace)
        let again = try DocumentDecoder().decode(versioned: MigrationTrace.self, from: written.root)
        try Broken.unless(
            try DocumentEncoder().encode(again) == written, "written, read and written it is another trace")
        return trace.steps.isEmpty ? .parsed : .reached
    }
}
