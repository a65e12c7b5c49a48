import DocumentModel

extension Reason: CustomStringConvertible {
    /// The sentence, as a person reads it: on the screen, in reports and as the ``MigrationFailure/message`` of a
    /// failure.
    public var description: String { Sentence(self).text }
}

/// All sentences of reasons. Nothing takes one apart again.
struct Sentence {
    let text: String

    init(_ reason: Reason) { text = Self.text(reason) }

    private static func text(_ reason: Reason) -> String {
        switch reason {
        case .missingKey(let path), .requiredKeyAbsent(let path): "no value for \(path.lastKey ?? "the key")"
        case .mismatch(_, let expected, let found):
            "expected \(words(expected)), found \(found.map(words) ?? "something else")"
        case .missingValue(_, let expected): "expected \(words(expected)), found null"
        case .unrepresentable(_, let number, let type): "\(number) does not fit in \(type)"
        case .noCase(_, let type, let found, let cases):
            "\(found?.text ?? "the value") is not a value of \(type)"
                + (cases.map { "; its values are \(list($0, last: "and"))" } ?? "")
        case .wrongDate(_, let found, let form): wrongDate(found, form)
        case .wrongText(_, let expected, let found): "\(found?.text ?? "the text") is not \(article(expected))"
        case .wrongName(_, let type, let found): "expected a name that is a \(type), found \(found.text)"
        case .decoding(_, _, let message): message
        case .noLongerValid(let path, let message):
            path.isRoot ? "\(withoutFullStop(message)); the migration named no field" : message
        case .thrown(let message), .text(let message, _, _, _), .unreadable(let message): message
        case .unwritable(let path, let found, let isPropertyList):
            "The migration left \(found) at \(path); a payload holds strings, finite numbers, Booleans, null, arrays and "
                + "dictionaries" + (isPropertyList ? ", dates and data" : "")
        case .crashed(let message): message
        case .timedOut(let seconds): "still running after \(seconds.formatted()) s"
        case .unsupportedVersion(let chain, let version, _, let tried, let because):
            because.map { "\(withoutFullStop("\($0)")); the version could not be determined, tried \(names(tried))" }
                ?? unsupported(chain, version, tried)
        case .unsupportedInside(let type, _): "No version fits; the last one tried was \(type)"
        case .noShapeFits(let attempts, let nearest): noShapeFits(attempts, nearest)
        case .unreachableTarget(let target, let version, let chain, let versions, let isStraight):
            unreachable(target, version, chain, versions, isStraight)
        case .notEncodable(let type, let because): "\(type) was made, but does not encode: \(because)"
        case .decodesOnly(let type): "\(type) was made, but only decodes: the app never writes it"
        case .malformed(let found, let expected): "found \(found)" + (expected.map { ", expected \($0)" } ?? "")
        case .notJSON(_, let found, let expected):
            "The string is not JSON: found \(found)" + (expected.map { ", expected \($0)" } ?? "")
        case .notPreferences(let found):
            "Preferences are a property list with a dictionary at its root, but this is \(found?.text ?? "JSON")"
        case .otherVersion(let path, let type, let found, let expected):
            expected == .unversioned
                ? "\(type) has no version, but \(place(path, type)) is \(found)"
                : "\(place(path, type)) is \(found), not \(expected)"
        case .noVersion(let path, let type): "there is no version at \(place(path, type))"
        case .notAVersion(let path, let type, let found):
            "\(place(path, type)) is \(found?.text ?? "something else"), which is not a version"
        case .otherVersionOfContainer(let found, let expected): "the container says \(found), not \(expected)"
        case .forbiddenKeyPresent(let path): "there is a key \(path.lastKey ?? "")"
        case .keysStoredDifferently(let paths, let count):
            joined(paths, of: count) + " \(count == 1 ? "is" : "are") not as version 5 stores "
                + (count == 1 ? "it" : "them")
        case .poorFit(let chain, let fit): "\(chain): \(FitWords(fit).text)"
        case .tie(let chains, let version):
            (version.map { "version \($0) is known to " } ?? "it fits ") + list(chains, last: "and")
                + (version == nil ? " alike" : "") + "; choose with --chain NAME"
        case .duplicateName(let path, let isLastRead, let string):
            (string.map { "in the JSON at \($0), " } ?? "")
                + "\(path) occurs more than once; only the \(isLastRead ? "last" : "first") is read"
        case .ambiguousShape(let isWhole, let taken, let others, let lost):
            "The \(isWhole ? "document" : "value") also decodes as \(list(others, last: "and as")), "
                + "and was taken for \(taken)"
                + (lost.isEmpty ? "" : ": what only an older shape reads is lost: \(joined(lost, of: lost.count))")
        case .hiddenField(let type, let path):
            "\(type) has a field of its own at \(path), where the version key is: "
                + "the version is read into it, and written over it"
        case .nullLeftOut(let path): "\(path) is null, which property lists do not have; it is left out"
        case .fractionLeftOut(let path):
            "\(path) has a fraction of a second, which XML property lists do not have; it is left out"
        case .takenForJSON(let path, let type):
            "\(path) reads as the JSON of \(type), so it was taken for a value of version 4; as a string it could be one "
                + "of version 5"
        case .droppedInside(let paths, let type): "\(joined(paths, of: paths.count)) of the \(type) inside is dropped"
        case .trailingComma(let location):
            "\(location): a comma stands before the closing bracket; the app's decoder opens it, others do not"
        case .caught(let reason):
            "a first attempt to decode failed" + (reason.path.map { " at \($0)" } ?? "")
                + " (\(reason)) and was caught: the document may be of an older shape"
        case .fitsOtherVersion(let claimed, let fitting):
            "The document says version \(claimed), but has the fields of version \(fitting)"
        case .ofPart(let path, let reason): path.isRoot ? "\(reason)" : "\(path): \(reason)"
        }
    }

    // MARK: - Versions

    private static func unsupported(_ chain: String, _ version: DocumentVersion?, _ tried: [ChainVersion]) -> String {
        switch version {
        case .number(let number):
            let newest = tried.lazy.compactMap { if case .number(let number) = $0.version { number } else { nil } }
                .max()
            if let newest, number > newest {
                return "Version \(number) is newer than the newest that \(chain) knows, \(newest)"
            }
            return "\(chain) has no version \(number)"
        case .name(let name): return "\(chain) has no version \"\(name)\""
        case .unversioned, nil: return "The document has no version, and every version of \(chain) needs one"
        }
    }

    private static func unreachable(
        _ target: DocumentVersion, _ version: DocumentVersion, _ chain: String, _ versions: [DocumentVersion],
        _ isStraight: Bool
    ) -> String {
        let known = list(versions.map(\.description), last: "and")
        guard versions.contains(target) else { return "\(chain) has no version \(target); its versions are \(known)" }
        return isStraight
            ? "\(chain) goes straight to version \(versions.last ?? target), not to version \(target)"
            : "The document is of version \(version); a chain cannot go back to version \(target)"
    }

    private static func noShapeFits(_ attempts: [ShapeFailure], _ nearest: Int?) -> String {
        guard let nearest else { return "No shape fits" }
        return "\(attempts[nearest].reason) (as \(attempts[nearest].type))"
    }

    private static func names(_ versions: [ChainVersion]) -> String {
        versions.map { "\($0.version) (\($0.type))" }.joined(separator: ", ")
    }

    private static func place(_ path: DocumentPath?, _ type: String) -> String {
        path?.description ?? "where \(type) keeps its version"
    }

    // MARK: - Values

    private static func words(_ expected: ExpectedValue) -> String {
        switch expected {
        case .object: "an object"
        case .array: "an array"
        case .keysAndValues: "keys and values in turn"
        case .jsonString(let type): "a string with the JSON of \(type)"
        case .value(let type): type
        }
    }

    private static func words(_ found: FoundValue) -> String {
        switch found.kind {
        case "null": "null"
        case "object", "array": "an \(found.kind)"
        case "boolean": "a Boolean"
        case "data": "data"
        default: "a \(found.kind)"
        }
    }

    private static func wrongDate(_ found: FoundValue, _ form: DateForm?) -> String {
        switch form {
        case .iso8601:
            "expected a date, found \(found.text), an ISO 8601 date: the chain needs the date strategy .iso8601"
        case .secondsSince1970, .millisecondsSince1970:
            "expected a date, found \(found.text), which looks like "
                + (form == .secondsSince1970 ? "seconds" : "milliseconds") + " since 1970: the chain needs the date "
                + "strategy .\(form?.rawValue ?? "")"
        case .secondsSince2001:
            "expected a date, found \(found.text), which looks like seconds since 2001: the chain needs the date "
                + "strategy .deferredToDate"
        case nil: "expected a date, found \(words(found))"
        }
    }

    // MARK: - Lists

    private static func article(_ noun: String) -> String { noun == "URL" ? "a URL" : noun }

    private static func withoutFullStop(_ text: String) -> String {
        text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private static func list(_ words: [String], last: String = "or") -> String {
        guard let end = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) " + end
    }

    private static func joined(_ paths: [DocumentPath], of count: Int) -> String {
        let named = paths.map(\.description).joined(separator: ", ")
        return count > paths.count ? "\(named) and \(count - paths.count) more" : named
    }
}

/// Why a document does not belong to a chain: `no version key; knows none of its 4 fields`.
struct FitWords {
    private let fit: ChainFit

    init(_ fit: ChainFit) { self.fit = fit }

    var text: String { [versionWords, fieldWords].compactMap { $0 }.joined(separator: "; ") }

    private var versionWords: String? {
        switch fit.version {
        case .known(let version): "has version \(version)"
        case .unknown(let version): "does not know version \(version)"
        case .missing: "no version key"
        case .notAsked: nil
        }
    }

    private var fieldWords: String {
        let missing = fit.shares.missingCount
        let needs = missing == 0 ? "" : "needs \(missing) more"
        if fit.shares.nameCount == 0 { return "there are no fields to know it by" }
        if !fit.shares.isComplete {
            return needs.isEmpty ? "not all fields of \(fit.type) are known" : "\(fit.type) \(needs)"
        }
        let all = fit.shares.nameCount == 1 ? "its only field" : "its \(fit.shares.nameCount) fields"
        switch fit.shares.knownCount {
        case 0: return fit.shares.nameCount == 1 ? "does not know \(all)" : "knows none of \(all)"
        case fit.shares.nameCount: return "\(fit.type) knows \(all)" + (needs.isEmpty ? "" : ", but \(needs)")
        default: return "\(fit.type) knows \(fit.shares.knownCount) of \(all)" + (needs.isEmpty ? "" : " and \(needs)")
        }
    }
}

extension Sequence<Reason> {
    /// Why no chain claims a document, in a few words: the chains that claim it alike, if that is so.
    public var unrecognizedSentence: String {
        for case .tie(let chains, let version) in self { return "\(Reason.tie(chains: chains, version: version))" }
        return "belongs to no chain this program knows"
    }
}
