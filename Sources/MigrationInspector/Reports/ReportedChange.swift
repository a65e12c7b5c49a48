import DocumentModel
import MigrationCore

/// A change as it's shown in texts. More than ten changes of one kind that differ only in positions, or in the keys of
/// one level, are shown as one line, with the values of the first.
struct ReportedChange {
    let change: DocumentChange
    /// The path, and the previous path of a moved value; folded if this stands for several changes.
    let path: DocumentPath
    let from: DocumentPath?
    /// The number of changes that this stands for, in parentheses; empty if it's only one.
    let count: String

    var isFolded: Bool { !count.isEmpty }

    /// Creates a change that stands for itself.
    init(_ change: DocumentChange) { self.init(change, path: change.path, from: change.from, count: "") }

    private init(_ change: DocumentChange, path: DocumentPath, from: DocumentPath?, count: String) {
        (self.change, self.path, self.from, self.count) = (change, path, from, count)
    }

    /// Returns the change of a part as a change of the whole document.
    ///
    /// - Parameters:
    ///   - place: The path of the part.
    ///   - count: The number of parts that the change stands for.
    ///   - all: The number of all parts.
    func inside(_ place: DocumentPath, count: Int, of all: Int) -> ReportedChange {
        let words = all == 1 ? self.count : count == all ? " (\(count))" : " (\(count) of \(all))"
        return ReportedChange(change, path: place.appending(path), from: from.map(place.appending), count: words)
    }

    /// Returns the changes of a step, in order.
    static func all(in difference: DocumentDifference) -> [ReportedChange] {
        /// The properties that changes on one line have in common.
        struct Kind: Hashable {
            let kind: DocumentChange.Kind
            let oldName: String?
        }
        let changes = difference.unfolded().changes
        let kinds = Dictionary(grouping: changes.indices) {
            Kind(kind: changes[$0].kind, oldName: changes[$0].from?.lastKey)
        }
        var reported: [ReportedChange?] = changes.map { ReportedChange($0) }
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
                for member in members { reported[member] = nil }
                reported[first] = ReportedChange(
                    changes[first], path: path, from: old.first, count: folds.words(path))
            }
        }
        return reported.compactMap(\.self)
    }

    /// The line for the change, as in a comparison.
    var line: String {
        let old = change.old?.briefText ?? ""
        let new = change.new?.briefText ?? ""
        let place = "\(path)\(count)"
        return switch change.kind {
        case .added: "+ \(place): \(new)\(rest)"
        case .removed: "- \(place): \(old)\(rest)"
        case .changed: "~ \(place): \(old) → \(new)\(rest)"
        case .moved where old != new && !old.isEmpty: "→ \(from ?? .root) is now \(place): \(old) → \(new)\(rest)"
        case .moved: "→ \(from ?? .root) is now \(place): \(new)\(rest)"
        }
    }

    /// The lines for the change, as in a patch.
    var patchLines: [String] { [before.map { "- \($0)" }, after.map { "+ \($0)" }].compactMap(\.self) }

    /// The value before the change, with its path; nil if it's added.
    var before: String? {
        let old = change.old?.briefText ?? ""
        return switch change.kind {
        case .added: nil
        case .removed, .changed: "\(path)\(count): \(old)\(rest)"
        case .moved: "\(from ?? .root): \(old.isEmpty ? change.new?.briefText ?? "" : old)\(rest)"
        }
    }

    /// The value after the change, with its path; nil if it's removed.
    var after: String? {
        if change.kind == .removed { return nil }
        return "\(path)\(count): \(change.new?.briefText ?? "")\(rest)"
    }

    /// The text that stands for the values of the other changes.
    private var rest: String { isFolded ? ", …" : "" }
}
