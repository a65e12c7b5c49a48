import DocumentModel

/// What a type had asked a document for in vain when it refused it, having learned nothing else of it.
///
/// To a document that lacks the same names the type would say the same, as long as it judges by the document alone.
/// Most documents of an app are of few kinds, and those of one say a version that types of others have too: so these
/// need not refuse every one of them anew.
struct BlindRefusal {
    private let missing: [String]
    private let format: DocumentFormat

    /// What was learned of a document that was refused; nil where that is more, or where it cannot be said of another
    /// document by its names alone.
    init?(_ reading: Reading) {
        guard Self.isComparable(reading), let missing = reading.record.namesMissedOnly, !missing.isEmpty,
            missing.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } })
        else { return nil }
        (self.missing, format) = (missing, reading.document.format)
    }

    /// Whether the type would learn the same of a document.
    func holds(for reading: Reading) -> Bool {
        let root = reading.root
        return format == reading.document.format && Self.isComparable(reading)
            && missing.allSatisfy { root.member(named: $0) == nil }
    }

    /// Whether a document has just the names that are written in it, and those can be compared byte by byte.
    private static func isComparable(_ reading: Reading) -> Bool {
        reading.root.kind == .object && reading.plainDecoder.strategies.hasDefaultKeys
            && reading.root.hasDistinctPlainNames
    }
}
