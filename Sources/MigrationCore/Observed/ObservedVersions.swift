import DocumentModel

/// The values in which documents of no chain differ and that look like their versions.
///
/// The documents are states of one file, or documents that were found together. A value counts only if it differs
/// between them, unless a person named it. If a document has several such values, the one whose name and form are most
/// like those of a format's version counts.
package struct ObservedVersions: Sendable {
    /// The values at one path.
    private struct Sighting: Sendable {
        let path: DocumentPath
        let first: DocumentVersion
        var differs = false
        var count = 0
        /// The least version-like form of the values.
        var form = Form.whole
    }

    /// The forms of values, the most version-like first.
    private enum Form: Int, Comparable, Sendable {
        /// A whole number.
        case whole
        /// Numbers with points, such as `1.2.0`.
        case numbers
        /// A text with digits, such as a URL.
        case text
        /// A text without digits.
        case words

        init(_ version: DocumentVersion) {
            switch version {
            case .number: self = .whole
            case .name(let text):
                let digits = text.utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
                let points = text.utf8.filter { $0 == UInt8(ascii: ".") }.count
                let length = text.utf8.count
                self = digits == 0 ? .words : digits == length ? .whole : digits + points == length ? .numbers : .text
            default: self = .words
            }
        }

        static func < (left: Form, right: Form) -> Bool { left.rawValue < right.rawValue }
    }

    private let areStates: Bool
    private let key: DocumentPath?
    private var sightings: [Sighting] = []
    private var numbers: [DocumentPath: Int] = [:]
    /// The sightings in each document.
    private var documents: [[Int]] = []

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - areStates: Whether the documents are states of one file. Then a value that only some of them have differs,
    ///     and two values that occur together in a state are never versions of the same history.
    ///   - key: The path of the version, if a person named it.
    package init(areStates: Bool, key: DocumentPath? = nil) {
        self.areStates = areStates
        self.key = key
    }

    /// Adds a document. Documents that a chain claims, and those that cannot be read, are ignored.
    package mutating func add(_ result: CheckResult) {
        guard result.outcome == .unrecognized else { return }
        var here: [Int] = []
        for candidate in result.versionCandidates {
            guard let path = candidate.path else { continue }
            let number = numbers[path] ?? sightings.count
            if number == sightings.count {
                numbers[path] = number
                sightings.append(Sighting(path: path, first: candidate.version))
            }
            sightings[number].count += 1
            sightings[number].form = max(sightings[number].form, Form(candidate.version))
            if candidate.version != sightings[number].first { sightings[number].differs = true }
            here.append(number)
        }
        // Only states are looked at again.
        if areStates { documents.append(here) }
    }

    /// The paths that count, with their order: the one with the lowest number counts if a document has several.
    package struct Choice: Sendable, Equatable {
        fileprivate let order: [DocumentPath: Int]
        fileprivate let areStates: Bool

        /// Returns the version observed in a document, or nil if there is none.
        package func version(of result: CheckResult) -> ObservedVersion? {
            guard result.outcome == .unrecognized, !order.isEmpty else { return nil }
            let known = result.versionCandidates.compactMap { candidate in
                candidate.path.flatMap { order[$0] }.map { (candidate, order: $0) }
            }
            let best = known.min { $0.order < $1.order }?.0
            return best ?? (areStates ? ObservedVersion(version: .unversioned, path: nil) : nil)
        }
    }

    /// Returns the choice among the values of all documents so far.
    package var choice: Choice {
        // A number in the key is a name or a position, so the value may have another path in each document.
        if key != nil {
            return Choice(order: numbers.mapValues { _ in 0 }, areStates: areStates)
        }
        let differing = sightings.indices.filter { number in
            sightings[number].differs || areStates && sightings[number].count < documents.count
        }
        var chosen = differing.map { (number: $0, rank: rank(of: sightings[$0])) }
            .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.number)
        if areStates {
            // A version key may move: then its old and its new path never occur together.
            var holders: [Int: [Int]] = [:]
            for (document, here) in documents.enumerated() {
                for number in here { holders[number, default: []].append(document) }
            }
            var taken: Set<Int> = []
            chosen = chosen.filter { number in
                let holders = holders[number] ?? []
                guard !holders.contains(where: taken.contains) else { return false }
                taken.formUnion(holders)
                return true
            }
        }
        let paths = chosen.map { sightings[$0].path }
        return Choice(
            order: Dictionary(paths.enumerated().map { ($1, $0) }) { first, _ in first }, areStates: areStates)
    }
    /// Returns numbers that put sightings in order, the most version-like first.
    private func rank(of sighting: Sighting) -> [Int] {
        let name = sighting.path.lastKey ?? ""
        let rank = VersionName(name)?.rank ?? .other
        // Of equal ones, the first that was found counts.
        return [
            sighting.form == .words ? 1 : 0, rank.rawValue, sighting.form.rawValue, sighting.path.components.count,
            name.utf8.count, numbers[sighting.path] ?? 0,
        ]
    }
}
