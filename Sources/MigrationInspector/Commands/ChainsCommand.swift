import MigrationCore
import MigrationWorker

/// `chains`: what this program can open.
struct ChainsCommand {
    let chains: [ChainDescription]
    let format: ReportFormat

    func run() throws -> ExitStatus {
        switch format {
        case .text: try Console.print(chains.map(text).joined(separator: "\n"))
        case .json: try Console.print(JSONText.text(of: ["chains": chains], layout: .pretty))
        }
        return .success
    }

    private func text(for chain: ChainDescription) -> String {
        let versions = chain.versions.map { "\($0.version) (\($0.type))" }.joined(separator: " → ")
        return SafeText.line("\(chain.name): \(versions)")
    }
}
