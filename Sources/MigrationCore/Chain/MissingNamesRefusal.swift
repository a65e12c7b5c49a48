import DocumentModel

/// The names that a type missed in a document that it refused, when it learned nothing else about the document.
///
/// The type would refuse any document that lacks the same names, as long as it judges by the document only. Most
/// documents of an app are of a few kinds, and documents of one kind often state a version that other types have too.
/// With this record, those types don't have to refuse every such document again.
struct MissingNamesRefusal {
    private let missing: [String]
    private let format: DocumentFormat

    /// Records the refusal of a document. Returns nil if the type learned more than missing names, or if the names are
    /// not enough to compare the document with another.
    init?(_ reading: Reading) {
        guard Self.isComparable(reading), let missing = reading.record.namesMissedOnly, !missing.isEmpty,
            missing.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } })
        else { return nil }
        (self.missing, format) = (missing, reading.document.format)
    }

    /// Returns whether the type would learn the same about another document.
    func holds(for reading: Reading) -> Bool {
        let root = reading.root
        return format == reading.document.format && Self.isComparable(reading)
            && missing.allSatisfy { root.member(named: $0) == nil }
    }

    /// Returns whether the names in the document are exactly those that a decoder sees, and can be compared byte by
    /// byte.
    private static func isComparable(_ reading: Reading) -> Bool {
        reading.root.kind == .object && reading.plainDecoder.strategies.hasDefaultKeys
            && reading.root.hasDistinctPlainNames
    }
}
