import DocumentModel
import Foundation

/// A name in a folder, and the type of the file, if the listing contains it.
struct FolderEntry {
    enum EntryType { case regular, folder, link, special, unknown }

    let name: FilePath
    let type: EntryType

    var isHidden: Bool { name.cString.first == CChar(bitPattern: UInt8(ascii: ".")) }

    /// Returns the entries of the folder at `path`, in the natural order of their names, or nil with `errno` set if the
    /// folder cannot be read.
    static func entries(ofFolder path: FilePath) -> [FolderEntry]? {
        guard let folder = opendir(path.cString) else { return nil }
        return entries(folder)
    }

    /// Returns the entries of an open folder, or nil with `errno` set if the folder cannot be read.
    static func entries(ofFolder descriptor: Int32) -> [FolderEntry]? {
        // Open the folder again, so that each listing starts at the beginning.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return nil }
        guard let folder = fdopendir(own) else {
            close(own)
            return nil
        }
        return entries(folder)
    }

    private static func entries(_ folder: OpaquePointer) -> [FolderEntry]? {
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
        // The name ends with a zero byte, which may be past the end of the imported tuple but is within `d_reclen`.
        guard let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) else { return nil }
        name = FilePath(cString: (UnsafeRawPointer(record) + nameOffset).assumingMemoryBound(to: CChar.self))
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

/// The order in which people expect names: `file2` before `file10`, ignoring case.
///
/// Runs of ASCII digits are compared by their value, and everything else by its bytes with ASCII letters in lowercase,
/// which for UTF-8 is the order of code points. Names that are equal so far are compared byte by byte, so that the
/// order is total.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in right.withUTF8 { compare(left, $0) < 0 } }
    }

    static func precedes(_ left: FilePath, _ right: FilePath) -> Bool {
        left.cString.withUnsafeBytes { left in
            right.cString.withUnsafeBytes { right in
                compare(left.bindMemory(to: UInt8.self), right.bindMemory(to: UInt8.self)) < 0
            }
        }
    }

    private static func compare(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if left[i].isDigit, right[j].isDigit {
                let (first, second) = (number(in: left, from: &i), number(in: right, from: &j))
                // Without leading zeros, the number with more digits is greater.
                if first.count != second.count { return first.count - second.count }
                for (digit, other) in zip(first, second) where digit != other { return Int(digit) - Int(other) }
            } else {
                let (byte, other) = (left[i].foldingASCII, right[j].foldingASCII)
                if byte != other { return Int(byte) - Int(other) }
                (i, j) = (i + 1, j + 1)
            }
        }
        let rest = (left.count - i) - (right.count - j)
        if rest != 0 { return rest }
        return left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    private static func number(
        in text: UnsafeBufferPointer<UInt8>, from offset: inout Int
    ) -> Slice<UnsafeBufferPointer<UInt8>> {
        while offset < text.count, text[offset] == UInt8(ascii: "0") { offset += 1 }
        let start = offset
        while offset < text.count, text[offset].isDigit { offset += 1 }
        return text[start..<offset]
    }
}
