import MigrationCore

/// `chains`: what this program can open.
struct ChainsCommand {
    let chains: [MigrationChain]
    let format: ReportFormat

    func run() throws -> ExitStatus {
        switch format {
        case .text: try Console.print(chains.map(text).joined(separator: "\n"))
        case .json:
            try Console.print(
                JSONText.text(
                    of: ["chains": chains.map { Listed(name: $0.name, versions: $0.versions) }], layout: .pretty))
        }
        return .success
    }

    private func text(for chain: MigrationChain) -> String {
        let versions = chain.versions.map { "\($0.version) (\($0.type))" }.joined(separator: " → ")
        return SafeText.line("\(chain.name): \(versions)")
    }

    private struct Listed: Encodable {
        let name: String
        let versions: [ChainVersion]
    }
}
