import Foundation

/// Finds the documents that are distributed with a program.
public enum DemoData {
    /// Returns the folder with the given name in the nearest ancestor of the executable that contains one: a built
    /// program is some levels below the root of its package. Links to the executable are resolved.
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
