import DocumentModel
import DocumentSources
import Foundation

/// The documents that come with a program: a folder, or files inside the program itself.
public struct DemoData: Sendable, DemoDocuments {
    /// A file inside the program.
    public struct File: Sendable {
        let path: String
        let content: Data

        /// Creates a file with a text.
        ///
        /// - Parameter path: The path below the folder of the documents, with slashes. Folders are made for it.
        public init(_ path: String, text: String) {
            self.path = path
            content = Data(text.utf8)
        }

        /// Creates a file with bytes in base64. Text that isn't base64 gives an empty file.
        ///
        /// - Parameter path: The path below the folder of the documents, with slashes. Folders are made for it.
        public init(_ path: String, base64: String) {
            self.path = path
            content = Data(base64Encoded: base64) ?? Data()
        }
    }

    private enum Content {
        case none
        case folder(FilePath)
        case files([File])
    }

    private let content: Content

    /// No documents.
    public static let none = DemoData(content: .none)

    private init(content: Content) { self.content = content }

    /// The documents in a folder.
    public init(folder: URL) { content = .folder(FilePath(folder.path(percentEncoded: false))) }

    /// Documents inside the program. They are written to a folder of the user's temporary files for as long as they are
    /// shown.
    public init(files: [File]) { content = .files(files) }

    public var demoData: DemoData { self }

    /// Whether there are documents.
    var isEmpty: Bool { if case .none = content { true } else { false } }

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

    /// Makes the documents available in a folder; returns nil if there are none.
    ///
    /// - Throws: ``SourceError`` if the files inside the program cannot be written.
    func open() throws(SourceError) -> OpenDemoData? {
        switch content {
        case .none: return nil
        case .folder(let folder): return OpenDemoData(folder: folder, sample: nil)
        case .files(let files):
            let sample = try SampleFolder(files: files.map { ($0.path, $0.content) })
            return OpenDemoData(folder: sample.path, sample: sample)
        }
    }
}

/// A folder with the documents of a program.
struct OpenDemoData {
    let folder: FilePath
    /// The temporary folder that holds files from inside the program, for as long as this exists.
    let sample: SampleFolder?
}

/// What ``MigrationInspectorProgram/demoData`` can be: ``DemoData``, the URL of a folder, a String, or nil.
public protocol DemoDocuments {
    /// The documents.
    var demoData: DemoData { get }
}

extension URL: DemoDocuments {
    /// The documents in the folder with this URL.
    public var demoData: DemoData { DemoData(folder: self) }
}

extension String: DemoDocuments {
    /// The documents in the folder with this path. A relative path leads from the nearest folder above the executable in
    /// which it exists, as in ``DemoData/folder(named:)``.
    public var demoData: DemoData {
        hasPrefix("/") ? DemoData(folder: URL(filePath: self)) : DemoData.folder(named: self).demoData
    }
}

extension Optional: DemoDocuments where Wrapped: DemoDocuments {
    /// The documents; none if this is nil.
    public var demoData: DemoData { self?.demoData ?? .none }
}
