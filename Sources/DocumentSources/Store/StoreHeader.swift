import DocumentModel

/// The first hundred bytes of a SQLite database (fileformat2.html, section 1.3), and those of the table behind them.
struct StoreHeader {
    /// The length of the header.
    static let length = 100

    private let bytes: SourceBytes

    /// Reads the header of an open file.
    init(_ file: borrowing OpenFile, path: String) throws(SourceError) { bytes = try file.head(of: path) }

    /// Whether the file begins as a SQLite database does.
    var isDatabase: Bool { DocumentFormat.announced(by: bytes) == .sqlite }

    /// Whether whoever opens the database finds a write-ahead log beside it, or begins one.
    var usesLog: Bool { byte(at: 18) == 2 || byte(at: 19) == 2 }

    /// What the header says against the file; nil if nothing is wrong with it.
    ///
    /// - Parameter byteCount: The length of the file.
    func problem(byteCount: Int) -> StoreProblem? {
        guard isDatabase else { return .notDatabase(byteCount: byteCount) }
        guard byteCount >= Self.length else { return .cutShort(byteCount: byteCount, expected: Self.length) }
        guard makesSense else { return .scrambled }
        if byte(at: 19) > 2 { return .newerFormat(detail: "read version \(byte(at: 19)), where 2 is the newest known") }
        let schemaFormat = number(at: 44, width: 4)
        if schemaFormat > 4 {
            return .newerFormat(detail: "schema format \(schemaFormat), where 4 is the newest known")
        }
        // The number of pages counts only if the same writer left it that counted the last change.
        let expected = number(at: 28, width: 4) * pageSize
        let isCounted = number(at: 24, width: 4) == number(at: 92, width: 4)
        if isCounted, byteCount < expected { return .cutShort(byteCount: byteCount, expected: expected) }
        return nil
    }

    /// Whether what every version of SQLite writes is there: the fractions of a page that a row may fill, a reserve of zeros, and the first
    /// page of the schema's table. Encryption may leave some of the header plain, for systems that look at it, but not that page.
    private var makesSense: Bool {
        let isPageSize = (512...65536).contains(pageSize) && pageSize & (pageSize - 1) == 0
        let hasFractions = (byte(at: 21), byte(at: 22), byte(at: 23)) == (64, 32, 32)
        let hasReserve = (72..<92).allSatisfy { byte(at: $0) == 0 }
        // An interior page, a leaf, or nothing yet.
        let hasTable = bytes.count <= Self.length || [5, 13].contains(byte(at: Self.length))
        return isPageSize && hasFractions && hasReserve && hasTable
    }

    /// The size of a page; 1 stands for 65536.
    private var pageSize: Int { number(at: 16, width: 2) == 1 ? 65536 : number(at: 16, width: 2) }

    private func byte(at offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private func number(at offset: Int, width: Int) -> Int {
        (offset..<offset + width).reduce(0) { $0 << 8 | Int(byte(at: $1)) }
    }
}
