import DocumentModel
import Foundation

/// Decides which changes of a failing document keep its meaning. Any other change that opens the document shows what is
/// at fault, but not what is right.
struct Repairs: Sendable {
    private let document: Document
    private let failure: MigrationFailure
    private let outlines: [VersionOutline]

    /// - Parameter outlines: The fields of the versions that the document may have, as far as they are known.
    init(of document: Document, _ failure: MigrationFailure, outlines: [VersionOutline]) {
        self.document = document
        self.failure = failure.spelled(by: outlines)
        self.outlines = outlines
    }

    /// Returns whether a change keeps what the document means.
    func contains(_ edit: DocumentEdit) -> Bool {
        switch edit {
        case .remove: return false
        case .rename(let path, let name):
            guard let old = path.lastKey else { return false }
            let parent = path.parent ?? .root
            // A field that the type knows is not a misspelling of another one.
            let known = outlines.filter { $0[path].map { $0.path.components.last == .everyMember } ?? true }.map {
                outline in
                outline.names(inside: parent).filter { document.root.descendant(at: parent)?[$0] == nil }
            }
            return (outlines.isEmpty ? [[]] : known).contains {
                Self.isNearest(name, to: old, among: $0 + cases)
            }
        case .add(let path, let value):
            if isStatedInside(path, value.root) { return true }
            if outlines.contains(where: { $0[path]?.choices.count == 1 }) { return true }
            guard let siblings = siblings(of: path), !mayHaveOtherName(path, value.root) else { return false }
            // Two values are easily equal by chance.
            return siblings.count > 2 && siblings.allSatisfy { $0 != nil }
                && others(of: path).allSatisfy { $0.isEqual(to: value.root) }
        case .set(let path, let value):
            guard let old = document.root.descendant(at: path), !isOfOtherShape(path) else { return false }
            return isStatedInside(path, value.root)
                || Self.isSameRead(old, value.root) && isTextLikeSiblings(value.root, at: path)
                    && !isOfUnknownEpoch(value.root, at: path)
                || isNearestChoice(value.root, to: old, at: path) || isHeldObject(value.root, in: old, at: path)
                || isDate(path) && DateReading.isSame(old, value.root, read: dateForm)
        }
    }

    /// Returns whether a value is the version that the document in a container states itself, and the path is that of the
    /// container's version.
    private func isStatedInside(_ path: DocumentPath, _ value: DocumentNode) -> Bool {
        guard path.lastKey == DocumentNode.versionName, let parent = path.parent,
            let instance = document.root.descendant(at: parent)?[DocumentNode.instanceName],
            outlines.contains(where: {
                !$0.names(inside: parent.appending(key: DocumentNode.instanceName)).isEmpty
            })
        else { return false }
        let stated = (instance.held?.document.root ?? instance)[DocumentNode.versionName]
        return stated?.isEqual(to: value) == true
    }

    /// Returns whether the nearest shape, which reports the error, expects another type there than the shapes that know
    /// the most fields.
    private func isOfOtherShape(_ path: DocumentPath) -> Bool {
        guard failure.isOfShape, case .field(path, .mismatch(.value(let wanted), _)) = failure.complaint else {
            return false
        }
        let types = outlines.compactMap { $0[path]?.type }
        return !types.isEmpty && !types.contains(wanted)
    }

    /// Returns whether a change only replaces a value by the same value, read as another kind or spelled differently.
    func isSameRead(_ edit: DocumentEdit) -> Bool {
        guard case .set(let path, let value) = edit, let old = document.root.descendant(at: path) else { return false }
        return Self.isSameRead(old, value.root) && isTextLikeSiblings(value.root, at: path)
    }

    /// Returns whether the field has only similar strings in the other elements, if a number or a Boolean became a
    /// string. A 5 where others have words doesn't show which word was meant.
    private func isTextLikeSiblings(_ new: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .string, let old = document.root.descendant(at: path), old.kind != .string else {
            return true
        }
        let texts = others(of: path).compactMap(\.string)
        return !texts.isEmpty && siblings(of: path)?.contains { $0?.kind == .string } == true
            && texts.allSatisfy { text in
                old.kind == .number
                    ? TrialValues.number(spelledBy: text) != nil
                    : Document(text: text).root.spelledBoolean != nil
            }
    }

    /// Returns whether a number stands for a date, and the epoch is unknown because not all other elements have numbers
    /// there.
    private func isOfUnknownEpoch(_ new: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .number, isDate(path) else { return false }
        let hasNumbers = siblings(of: path)?.allSatisfy { $0?.kind == .number } ?? false
        return !hasNumbers || others(of: path).contains { $0.kind != .number }
    }

    /// Returns whether a record has a value of the same kind under a name that no other record has and no type knows.
    /// It may be the missing one.
    private func mayHaveOtherName(_ path: DocumentPath, _ value: DocumentNode) -> Bool {
        guard let parent = path.parent, let record = document.root.descendant(at: parent) else { return false }
        let known = Set(
            ((siblings(of: path, up: 1) ?? []).flatMap { $0.map { Array($0.members) } ?? [] }.map(\.name)
                + outlines.flatMap { $0.names(inside: parent) }).map { ExactText($0) })
        return record.members.contains { $0.value.kind == value.kind && !known.contains(ExactText($0.name)) }
    }

    /// Returns the field in all other places, in any elements of arrays.
    private func others(of path: DocumentPath) -> [DocumentNode] {
        let own = document.root.descendant(at: path)?.id
        return document.root.values(along: path.foldingIndices).filter { $0.id != own }
    }

    /// Returns the field in the other elements of the innermost array around it, with nil for an element that lacks it.
    /// Returns nil unless there are at least two other elements.
    ///
    /// - Parameter levels: The number of levels to go up from the field, such as 1 for the records that contain it.
    private func siblings(of path: DocumentPath, up levels: Int = 0) -> [DocumentNode?]? {
        let components = path.components
        let position = components.lastIndex { if case .index = $0 { true } else { false } }
        guard let position, case .index(let own) = components[position], position < components.count - 1,
            let array = document.root.descendant(at: DocumentPath(Array(components[..<position]))), array.count > 2
        else { return nil }
        let rest = DocumentPath(Array(components[(position + 1)...].dropLast(levels)))
        return array.elements.enumerated().filter { $0.offset != own }.map { $0.element.descendant(at: rest) }
    }

    /// Returns whether two values are the same, but of different kinds or spelled differently.
    private static func isSameRead(_ old: DocumentNode, _ new: DocumentNode) -> Bool {
        switch (old.kind, new.kind) {
        case (.string, .string):
            guard let old = old.string, let new = new.string else { return false }
            if old.trimmingCharacters(in: .whitespacesAndNewlines) == new { return true }
            // The letters may differ in case, and the words in their separators. Separators next to digits may be
            // significant.
            return old.isName && new.isName && old.lettersInOneCase == new.lettersInOneCase
        case (.string, .number):
            return old.string.flatMap(TrialValues.number)?.root.isEqual(to: new) ?? false
        case (.number, .string): return new.string == old.numberText
        case (.string, .boolean), (.number, .boolean): return old.spelledBoolean == new.boolean
        case (.boolean, .string): return new.spelledBoolean == old.boolean
        default: return false
        }
    }

    /// Returns whether the value is the JSON object inside a string, where the error asks for an object. For an array,
    /// it isn't known whether the strings should be its elements, or the string itself is one element.
    private func isHeldObject(_ new: DocumentNode, in old: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .object, case .field(path, .mismatch(.object, _)) = failure.complaint else { return false }
        return old.heldJSON?.root.isEqual(to: new) == true
    }

    /// Returns whether the value is the only case of the field's type that the old value may be a misspelling of.
    private func isNearestChoice(_ new: DocumentNode, to old: DocumentNode, at path: DocumentPath) -> Bool {
        guard let old = old.string, let new = new.string else { return false }
        return isChoice(new, at: path) && !isChoice(old, at: path)
            && Self.isNearest(new, to: old, among: choices(at: path))
    }

    /// Returns whether a change sets a text to the only case of the field's type that it may be a misspelling of.
    func isNearestChoice(_ edit: DocumentEdit) -> Bool {
        guard case .set(let path, let value) = edit, let old = document.root.descendant(at: path) else { return false }
        return isNearestChoice(value.root, to: old, at: path)
    }

    /// Returns whether a text is a case of the field's type, as far as its cases are known.
    func isChoice(_ text: String, at path: DocumentPath) -> Bool { choices(at: path).contains { $0.isExactly(text) } }

    private func choices(at path: DocumentPath) -> [String] {
        (outlines.lazy.compactMap { $0[path] }.first?.choices.compactMap(\.root.string) ?? []) + cases
    }

    /// The only cases of an enum, according to the error.
    private var cases: [String] {
        if case .field(_, .noCase(_, _, let cases?)) = failure.complaint { cases } else { [] }
    }

    /// Returns whether a name is the only one of several that another name may be a misspelling of.
    private static func isNearest(_ new: String, to old: String, among names: [String]) -> Bool {
        let name = FieldName(old)
        func isAlike(_ other: String) -> Bool { name.isMisspelling(of: FieldName(other)) }
        return isAlike(new) && !names.contains { isAlike($0) && !$0.isExactly(new) }
    }

    /// Returns whether the type asks for a date there.
    private func isDate(_ path: DocumentPath) -> Bool {
        if case .field(path, .wrongDate) = failure.complaint {
            true
        } else {
            outlines.contains { $0[path]?.type == "Date" }
        }
    }

    /// The form of date that the chain reads, if known.
    private var dateForm: DateForm? {
        if case .field(_, .wrongDate(_, _, let reads)) = failure.complaint { reads } else { nil }
    }
}

extension String {
    /// Whether the string consists of letters, and of the separators between the words of names.
    var isName: Bool {
        contains(where: \.isLetter) && allSatisfy { $0.isLetter || $0 == " " || $0 == "_" || $0 == "-" }
    }

    fileprivate var lettersInOneCase: String { filter(\.isLetter).lowercased() }
}

extension DocumentNode {
    /// The Boolean that a string or a number spells, or nil for any other value.
    var spelledBoolean: Bool? {
        let text = numberText.flatMap(Double.init).map { $0 == 1 ? "1" : $0 == 0 ? "0" : "" } ?? string ?? ""
        switch text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
        case "true", "yes", "y", "on", "1": return true
        case "false", "no", "n", "off", "0": return false
        default: return nil
        }
    }
}
