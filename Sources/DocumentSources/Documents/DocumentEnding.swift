import DocumentModel

extension DocumentEnding {
    /// The ending of a file compressed with gzip.
    static let packed = ".gz"

    /// Creates the ending that a file's name has, or nil if the name has none of them.
    ///
    /// For a compressed file, the ending before `.gz` counts.
    init?(_ name: FilePath) {
        let name = name.hasSuffix(Self.packed) ? name.dropLast(Self.packed.utf8.count) : name
        guard let ending = Self.allCases.first(where: { $0.endings.contains(where: name.hasSuffix) }) else {
            return nil
        }
        self = ending
    }
}
