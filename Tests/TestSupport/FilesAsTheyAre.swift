import Foundation

/// Everything that can be known of the files in a folder: their names, sizes, bytes and the times when they were changed.
public struct FilesAsTheyAre: Equatable {
    private struct File: Equatable {
        let bytes: Data
        let seconds: Int
        let nanoseconds: Int
        let inode: UInt64
    }

    private let files: [String: File]

    /// The files of a folder, as they are now.
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

    /// The names of the files, in order.
    public var names: [String] { files.keys.sorted() }
}
