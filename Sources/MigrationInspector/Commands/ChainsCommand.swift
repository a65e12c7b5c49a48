import DisplayText
import DocumentModel
import MigrationCore
import MigrationWorker

/// `chains`: lists the chains that this program can open.
struct ChainsCommand {
    let host: WorkerHost
    /// The chain to describe in detail; nil to list all.
    let name: String?
    let format: ReportFormat

    func run() throws -> ExitStatus {
        let chains = try host.chains()
        guard let name else {
            switch format {
            case .text: try Console.print(chains.map(line).joined(separator: "\n"))
            case .json: try Console.print(JSONText.text(of: ["chains": chains], layout: .pretty))
            }
            return .success
        }
        guard let chain = chains.first(where: { $0.name.isExactly(name) }) else {
            throw UsageError.unknown("chain", name, known: chains.map(\.name))
        }
        let outlines = try host.outlines(of: chain)
        switch format {
        case .text: try Console.print(OutlineText(chain: chain, outlines: outlines).lines.joined(separator: "\n"))
        case .json:
            try Console.print(
                JSONText.text(of: ["chains": [OutlinedChain(chain: chain, outlines: outlines)]], layout: .pretty))
        }
        return .success
    }

    private func line(for chain: ChainDescription) -> String {
        let versions = chain.versions.map { "\($0.version) (\($0.type))" }.joined(separator: " → ")
        return SafeText.line("\(chain.name): \(versions)")
    }
}

/// A chain and the fields of its versions.
private struct OutlinedChain: Encodable {
    let chain: ChainDescription
    let outlines: [VersionOutline?]

    private enum CodingKeys: CodingKey { case outlines }

    func encode(to encoder: any Encoder) throws {
        try chain.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(outlines, forKey: .outlines)
    }
}
