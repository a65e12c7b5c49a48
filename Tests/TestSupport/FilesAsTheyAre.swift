import Foundation

/// A snapshot of the files in a folder: their names, bytes, modification times and inodes.
public struct FilesAsTheyAre: Equatable {
    private struct File: Equatable {
        let bytes: Data
        let seconds: Int
        let nanoseconds: Int
        let inode: UInt64
    }

    private let files: [String: File]

    /// Takes a snapshot of the files in a folder.
    public init(_ folder: TemporaryFolder) throws {
        var files: [String: File] = [:]
        for name in try folder.names() {
            var status = stat()
            lstat(folder.path(name), &status)
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            files[name] = File(
                bytes: try folder.data(name), seconds: time.tv_sec, nanoseconds: time.tv_nsec,
                inode: UInt64(status.st_ino))
        }
        self.files = files
    }

    /// The sorted names of the files.
    public var names: [String] { files.keys.sorted() }
}
