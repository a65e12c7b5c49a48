import Foundation

/// A name in a folder and, where the file system says so without being asked for more, what it names.
struct FolderEntry {
    enum EntryType { case regular, folder, link, special, unknown }

    /// The name; where it is no UTF-8, a likeness of it that opens nothing.
    let name: String
    let isNameUTF8: Bool
    let type: EntryType

    var isHidden: Bool { name.utf8.first == UInt8(ascii: ".") }

    /// What is in the folder at `path`, in natural order of names; nil with `errno` set where the folder cannot be read.
    static func entries(ofFolder path: String) -> [FolderEntry]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var entries: [FolderEntry] = []
        errno = 0
        while let record = readdir(folder) {
            if let entry = FolderEntry(record), entry.name != ".", entry.name != ".." { entries.append(entry) }
            errno = 0
        }
        guard errno == 0 else { return nil }
        return entries.sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    private init?(_ record: UnsafePointer<dirent>) {
        // The name ends at its zero byte, which may lie behind the end of the imported tuple; `d_reclen` has room for it.
        guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
        let bytes = (UnsafeRawPointer(record) + nameOffset).assumingMemoryBound(to: CChar.self)
        if let name = String(validatingCString: bytes) {
            (self.name, isNameUTF8) = (name, true)
        } else {
            (name, isNameUTF8) = (String(cString: bytes), false)
        }
        type =
            switch Int(record.pointee.d_type) {
            case Int(DT_REG): .regular
            case Int(DT_DIR): .folder
            case Int(DT_LNK): .link
            case Int(DT_UNKNOWN): .unknown
            default: .special
            }
    }
}
