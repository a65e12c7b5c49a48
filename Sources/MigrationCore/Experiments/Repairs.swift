import DocumentModel
import Foundation

/// Which changes of a document that fails keep what it means. Any other with which it opens shows what is at fault, and
/// not what is right.
struct Repairs: Sendable {
    private let document: Document
    private let failure: MigrationFailure
    private let outlines: [VersionOutline]

    /// - Parameter outlines: The fields of the versions that the document may have, as far as they are known.
    init(of document: Document, _ failure: MigrationFailure, outlines: [VersionOutline]) {
        self.document = document
        self.failure = failure
        self.outlines = outlines
    }

    /// Whether a change keeps what the document means.
    func contains(_ edit: DocumentEdit) -> Bool {
        switch edit {
        case .remove: return false
        case .rename(let path, let name):
            guard let old = path.lastKey else { return false }
            let parent = path.parent ?? .root
            // A field that the type knows by its own name is not another one, misspelt.
            let known = outlines.filter { $0[path] == nil }.map { outline in
                outline.names(inside: parent).filter { document.root.descendant(at: parent)?[$0] == nil }
            }
            return (outlines.isEmpty ? [[]] : known).contains {
                Self.isNearest(name, to: old, among: $0 + cases)
            }
        case .add(let path, let value):
            if outlines.contains(where: { $0[path]?.choices.count == 1 }) { return true }
            guard let siblings = siblings(of: path), !mayHaveOtherName(path, value.root) else { return false }
            // Two values are easily equal by chance.
            return siblings.count > 2 && siblings.allSatisfy { $0 != nil }
                && others(of: path).allSatisfy { $0.isEqual(to: value.root) }
        case .set(let path, let value):
            guard let old = document.root.descendant(at: path), !isOfOtherShape(path) else { return false }
            return Self.isSameRead(old, value.root) && isTextLikeSiblings(value.root, at: path)
                && !isOfUnknownEpoch(value.root, at: path)
                || isNearestChoice(value.root, to: old, at: path) || isHeldObject(value.root, in: old, at: path)
                || isDate(path) && DateReading.isSame(old, value.root, read: dateForm)
        }
    }

    /// Whether the shape that came nearest, and complains, wants another type there than those that know most of the document.
    private func isOfOtherShape(_ path: DocumentPath) -> Bool {
        guard failure.isOfShape, case .field(path, .mismatch(.value(let wanted), _)) = failure.complaint else {
            return false
        }
        let types = outlines.compactMap { $0[path]?.type }
        return !types.isEmpty && !types.contains(wanted)
    }

    /// Whether a change only puts the same value there, read as another kind or spelled in another way.
    func isSameRead(_ edit: DocumentEdit) -> Bool {
        guard case .set(let path, let value) = edit, let old = document.root.descendant(at: path) else { return false }
        return Self.isSameRead(old, value.root) && isTextLikeSiblings(value.root, at: path)
    }

    /// Whether the field holds nothing but such texts in the other elements, where a number or a Boolean became a text: 5 in place of
    /// words does not say which words they were.
    private func isTextLikeSiblings(_ new: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .string, let old = document.root.descendant(at: path), old.kind != .string else {
            return true
        }
        let texts = others(of: path).compactMap(\.string)
        return !texts.isEmpty && siblings(of: path)?.contains { $0?.kind == .string } == true
            && texts.allSatisfy { text in
                old.kind == .number
                    ? TrialValues.document(text)?.root.kind == .number
                    : Document(text: text).root.spelledBoolean != nil
            }
    }

    /// Whether a number stands for a date, and not all other elements have numbers there that tell from when it counts.
    private func isOfUnknownEpoch(_ new: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .number, isDate(path) else { return false }
        let hasNumbers = siblings(of: path)?.allSatisfy { $0?.kind == .number } ?? false
        return !hasNumbers || others(of: path).contains { $0.kind != .number }
    }

    /// Whether a record has a value of a kind under a name that no other record has and no type knows: it may be the one that
    /// is missing.
    private func mayHaveOtherName(_ path: DocumentPath, _ value: DocumentNode) -> Bool {
        guard let parent = path.parent, let record = document.root.descendant(at: parent) else { return false }
        let known = Set(
            ((siblings(of: path, up: 1) ?? []).flatMap { $0.map { Array($0.members) } ?? [] }.map(\.name)
                + outlines.flatMap { $0.names(inside: parent) }).map { ExactText($0) })
        return record.members.contains { $0.value.kind == value.kind && !known.contains(ExactText($0.name)) }
    }

    /// The field wherever else it is, in elements of whatever arrays.
    private func others(of path: DocumentPath) -> [DocumentNode] {
        let own = document.root.descendant(at: path)?.id
        return document.root.values(along: path.foldingIndices).filter { $0.id != own }
    }

    /// The field in the other elements of the innermost array that it is in, nil for one that lacks it; nil where there are
    /// not two.
    ///
    /// - Parameter levels: How far above the field; 1 for the records that it is in.
    private func siblings(of path: DocumentPath, up levels: Int = 0) -> [DocumentNode?]? {
        let components = path.components
        let position = components.lastIndex { if case .index = $0 { true } else { false } }
        guard let position, case .index(let own) = components[position], position < components.count - 1,
            let array = document.root.descendant(at: DocumentPath(Array(components[..<position]))), array.count > 2
        else { return nil }
        let rest = DocumentPath(Array(components[(position + 1)...].dropLast(levels)))
        return array.elements.enumerated().filter { $0.offset != own }.map { $0.element.descendant(at: rest) }
    }

    /// Whether two values are the same, read as two kinds, or spelled in two ways.
    private static func isSameRead(_ old: DocumentNode, _ new: DocumentNode) -> Bool {
        switch (old.kind, new.kind) {
        case (.string, .string):
            guard let old = old.string, let new = new.string else { return false }
            if old.trimmingCharacters(in: .whitespacesAndNewlines) == new { return true }
            // Letters in another case, words with other signs between them. Signs beside digits may mean something.
            return old.isName && new.isName && old.lettersInOneCase == new.lettersInOneCase
        case (.string, .number):
            let text = old.string?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
            return TrialValues.document(text).map { $0.root.kind == .number && $0.root.isEqual(to: new) } ?? false
        case (.number, .string): return new.string == old.numberText
        case (.string, .boolean), (.number, .boolean): return old.spelledBoolean == new.boolean
        case (.boolean, .string): return new.spelledBoolean == old.boolean
        default: return false
        }
    }

    /// Whether the value is the object that a string holds as JSON where the error wants an object. Of an array it is not known
    /// whether its elements are the strings that are wanted, or the string is one.
    private func isHeldObject(_ new: DocumentNode, in old: DocumentNode, at path: DocumentPath) -> Bool {
        guard new.kind == .object, case .field(path, .mismatch(.object, _)) = failure.complaint else { return false }
        return old.heldJSON?.root.isEqual(to: new) == true
    }

    /// Whether the value is the one case of the field's type that the old value may be, misspelt.
    private func isNearestChoice(_ new: DocumentNode, to old: DocumentNode, at path: DocumentPath) -> Bool {
        guard let old = old.string, let new = new.string else { return false }
        let choices = (outlines.lazy.compactMap { $0[path] }.first?.choices ?? []) + cases
        return choices.contains { $0.isExactly(new) } && !choices.contains { $0.isExactly(old) }
            && Self.isNearest(new, to: old, among: choices)
    }

    /// The cases of an enum of which the error says that it has no other.
    private var cases: [String] {
        if case .field(_, .noCase(_, _, let cases?)) = failure.complaint { cases } else { [] }
    }

    /// Whether a name is the only one of several that another may be, misspelt.
    private static func isNearest(_ new: String, to old: String, among names: [String]) -> Bool {
        let name = FieldName(old)
        func isAlike(_ other: String) -> Bool { name.isMisspelling(of: FieldName(other)) }
        return isAlike(new) && !names.contains { isAlike($0) && !$0.isExactly(new) }
    }

    /// Whether the type asks for a date there.
    private func isDate(_ path: DocumentPath) -> Bool {
        if case .field(path, .wrongDate) = failure.complaint {
            true
        } else {
            outlines.contains { $0[path]?.type == "Date" }
        }
    }

    /// What the chain reads as a date, where that is known.
    private var dateForm: DateForm? {
        if case .field(_, .wrongDate(_, _, let reads)) = failure.complaint { reads } else { nil }
    }
}

extension String {
    /// Whether it is made of letters, and of the signs between the words of names.
    var isName: Bool {
        contains(where: \.isLetter) && allSatisfy { $0.isLetter || $0 == " " || $0 == "_" || $0 == "-" }
    }

    fileprivate var lettersInOneCase: String { filter(\.isLetter).lowercased() }
}

extension DocumentNode {
    /// The Boolean that a text or a number spells; nil for any other.
    var spelledBoolean: Bool? {
        let text = numberText.flatMap(Double.init).map { $0 == 1 ? "1" : $0 == 0 ? "0" : "" } ?? string ?? ""
        switch text.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() {
        case "true", "yes", "y", "on", "1": return true
        case "false", "no", "n", "off", "0": return false
        default: return nil
        }
    }
}
