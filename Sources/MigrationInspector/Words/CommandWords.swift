import DocumentSources
import MigrationCore
import MigrationWorker

/// What the commands say of a run as a whole: of limits, losses and outcomes.
enum CommandWords {
    // MARK: check

    /// A step cut the time of later documents.
    static func shortenedTime(onTheWayTo version: DocumentVersion, of chain: String) -> String {
        "\(WorkerHost.mostTimeouts) documents ran out of time on the way to version \(version) of \(chain); "
            + "the others got a tenth of the time there; --time-limit gives all of them more"
    }

    /// What a walk left out; nil if that was nothing.
    static func leftOut(_ leftOut: DocumentWalker.LeftOut) -> String? {
        let parts = DocumentWalker.Omission.allCases.compactMap { omission in
            leftOut[omission].map { "\($0) \(omission.noun(count: $0))" }
        }
        return parts.isEmpty ? nil : "left out \(parts.joined(separator: ", "))"
    }

    // MARK: migrate, of a store

    /// What became of a column's documents; the chain is nil where none fits them.
    static func column(
        _ column: StoreColumn, chain: String?, version: DocumentVersion, migrated: Int, current: Int, refused: Int
    ) -> String {
        guard let chain else { return "\(column): \(current) documents belong to no chain, and stay as they are" }
        let counts = [
            (migrated, "migrated to version \(version)"), (current, "already version \(version)"),
            (refused, "cannot be migrated"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        return "\(column) (\(chain)): \(words.isEmpty ? "no documents" : words)"
    }

    static let noChain = "none of its documents belongs to a chain this program knows; nothing was written"

    static func refused(_ count: Int) -> String {
        "\(documents(count)) cannot be migrated, so none was; nothing was written"
    }

    static func written(_ count: Int, besides store: FilePath) -> String {
        "written, with \(documents(count)) migrated; \(store) is as it was"
    }

    private static func documents(_ count: Int) -> String { count == 1 ? "1 document" : "\(count) documents" }
}
