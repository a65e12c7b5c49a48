import Foundation

/// Completions of a path that a person types: files and folders, in the natural order of names. A `~` at the beginning
/// means the home folder, and is kept. A folder ends with a slash. Hidden files are included only if their leading dot
/// is typed.
public enum PathCompletion {
    /// Returns the whole names that begin with `text`; empty if the folder cannot be read.
    public static func names(beginning text: String) -> [String] {
        let slash = text.utf8.lastIndex(of: UInt8(ascii: "/"))
        let typedFolder = slash.map { String(text[...$0]) } ?? ""
        let start = slash.map { String(text[text.utf8.index(after: $0)...]) } ?? text
        if start == "~", typedFolder.isEmpty { return ["~/"] }
        var folder = path(typedFolder.isEmpty ? "." : typedFolder)
        if FileStatus(path: folder) == nil, let described = FilePath(described: folder.description) {
            folder = described
        }
        let entries = FolderEntry.entries(ofFolder: folder) ?? []
        return entries.compactMap { entry in
            guard !entry.isHidden || start.hasPrefix(".") else { return nil }
            let name = entry.name.description
            guard name.utf8.starts(with: start.utf8) else { return nil }
            let isFolder = FileStatus(path: folder.appending(entry.name))?.isFolder == true
            return typedFolder + name + (isFolder ? "/" : "")
        }
    }

    /// Returns the path that a person means, with `~` at its beginning replaced by the home folder.
    public static func path(_ text: String) -> FilePath {
        guard text == "~" || text.hasPrefix("~/") else { return FilePath(text) }
        let home = FilePath(NSHomeDirectory())
        let rest = String(text.dropFirst(2))
        return rest.isEmpty ? home : home.appending(FilePath(rest))
    }
}
