import Foundation

/// Finds the documents that a program brings along.
public enum DemoData {
    /// The folder of that name in the nearest folder above the executable that has one: a built program lies some
    /// folders below the package it was built from. The executable's real path counts, not that of a link to it.
    public static func folder(named name: String) -> URL? {
        guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent() else {
            return nil
        }
        while folder.pathComponents.count > 1 {
            let candidate = folder.appending(path: name, directoryHint: .isDirectory)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate.path(percentEncoded: false), isDirectory: &isFolder),
                isFolder.boolValue
            {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return nil
    }
}
