import DisplayText
import DocumentModel
import MigrationCore
import MigrationWorker

/// The versions of a chain and their fields, as text.
struct OutlineText {
    let chain: ChainDescription
    /// The fields of the versions; nil if they could not be determined.
    let outlines: [VersionOutline?]

    /// A paragraph for each version, oldest first.
    var lines: [String] {
        zip(chain.versions, outlines).enumerated().flatMap { index, version in
            [String](index == 0 ? [] : [""])
                + paragraph(version.0, note: chain.notes[index], version.1, old: index == 0 ? nil : outlines[index - 1])
        }
    }

    private func paragraph(
        _ version: ChainVersion, note: String?, _ outline: VersionOutline?, old: VersionOutline?
    ) -> [String] {
        let title = SafeText.line("\(chain.name), version \(version.version) (\(version.type))")
        let notes = note.map { ["    " + SafeText.line($0)] } ?? []
        guard let outline else {
            return [title] + notes + [
                "    its fields are not known: asking for them ended the process, or took too long"
            ]
        }
        let changes = outline.changes(from: old)
        let paths = changes.map { SafeText.line("\($0.field.path)") }
        let width = paths.map { TextWidth.columns(of: $0) }.max() ?? 0
        let rows = zip(changes, paths).map { change, path in
            let padding = String(repeating: " ", count: width - TextWidth.columns(of: path))
            return "  \(change.kind.mark) \(path)\(padding)  \(SafeText.line(change.words))".trimmingSpaces
        }
        let end = outline.isComplete ? [] : [outline.fields.isEmpty ? "    not known" : "    and perhaps more"]
        return [title] + notes + rows + (rows.isEmpty && end.isEmpty ? ["    no fields"] : end)
    }
}

extension OutlineChange.Kind {
    fileprivate var mark: String {
        switch self {
        case .same: " "
        case .added: "+"
        case .removed: "-"
        case .changed: "~"
        }
    }
}

extension String {
    /// The text without trailing spaces.
    fileprivate var trimmingSpaces: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
