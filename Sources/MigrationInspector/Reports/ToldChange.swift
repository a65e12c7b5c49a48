import DocumentModel
import MigrationCore

/// A change as texts tell it: more than ten of one kind that differ only in positions, or in the keys of one level, are
/// one line, with the values of the first.
struct ToldChange {
    let change: DocumentChange
    /// Where it is, and where a moved value was; folded where the change stands for others.
    let path: DocumentPath
    let from: DocumentPath?
    /// How many changes it stands for, in brackets; empty where it is one.
    let count: String

    var isFolded: Bool { !count.isEmpty }

    /// A change that stands for itself.
    init(_ change: DocumentChange) { self.init(change, path: change.path, from: change.from, count: "") }

    private init(_ change: DocumentChange, path: DocumentPath, from: DocumentPath?, count: String) {
        (self.change, self.path, self.from, self.count) = (change, path, from, count)
    }

    /// The change of a part, as one of the whole document.
    ///
    /// - Parameters:
    ///   - place: Where the part is.
    ///   - count: For how many parts it stands.
    ///   - all: How many parts there are.
    func inside(_ place: DocumentPath, count: Int, of all: Int) -> ToldChange {
        let words = all == 1 ? self.count : count == all ? " (\(count))" : " (\(count) of \(all))"
        return ToldChange(change, path: place.appending(path), from: from.map(place.appending), count: words)
    }

    /// The changes of a step in their order.
    static func all(in difference: DocumentDifference) -> [ToldChange] {
        /// What changes that are told together have in common.
        struct Kind: Hashable {
            let kind: DocumentChange.Kind
            let oldName: String?
        }
        let changes = difference.unfolded().changes
        let kinds = Dictionary(grouping: changes.indices) {
            Kind(kind: changes[$0].kind, oldName: changes[$0].from?.lastKey)
        }
        var told: [ToldChange?] = changes.map { ToldChange($0) }
        for (kind, indices) in kinds {
            let root = kind.kind == .removed ? difference.old : difference.new
            let places = Dictionary(indices.map { (changes[$0].path, $0) }) { first, _ in first }
            var folds = PathFolds()
            _ = folds.fold(indices.map { changes[$0].path }, in: root)
            for (path, entry) in folds.entries {
                let members = entry.paths.compactMap { places[$0] }
                var oldFolds = PathFolds()
                let old = oldFolds.fold(members.compactMap { changes[$0].from }, in: difference.old)
                guard let first = members.first, old.count <= 1 else { continue }
                for member in members { told[member] = nil }
                told[first] = ToldChange(
                    changes[first], path: path, from: old.first, count: folds.words(path))
            }
        }
        return told.compactMap(\.self)
    }

    /// The line of the change, as in a comparison.
    var line: String {
        let old = change.old?.briefText ?? ""
        let new = change.new?.briefText ?? ""
        let place = "\(path)\(count)"
        return switch change.kind {
        case .added: "+ \(place): \(new)\(rest)"
        case .removed: "- \(place): \(old)\(rest)"
        case .changed: "~ \(place): \(old) → \(new)\(rest)"
        case .moved: "→ \(from ?? .root) is now \(place): \(new)\(rest)"
        }
    }

    /// The lines of the change in a patch.
    var patchLines: [String] {
        let old = change.old?.briefText ?? ""
        let new = change.new?.briefText ?? ""
        let place = "\(path)\(count)"
        return switch change.kind {
        case .added: ["+ \(place): \(new)\(rest)"]
        case .removed: ["- \(place): \(old)\(rest)"]
        case .changed: ["- \(place): \(old)\(rest)", "+ \(place): \(new)\(rest)"]
        case .moved: ["- \(from ?? .root): \(new)\(rest)", "+ \(place): \(new)\(rest)"]
        }
    }

    /// What stands for the values of the others.
    private var rest: String { isFolded ? ", …" : "" }
}
