import DocumentModel

/// More than one shape fits a value, which may well be older than it was taken for.
struct ShapeAmbiguity {
    /// The shape that was taken.
    private let taken: String
    /// What that one does not read.
    private let unread: [DocumentPath]
    private var others: [(type: String, lost: [DocumentPath])] = []

    init(taken: String, unread: [DocumentPath]) {
        self.taken = taken
        self.unread = unread
    }

    /// Adds another shape that fits, and what that one does not read.
    mutating func add(_ type: String, unread others: [DocumentPath]) {
        self.others.append((type, unread.filter { !others.contains($0) }))
    }

    /// What a person should know; nil if no other shape fits.
    var warning: String? {
        guard !others.isEmpty else { return nil }
        let names = others.map(\.type).joined(separator: " and as ")
        let lost = others.flatMap(\.lost).reduce(into: [DocumentPath]()) { if !$0.contains($1) { $0.append($1) } }
        let also = "also decodes as \(names), and was taken for \(taken)"
        guard !lost.isEmpty else { return also }
        return "\(also): what only an older shape reads is lost: \(lost.map(\.description).joined(separator: ", "))"
    }
}
