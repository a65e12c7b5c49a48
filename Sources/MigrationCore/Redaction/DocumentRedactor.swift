import DocumentModel
import Foundation

/// A copy of a document with other values of the same form, which ends in the same way as the document.
public struct Redaction: Sendable {
    /// The copy.
    public let document: Document
    /// The paths of the values that are the same as in the document, because with others it ended in another way.
    public internal(set) var keptValues: [DocumentPath] = []
    /// The paths of the members whose names were to be replaced and are the same, for this reason.
    public internal(set) var keptNames: [DocumentPath] = []
    /// The objects whose names were not to be replaced and look like data.
    public internal(set) var namedByData: [DocumentPath] = []
    /// Whether the names of members were replaced.
    public let redactsNames: Bool
    /// The meaning of the folded paths above.
    public internal(set) var folds = PathFolds()

    /// The neutral name of a document in that format.
    package static func name(of format: DocumentFormat) -> String {
        switch format {
        case .json: "document.json"
        case .json5: "document.json5"
        case .plistXML, .plistBinary: "document.plist"
        }
    }
}

/// Replaces the values of a document. If it doesn't end in the same way any more, finds the values that must be kept, in
/// groups that are halved.
///
/// The redactor runs nothing itself. A closure decides whether a document ends in the same way.
package struct DocumentRedactor {
    private let document: Document
    private let redactsNames: Bool
    private let replacements: Replacements
    private let endsAlike: (Document) throws -> Bool
    private var budget: ExperimentBudget
    /// The values and names that can be replaced, in reading order.
    private let places: [Place]
    /// The indices of the places that are as in the document.
    private var kept: Set<Int>

    private struct Place {
        let value: Replacements.Value
        let isName: Bool
    }

    /// The number of other replacements to try for a value before it's kept. There are nine other digits.
    private static let mostOthers = 9

    /// Returns the redacted copy of a document.
    ///
    /// - Parameters:
    ///   - redactsNames: Whether to replace the names of members too.
    ///   - endsAlike: Returns whether a document ends like `document`.
    /// - Throws: ``RedactionProblem/budgetSpent`` or ``RedactionProblem/notWritable``; the errors of `endsAlike`.
    package static func redact(
        _ document: Document, redactsNames: Bool, replacements: Replacements,
        budget: ExperimentBudget = DocumentShrinker.budget, endsAlike: (Document) throws -> Bool
    ) throws -> Redaction {
        try withoutActuallyEscaping(endsAlike) { endsAlike in
            var redactor = try DocumentRedactor(document, redactsNames, replacements, budget, endsAlike)
            return try redactor.redact()
        }
    }

    private init(
        _ document: Document, _ redactsNames: Bool, _ replacements: Replacements, _ budget: ExperimentBudget,
        _ endsAlike: @escaping (Document) throws -> Bool
    ) throws {
        (self.document, self.redactsNames, self.replacements) = (document, redactsNames, replacements)
        (self.budget, self.endsAlike) = (budget, endsAlike)
        var places: [Place] = []
        var names: Set<Replacements.Value> = []
        let rewriter = DocumentRewriter { value, _, isName in
            if isName { names.insert(value) }
            if !isName || redactsNames { places.append(Place(value: value, isName: isName)) }
            return nil
        } replaceComment: {
            $0
        }
        do { _ = try rewriter.data(of: document) } catch { throw RedactionProblem.notWritable }
        replacements.reserve(names)
        // What has no letters and digits is replaced by itself.
        kept = Set(places.indices.filter { replacements[places[$0].value] != places[$0].value })
        self.places = places
    }

    private mutating func redact() throws -> Redaction {
        var groups: [Replacements.Value: [Int]] = [:]
        for index in kept.sorted() { groups[places[index].value, default: []].append(index) }
        // Equal values stay equal as long as possible.
        try replace(groups.values.sorted { $0[0] < $1[0] }[...])
        // With another value replaced, one that was kept may be free.
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for index in kept.sorted() where !budget.isSpent { if try accept([index]) { hasChanged = true } }
        }
        return try result()
    }

    /// Replaces the values of these groups, as far as the document ends in the same way.
    private mutating func replace(_ groups: ArraySlice<[Int]>) throws {
        guard let first = groups.first else { return }
        if try accept(groups.joined()) { return }
        guard groups.count == 1 else {
            let middle = groups.startIndex + groups.count / 2
            try replace(groups[..<middle])
            return try replace(groups[middle...])
        }
        let value = places[first[0]].value
        for _ in 0..<Self.mostOthers
        where !places.indices.contains(where: { places[$0].value == value && !kept.contains($0) }) {
            guard replacements.change(value) else { break }
            if try accept(first) { return }
        }
        if first.count > 1 { try replace(first.map { [$0] }[...]) }
    }

    /// Replaces more values, if the document then ends in the same way.
    private mutating func accept(_ replaced: some Sequence<Int>) throws -> Bool {
        if budget.isSpent { throw RedactionProblem.budgetSpent }
        let fewer = kept.subtracting(replaced)
        // A property list cannot hold every number, for example.
        guard let changed = try? rewritten(keeping: fewer) else { return false }
        budget.spend(changed.byteCount, on: nil)
        guard try endsAlike(changed) else { return false }
        kept = fewer
        return true
    }

    private func rewritten(
        keeping kept: Set<Int>, visit: (_ place: Int?, _ path: DocumentPath) -> Void = { _, _ in }
    ) throws -> Document {
        try withoutActuallyEscaping(visit) { visit in
            var index = -1
            let rewriter = DocumentRewriter { value, path, isName in
                guard !isName || redactsNames else {
                    visit(nil, path)
                    return nil
                }
                index += 1
                visit(index, path)
                return kept.contains(index) ? nil : replacements[value]
            } replaceComment: {
                replacements[$0]
            }
            do {
                return try Document(parsing: SourceBytes(rewriter.data(of: document)), allowsJSON5: true)
            } catch {
                throw RedactionProblem.notWritable
            }
        }
    }

    private func result() throws -> Redaction {
        var (values, names, data): ([DocumentPath], [DocumentPath], [DocumentPath]) = ([], [], [])
        let redacted = try rewritten(keeping: kept) { place, path in
            guard let place, kept.contains(place) else { return }
            if places[place].isName { names.append(path) } else { values.append(path) }
        }
        if !redactsNames {
            func visit(_ node: DocumentNode, _ path: DocumentPath) {
                if node.hasNamesLikeData { data.append(path) }
                (node.held?.document.root ?? node).forEachStep { visit($1, path.appending($0)) }
            }
            visit(redacted.root, .root)
        }
        var redaction = Redaction(document: redacted, redactsNames: redactsNames)
        redaction.keptValues = redaction.folds.fold(values, in: redacted.root)
        redaction.keptNames = redaction.folds.fold(names, in: redacted.root)
        redaction.namedByData = redaction.folds.fold(data, in: redacted.root)
        return redaction
    }
}

extension DocumentNode {
    /// Whether the names of the members look like data: they have digits or signs that names of fields don't have, or
    /// there are several values of one kind.
    fileprivate var hasNamesLikeData: Bool {
        guard kind == .object else { return false }
        return looksLikeDictionary(of: 3)
            || members.contains { $0.name.wholeMatch(of: /[_$A-Za-z][_A-Za-z-]*[0-9]?/) == nil }
    }
}
