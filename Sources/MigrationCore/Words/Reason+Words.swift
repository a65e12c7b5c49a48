import DocumentModel
import Foundation

// The sentences of reasons. No code parses them.

extension Reason: CustomStringConvertible {
    /// The sentence for display on the screen, in reports, and as the ``MigrationFailure/message`` of a failure.
    public var description: String {
        switch self {
        case .field(let path, let problem): problem.sentence(path)
        case .thrown(let message), .text(let message, _, _, _): message
        case .unreadable(let problem): problem.description
        case .crashed(let crash, let frame): crash.words + (frame.map { ", in \($0)" } ?? "")
        case .notRecorded: "the trace does not say why"
        case .unwritable(let path, let found, let isPropertyList):
            "The migration left \(found.words) at \(path); a payload holds strings, finite numbers, Booleans, null, "
                + "arrays and dictionaries" + (isPropertyList ? ", dates and data" : "")
        case .timedOut(let seconds): "still running after \(seconds.formatted()) s"
        case .unsupportedVersion(let chain, let version, let path, let tried, let because):
            because.map {
                "\(withoutFullStop("\($0)")); the version could not be determined, tried \(Self.names(tried))"
            } ?? Self.elsewhere(chain, version, path, tried) ?? Self.unsupported(chain, version, tried)
        case .unsupportedInside(let type, _): "No version fits; the last one tried was \(type)"
        case .noShapeFits(let attempts, let nearest):
            attempts[nearest: nearest].map { "\($0.reason) (as \($0.type))" } ?? "No shape fits"
        case .unreachableTarget(let target, let version, let chain, let versions, let isStraight):
            Self.unreachable(target, version, chain, versions, isStraight)
        case .declared(let error): error.description
        case .notEncodable(let type, let because): "\(type) was made, but does not encode: \(because)"
        case .decodesOnly(let type): "\(type) was made, but only decodes: the app never writes it"
        case .malformed(let problem): problem.description
        case .notPreferences(let found):
            "Preferences are a property list with a dictionary at its root, but this is \(found?.text ?? "JSON")"
        case .otherVersion(let path, let type, let found, let expected):
            Self.otherVersion(path, type, "\(found)".abbreviated(), expected)
        case .noVersion(let path, let type): "there is no version at \(Self.place(path, type))"
        case .notAVersion(let path, let type, let found):
            "\(Self.place(path, type)) is \(found?.text ?? "something else"), which is not a version"
        case .otherVersionOfContainer(let found, let expected): "the container says \(found), not \(expected)"
        case .keysStoredDifferently(let paths, let count):
            paths.sentence(of: count) + " \(count == 1 ? "is" : "are") not as version 5 stores "
                + (count == 1 ? "it" : "them")
        case .poorFit(let chain, let fit): "\(chain): \(fit.words(of: chain))"
        case .keyedArchive(let type):
            "\(Self.archiveWords(type: type)), which NSKeyedArchiver wrote: its objects name one another by number, and only "
                + "the app's own classes read it"
        case .documentInside(let format, let isText):
            "the whole document is \(isText ? "a string" : "data") that contains "
                + (format.isPropertyList ? "a property list" : format == .json5 ? "JSON5" : "JSON")
                + ", as if it had been encoded twice; save what is inside as a file of its own to open it"
        case .tie(let chains, let version):
            (version.map { "version \($0) is known to " } ?? "it fits ") + list(chains, last: "and")
                + (version == nil ? " alike" : "")
        case .ambiguousShape(let isWhole, let taken, let others, let lost):
            "The \(isWhole ? "document" : "value") also decodes as \(list(others, last: "and as")), "
                + "and was taken for \(taken)"
                + (lost.isEmpty ? "" : ": what only an older shape reads is lost: \(lost.sentence())")
        case .droppedInside(let paths, let type): "\(paths.sentence()) of the \(type) inside is dropped"
        case .trailingComma(let location):
            "\(location): there is a comma before the closing bracket; Foundation's decoder opens it, stricter ones do not"
        case .commentsLost(let count, let first):
            "\(first): \(count == 1 ? "a comment" : "the first of \(count) comments"); migrating the document writes JSON, "
                + "without comments"
        case .caught(let reason, let attempts?):
            "\(attempts) attempts to decode failed, the first" + (reason.path.map { " at \($0)" } ?? "")
                + " (\(reason)), and were caught: the type tries several forms, of which one may be older"
        case .caught(let reason, nil):
            "a first attempt to decode failed" + (reason.path.map { " at \($0)" } ?? "")
                + " (\(reason)) and was caught: the type tries several forms, of which one may be older"
        case .fitsOtherVersion(let claimed, let fitting):
            "The document says version \(claimed), but has the fields of version \(fitting)"
        case .fitsOtherChains(let chain, let others):
            "The document counts as one of \(chain) because of its version; apart from that, it decodes whole as "
                + list(others, last: "and as")
        case .refusedByVersionedCodable(let type, let path):
            "The library VersionedCodable would refuse the document: it looks for the version only "
                + (path.map { "at \($0), where \(type) keeps it" } ?? "where \(type) keeps it")
        case .versionPassedOver(let path, let type):
            "The document counts as one without a version, as in VersionedCodable: \(Self.place(path, type)) is not looked "
                + "at, though \(type) keeps its version there"
        case .versionMisspelled(let path, let wanted):
            "The document counts as one without a version: \(path) may be a misspelling of \(wanted)"
        case .versionsOutOfOrder(let type, let first, let second):
            "\(type) declares version \(first) before \(second), but \(second) < \(first) is true; its versions come in the "
                + "order of their declaration"
        case .ofPart(let path, let reason): path.isRoot ? "\(reason)" : "\(path): \(reason)"
        }
    }

    /// The sentence with its path.
    public var sentenceWithPlace: String {
        if case .field(let path, let problem) = self, !problem.saysWhere { "\(self) at \(path)" } else { description }
    }

    /// Returns the sentence for a version that the chain has, found where documents of that version don't keep it.
    private static func elsewhere(
        _ chain: String, _ version: DocumentVersion?, _ path: DocumentPath?, _ tried: [ChainVersion]
    ) -> String? {
        guard let version, let path, tried.contains(where: { $0.version == version }) else { return nil }
        return "\(path) is \(version), but version \(version) of \(chain) keeps its version somewhere else"
    }

    private static func unsupported(_ chain: String, _ version: DocumentVersion?, _ tried: [ChainVersion]) -> String {
        switch version {
        case .number(let number), .written(let number, _), .values(let number?, _):
            let shown = "\(version ?? .unversioned)".abbreviated()
            let newest = tried.lazy.map(\.version).filter { $0.number != nil }
                .max { $0.number ?? 0 < $1.number ?? 0 }
            if let newest, number > newest.number ?? number {
                return "Version \(shown) is newer than the newest that \(chain) knows, \(newest)"
            }
            return "\(chain) has no version \(shown)"
        case .values(nil, let values):
            let shown = "\(version ?? .unversioned)".abbreviated()
            let missing = missing(in: values, tried)
            return missing.isEmpty
                ? "\(chain) has no version \(shown)"
                : "The version is incomplete: \(shown) without \(list(missing, last: "and"))"
        case .name(let name): return "\(chain) has no version \"\(name.abbreviated())\""
        case .unversioned, nil: return "The document has no version, and every version of \(chain) needs one"
        }
    }

    /// Returns the names of the values that a version of several values lacks.
    private static func missing(in values: Document, _ tried: [ChainVersion]) -> [String] {
        guard let whole = tried.lazy.compactMap(\.version.stated).first else { return [] }
        var names: [String] = []
        for node in whole.root.nodes where node.kind != .key && !node.kind.isContainer {
            if values.root.descendant(at: node.path) == nil, let name = node.path.lastKey { names.append(name) }
        }
        return names
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

    private static func names(_ versions: [ChainVersion]) -> String {
        versions.map { "\($0.version) (\($0.type))" }.joined(separator: ", ")
    }

    /// Returns a description of a file that NSKeyedArchiver wrote, with the class of its object.
    package static func archiveWords(type: String?) -> String { "a keyed archive\(type.map { " of \($0)" } ?? "")" }

    private static func place(_ path: DocumentPath?, _ type: String) -> String {
        path?.description ?? "the place where \(type) keeps its version"
    }

    private static func otherVersion(
        _ path: DocumentPath?, _ type: String, _ found: String, _ expected: DocumentVersion
    ) -> String {
        // A version of several values has no path of its own.
        let stated = path.map { "\($0) is \(found)" } ?? "the document says \(found)"
        if expected == .unversioned { return "\(type) has no version, but \(stated)" }
        return stated + (path == nil ? "; \(type) is \(expected)" : ", not \(expected)")
    }
}

extension ChainDeclarationError: CustomStringConvertible {
    /// The problem, and how to fix it.
    public var description: String {
        switch problem {
        case .keyDeclaredTwice(let key):
            "The chain \"\(chain)\" declares the key \"\(key)\" more than once; each key is declared once"
        case .noBridge(let key, let type):
            "The chain \"\(chain)\" declares the key \"\(key)\" with \(type), which is not Codable and has no bridge"
        }
    }
}

extension FieldProblem {
    fileprivate func sentence(_ path: DocumentPath) -> String {
        switch self {
        case .missingKey: "no value for \(path.lastKey ?? "the key")"
        case .mismatch(let expected, let found):
            "expected \(expected.words), found \(found.map(\.words) ?? "something else")"
        case .missingValue(let expected): "expected \(expected.words), found null"
        case .unrepresentable(let number, let type): "\(number) does not fit in \(type)"
        case .noCase(let type, let found, let cases):
            "\(found?.text ?? "the value") is not a value of \(type)"
                + (cases.map { "; its values are \(list($0, last: "and"))" } ?? "")
        case .wrongDate(let found, let form, let reads):
            (form?.words(found) ?? "expected a date, found \(found.words)")
                + (reads.map { "; this chain reads \($0.name)" } ?? "")
        case .wrongText(let expected, let found):
            "\(found?.text ?? "the text") is not \(expected == "URL" ? "a URL" : expected)"
        case .wrongName(let type, let found): "expected a name that is a \(type), found \(found.text)"
        case .notJSON(let problem): "The string is not JSON" + (problem.map { ": \($0)" } ?? ", but a property list")
        case .decoding(_, let message): message
        case .noLongerValid(let message):
            path.isRoot ? "\(withoutFullStop(message)); the migration named no field" : message
        case .forbiddenKeyPresent: "there is a key \(path.lastKey ?? "")"
        case .duplicateName(let isLastRead, let spellings, let string):
            (string.map { "in the JSON at \($0), " } ?? "") + "\(path) occurs more than once"
                + (spellings.map { ", as \(list($0.map { "\"\($0.inASCII)\"" }, last: "and as"))" } ?? "")
                + "; only the \(isLastRead ? "last" : "first") is read"
        case .hiddenField(let type):
            "\(type) has a field of its own at \(path), where the version key is: "
                + "the version is read into it, and written over it"
        case .nullLeftOut: "\(path) is null, which property lists do not have; it is left out"
        case .fractionLeftOut:
            "\(path) has a fraction of a second, which XML property lists do not have; it is left out"
        case .takenForJSON(let type):
            "\(path) reads as the JSON of \(type), so it was taken for a value of version 4; as a string it could be one "
                + "of version 5"
        case .keyedArchive(let type):
            "\(path) is \(Reason.archiveWords(type: type)), which NSKeyedArchiver wrote; what it contains is not compared"
        }
    }
}

extension Crash {
    /// The last message of the process, and the cause of its end unless the message says so itself.
    fileprivate var words: String {
        if cause == .outOfMemory { return "out of memory" }
        let place = place.map { " at \($0)" } ?? ""
        let cause =
            switch cause {
            case .exit(let status): "exit(\(status)) was called"
            case .outOfMemory, .killed: "killed, as the system does when memory runs out"
            case .stackOverflow: "stack overflow\(place)"
            case .trap:
                "trap\(place): a failed precondition, an index out of range, an overflow, or a nil that was unwrapped"
            case .abort: "abort() was called\(place)"
            case .badAccess: "an access to memory that is not there\(place)"
            case .arithmetic: "SIGFPE\(place)"
            case .unreadableAnswer:
                "the answer of the process that ran the app's code cannot be read, as when the code writes to memory "
                    + "or descriptors that are not its own"
            case .brokenRule(let rule):
                "the process that ran the app's code broke a rule of the program: \(rule.words)"
            case .disconnected: "the code closed or replaced descriptors that are not its own"
            case .stopped: "the process that ran the app's code was stopped (SIGSTOP), and did not go on"
            case .signal(let number): "ended by signal \(number)\(place)"
            }
        return lastWords.map { isVerdict ? $0 : "\($0) (\(cause))" } ?? cause
    }
}

extension WorkerRule {
    /// How the rule was broken.
    fileprivate var words: String {
        switch self {
        case .kind: "its answer is of a kind that was not asked for"
        case .memory: "it shared memory that can still change, or that is shorter than it said"
        case .document: "a document in its answer contradicts itself"
        case .sense: "its answer contradicts itself"
        case .descriptors: "it sent descriptors that belong to no answer"
        case .size: "it sent more than an answer about such a document can hold"
        }
    }
}

// MARK: - Values

extension ExpectedValue {
    fileprivate var words: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .keysAndValues: "keys and values in turn"
        case .jsonString(let type): "a string with the JSON of \(type)"
        case .value(let type): type
        }
    }
}

extension FoundValue {
    fileprivate var words: String {
        switch kind {
        case "null", "data": kind
        case "object", "array": "an \(kind)"
        case "boolean": "a Boolean"
        default: "a \(kind)"
        }
    }
}

extension UnwritableValue {
    fileprivate var words: String {
        switch self {
        case .key(let key): "the key \(key), which is no string,"
        case .number(let number): "the number \(number)"
        case .value(let type): "a value of \(type)"
        }
    }
}

extension DateForm {
    /// Returns what a value of this form may be.
    fileprivate func words(_ found: FoundValue) -> String {
        switch self {
        case .iso8601: "expected a date, found \(found.text), which is \(name)"
        case .day: "expected a date, found \(found.text), a day without a time"
        case .local: "expected a date, found \(found.text), in which there is no zone"
        case .secondsSince1970, .millisecondsSince1970, .secondsSince2001:
            "\(found.text) may be \(name)"
                + (Double(found.text).flatMap(date).map { ": \($0.formatted(.iso8601))" } ?? "")
        }
    }

    fileprivate var name: String {
        switch self {
        case .iso8601: "ISO 8601"
        case .day: "days"
        case .local: "times without a zone"
        case .secondsSince1970: "seconds since 1970"
        case .millisecondsSince1970: "milliseconds since 1970"
        case .secondsSince2001: "seconds since 2001"
        }
    }
}

// MARK: - Lists

private func withoutFullStop(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }

private func list(_ words: [String], last: String) -> String {
    guard let end = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) " + end
}

extension [DocumentPath] {
    /// Returns the paths separated by commas, and the number of further ones out of `count`. Paths that look the same
    /// but differ, because Unicode has two spellings of é, are written with code points.
    ///
    /// - Parameter folds: The meaning of folded paths.
    public func sentence(of count: Int? = nil, _ folds: PathFolds = PathFolds()) -> String {
        let spellings = Dictionary(grouping: Set(map { ExactText($0.description) }), by: \.string)
        let paths = map { path in
            let text = path.description
            return (spellings[text]?.count == 1 ? text : text.inASCII) + folds.words(path)
        }
        .joined(separator: ", ")
        guard let count, count > self.count else { return paths }
        return "\(paths) and \(count - self.count) more"
    }
}

extension PathFolds {
    /// Returns the number of values that a folded path stands for, in parentheses: ` (204 of 512)`, or ` (204)` if that
    /// is all of them. Empty for a path that isn't folded.
    package func words(_ path: DocumentPath) -> String {
        guard let entry = entries[path] else { return "" }
        return entry.count == entry.of ? " (\(entry.count))" : " (\(entry.count) of \(entry.of))"
    }
}

extension String {
    /// The text with code points in place of all non-ASCII characters.
    fileprivate var inASCII: String {
        escaping { $0.isASCII ? nil : $0.escaped(asASCII: true) }
    }
}

extension ChainFit {
    /// Why a document does not belong to a chain: `no version key; knows none of its 4 fields`.
    ///
    /// - Parameter chain: The name of the chain, which is not repeated as the name of a type.
    fileprivate func words(of chain: String) -> String {
        [versionWords, fieldWords(type == chain ? nil : type)].compactMap { $0 }.joined(separator: "; ")
    }

    private var versionWords: String? {
        switch version {
        case .known(let version): "has version \(version)"
        case .unknown(let version): "does not know version \("\(version)".abbreviated())"
        case .missing: "no version key"
        case .unreadable(let text): "cannot read \(text) as a version"
        case .notAsked: nil
        }
    }

    private func fieldWords(_ type: String?) -> String {
        let subject = type.map { "\($0) " } ?? ""
        if let root { return "expected an object, found \(root.words)" }
        let missing = shares.missingCount
        let needs = missing == 0 ? "" : "needs \(missing) more"
        if shares.nameCount == 0 { return "there are no fields to know it by" }
        if !shares.isComplete {
            return needs.isEmpty
                ? type.map { "not all fields of \($0) are known" } ?? "not all of its fields are known"
                : subject + needs
        }
        let all = shares.nameCount == 1 ? "its only field" : "its \(shares.nameCount) fields"
        switch shares.knownCount {
        case 0: return shares.nameCount == 1 ? "does not know \(all)" : "knows none of \(all)"
        case shares.nameCount: return "\(subject)knows \(all)" + (needs.isEmpty ? "" : ", but \(needs)")
        default: return "\(subject)knows \(shares.knownCount) of \(all)" + (needs.isEmpty ? "" : " and \(needs)")
        }
    }
}

extension Reason {
    /// Whether a value is meant to be left out, such as null in preferences.
    package var isLeftOut: Bool { if case .field(_, .nullLeftOut) = self { true } else { false } }

    /// The sentence about a value that was made, but for which there is no document.
    package var unwrittenSentence: String { isLeftOut ? description : "\(unwrittenWords): \(self)" }

    /// A short form of the sentence.
    package var unwrittenWords: String { isLeftOut ? "left out" : "opens, but cannot be written" }
}
