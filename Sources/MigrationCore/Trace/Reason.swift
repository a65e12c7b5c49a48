import DocumentModel
import Foundation

/// The reason for a failure, for rejecting a version, or for a warning. It is data, with the paths and values involved.
///
/// A reason holds facts, not their wording. Its sentence is ``description``. In a trace file, a reason is an object
/// with the name of the case and its fields: `{"field": {"path": "$.author", "problem": {"missingKey": {}}}}`.
///
/// Paths are those that the error names. They use the names of the type, and start at the root of the document that the
/// reason is reported for.
public indirect enum Reason: Sendable, Hashable, Codable {
    /// A field is wrong, or has something worth knowing.
    case field(path: DocumentPath, problem: FieldProblem)

    // MARK: Errors thrown by a migration

    /// An error other than ``VersionedDecodingError/fieldNoLongerValid(_:)``, in the words of its author.
    case thrown(message: String)
    /// A closure left a value in the payload that documents of this format cannot hold.
    case unwritable(path: DocumentPath, found: UnwritableValue, isPropertyList: Bool)
    /// The app's code ended the process. The frame is the function of the app in which that happened, and its source
    /// location, if known.
    case crashed(Crash, frame: String? = nil)
    /// The app's code ran longer than allowed.
    case timedOut(seconds: Double)

    // MARK: No path through the chain

    /// No version of the chain matches the document. `because` is the reason the version could not be read.
    case unsupportedVersion(
        chain: String, version: DocumentVersion?, path: DocumentPath?, tried: [ChainVersion], because: Reason?)
    /// A chain of the app, used inside a step, has no version that fits.
    case unsupportedInside(type: String, tried: [DocumentVersion])
    /// No shape fits. `attempts` are newest first; the one at `nearest` reads the most of the document.
    case noShapeFits(attempts: [ShapeFailure], nearest: Int?)
    /// The chain does not lead from `version` to `target`. `isStraight` is true if every version migrates directly to
    /// the newest.
    case unreachableTarget(
        target: DocumentVersion, version: DocumentVersion, chain: String, versions: [DocumentVersion],
        isStraight: Bool)
    /// The chain has an invalid declaration, so it opens no document.
    case declared(ChainDeclarationError)
    /// A value was made, but its type could not encode it.
    case notEncodable(type: String, because: Reason)
    /// A value was made, but its type is not encodable.
    case decodesOnly(type: String)

    // MARK: No document

    /// The text is not a document.
    case malformed(problem: ParseProblem)
    /// The document is not a property list with a dictionary at its root.
    case notPreferences(found: FoundValue?)
    /// The bytes cannot be read.
    case unreadable(problem: SourceProblem)

    // MARK: Reasons for rejecting a version

    /// The document has another version where the type keeps it. `expected` is ``DocumentVersion/unversioned`` for a
    /// type without a version key.
    case otherVersion(path: DocumentPath?, type: String, found: DocumentVersion, expected: DocumentVersion)
    /// The document has no version where the type keeps it.
    case noVersion(path: DocumentPath?, type: String)
    /// The value where the type keeps the version is not a version.
    case notAVersion(path: DocumentPath?, type: String, found: FoundValue?)
    /// The container of the document states another version.
    case otherVersionOfContainer(found: DocumentVersion, expected: DocumentVersion)
    /// Preference keys are not stored as the version stores them. `paths` are the first of them, and `count` is their
    /// number.
    case keysStoredDifferently(paths: [DocumentPath], count: Int)

    // MARK: Reasons for a chain not to claim the document

    /// How well the document fits the chain.
    case poorFit(chain: String, fit: ChainFit)
    /// The document is a keyed archive of objects, not a document in the app's own shape. `type` is its class, if it is
    /// stated.
    case keyedArchive(type: String?)
    /// The document is a single string or data that contains another document, for example because it was encoded
    /// twice.
    case documentInside(format: DocumentFormat, isText: Bool)
    /// Several chains fit equally well. `version` is the version that all of them know, if the document has one.
    case tie(chains: [String], version: DocumentVersion?)

    // MARK: Warnings

    /// More than one shape fits. `lost` contains the fields that only an older shape reads.
    case ambiguousShape(isWhole: Bool, taken: String, others: [String], lost: [DocumentPath])
    /// Fields of a part that is stored in its own form are dropped.
    case droppedInside(paths: [DocumentPath], type: String)
    /// A comma precedes a closing bracket. The app's decoder accepts that.
    case trailingComma(location: SourceLocation)
    /// The text is JSON5 and has comments, which the migrated document, in JSON, does not contain.
    case commentsLost(count: Int, first: SourceLocation)
    /// A type caught the failure of its first attempt to decode itself and continued. The document may have an older
    /// shape than it seems.
    /// Further attempts at the same value, or inside it, are only counted.
    case caught(Reason, attempts: Int? = nil)
    /// The document states one version, but has exactly the fields of another.
    case fitsOtherVersion(claimed: DocumentVersion, fitting: DocumentVersion)
    /// The document counts as one of `chain` because it states a version of that, and fails. Apart from the version, it
    /// decodes whole as a document of other chains, which look for no version.
    case fitsOtherChains(chain: String, others: [String])
    /// The document opens here, but VersionedCodable refuses it: that library looks for a version only where the newest
    /// type keeps it, and finds none there. `path` is that location, if it can be determined.
    case refusedByVersionedCodable(type: String, path: DocumentPath?)
    /// The document counts as unversioned, as in VersionedCodable, although it has a value where an older type keeps
    /// its version.
    case versionPassedOver(path: DocumentPath?, type: String)
    /// The document counts as unversioned, although it has a member whose name may be a misspelling of the version's key.
    case versionMisspelled(path: DocumentPath, wanted: DocumentPath)
    /// The declaration lists `first` before `second`, but `<` orders these versions of the type the other way around.
    case versionsOutOfOrder(type: String, first: DocumentVersion, second: DocumentVersion)
    /// A reason that applies to a part of the document.
    case ofPart(path: DocumentPath, Reason)

    /// A sentence without data, from a trace file of version 1.
    case text(
        String, kind: MigrationFailure.Kind = .thrown, path: DocumentPath? = nil, tried: [DocumentVersion]? = nil)
    /// The trace file does not give the reason.
    case notRecorded
}

/// How the app's code ended its process.
public struct Crash: Sendable, Hashable, Codable {
    /// The causes of a crash.
    public enum Cause: Sendable, Hashable, Codable {
        /// The code called `exit` with this status.
        case exit(Int32)
        case outOfMemory, stackOverflow
        /// A failed precondition, or another trap of Swift.
        case trap
        /// The code called `abort`.
        case abort
        /// An access to invalid memory.
        case badAccess
        /// A division without a result.
        case arithmetic
        /// The process was killed. The system does that when memory runs out.
        case killed
        /// The answer of the process cannot be read.
        case unreadableAnswer
        /// The answer of the process breaks a rule.
        case brokenRule(WorkerRule)
        /// Communication with the process was lost: its descriptors were closed or replaced.
        case disconnected
        /// The process was stopped and never continued.
        case stopped
        case signal(Int32)
    }

    /// The cause of the crash.
    public var cause: Cause
    /// The code address where the process ended, as an offset into its module.
    public var place: String?
    /// The last message of the process on standard error.
    public var lastWords: String?
    /// Whether the last message says why the process ended.
    public var isVerdict = false

    /// Creates a crash from its parts.
    public init(_ cause: Cause, place: String? = nil, lastWords: String? = nil, isVerdict: Bool = false) {
        self.cause = cause
        self.place = place
        self.lastWords = lastWords
        self.isVerdict = isVerdict
    }

    /// A string that is equal for crashes with the same cause, regardless of their last messages.
    var identity: String {
        let name =
            switch cause {
            case .exit(let status): "exit \(status)"
            case .outOfMemory: "outOfMemory"
            case .stackOverflow: "stackOverflow"
            case .trap: "trap"
            case .abort: "abort"
            case .badAccess: "badAccess"
            case .arithmetic: "arithmetic"
            case .killed: "killed"
            case .unreadableAnswer: "unreadableAnswer"
            case .brokenRule(let rule): "brokenRule \(rule.rawValue)"
            case .disconnected: "disconnected"
            case .stopped: "stopped"
            case .signal(let number): "signal \(number)"
            }
        return place.map { "\(name) at \($0)" } ?? name
    }
}

/// The rules for the answers of a process that runs the app's code. The app's code can break them, because it shares an
/// address space with the code that answers.
public enum WorkerRule: String, Sendable, Hashable, Codable {
    /// An answer is of the kind that was requested.
    case kind
    /// Shared memory can no longer change, and is as long as the answer says.
    case memory
    /// A document is well-formed: its nodes match its text.
    case document
    /// An answer does not contradict itself.
    case sense
    /// Descriptors arrive with the answer that they belong to.
    case descriptors
    /// An answer is no larger than an answer about such a document can be.
    case size
}

/// A problem with a field, or something worth knowing about it.
public enum FieldProblem: Sendable, Hashable, Codable {
    // MARK: Errors of a decoder

    /// The key at the end of the path is missing.
    case missingKey
    /// The value is of another kind.
    case mismatch(expected: ExpectedValue, found: FoundValue?)
    /// The value is null.
    case missingValue(expected: ExpectedValue)
    /// The number does not fit in the type. `number` is the number as written, shortened if it is long.
    case unrepresentable(number: String, type: String)
    /// The enum has no such case. `cases` are its raw values, if known.
    case noCase(type: String, found: FoundValue?, cases: [String]?)
    /// The value is not a date under the app's strategy. `form` is the form that the value seems to have, and `reads`
    /// the form that the strategy reads, if it is one of the known forms.
    case wrongDate(found: FoundValue, form: DateForm?, reads: DateForm? = nil)
    /// The text is not of the expected kind, such as `Base64` or `URL`.
    case wrongText(expected: String, found: FoundValue?)
    /// A key of a dictionary cannot be converted to the dictionary's key type.
    case wrongName(type: String, found: FoundValue)
    /// The string is not JSON. `because` is nil if it is a property list.
    case notJSON(because: ParseProblem?)
    /// A `DecodingError` in the words of the app's own type.
    case decoding(kind: MigrationFailure.Kind, message: String)

    // MARK: Other errors

    /// ``VersionedDecodingError/fieldNoLongerValid(_:)``, in the words of its author. The path is the root if the
    /// migration named no field.
    case noLongerValid(message: String)
    /// The key is present, although documents of this shape do not have it.
    case forbiddenKeyPresent

    // MARK: Warnings

    /// The name occurs more than once in its object. `spellings` are the names in order, if they are canonically
    /// equivalent in Unicode but spelled differently. `string` is the path of the string whose JSON contains the
    /// object.
    case duplicateName(isLastRead: Bool, spellings: [String]?, string: DocumentPath?)
    /// The type has another field where the version key is.
    case hiddenField(type: String)
    /// The null is left out, because property lists have no null.
    case nullLeftOut
    /// The fraction of a second in the date is left out, because XML property lists have none.
    case fractionLeftOut
    /// The string is the JSON of the old type and was read as that, although it could also be a plain string of the new
    /// version.
    case takenForJSON(type: String)
    /// The value contains a keyed archive, whose contents are not read, compared or changed. `type` is its class, if it
    /// is stated.
    case keyedArchive(type: String?)
}

/// The value that a type expects.
public enum ExpectedValue: Sendable, Hashable, Codable {
    case object, array
    /// An array that alternates between keys and values.
    case keysAndValues
    /// A string that contains the JSON of a type.
    case jsonString(type: String)
    /// A value of the named type.
    case value(type: String)

    init(_ type: any Any.Type) {
        let name = String(describing: type)
        self =
            name.hasPrefix("Dictionary<") ? .object : name.hasPrefix("Array<") ? .array : .value(type: typeName(type))
    }
}

/// A value that was found: its kind, and the beginning of its text if it is a scalar.
public struct FoundValue: Sendable, Hashable, Codable {
    /// `object`, `array`, `string`, `number`, `boolean`, `null`, `date` or `data`.
    public var kind: String
    /// A short form of the value: for a scalar, its JSON, shortened if it is long; for a container, the number of its
    /// elements.
    public var text: String
}

extension FoundValue {
    init(_ node: DocumentNode) { self.init(kind: String(describing: node.kind), text: node.briefText) }
}

/// A value that a closure left in a payload although no document can hold it.
public enum UnwritableValue: Sendable, Hashable, Codable {
    /// A key that is not a string, by its description.
    case key(String)
    /// A number that is not finite.
    case number(String)
    /// A value of the named type.
    case value(type: String)
}

/// A form in which dates are stored.
public enum DateForm: String, Sendable, Hashable, Codable {
    case iso8601, secondsSince1970, millisecondsSince1970, secondsSince2001
    /// A day without a time: `2024-01-31`.
    case day
    /// A day and a time without a zone: `2024-01-31T12:00:00`.
    case local

    /// Creates the form that the value seems to have. Returns nil if it isn't a date in any of these forms.
    init?(_ node: DocumentNode) {
        if let text = node.string {
            func isDate(_ text: String) -> Bool { (try? Date.ISO8601FormatStyle().parse(text)) != nil }
            guard
                let form = [(text, Self.iso8601), (text + "T00:00:00Z", .day), (text + "Z", .local)].first(where: {
                    isDate($0.0)
                })
            else { return nil }
            self = form.1
        } else if let number = node.numberText.flatMap(Double.init) {
            // Between 2001 and 2100. A lower number is more likely to count from 2001.
            let years = 978_307_200.0...4_102_444_800.0
            self =
                years.contains(number)
                ? .secondsSince1970 : years.contains(number / 1000) ? .millisecondsSince1970 : .secondsSince2001
        } else {
            return nil
        }
    }

    /// Creates the form that a strategy reads. Returns nil if that depends on the app's own code.
    init?(_ strategy: JSONDecoder.DateDecodingStrategy) {
        switch strategy {
        case .deferredToDate: self = .secondsSince2001
        case .secondsSince1970: self = .secondsSince1970
        case .millisecondsSince1970: self = .millisecondsSince1970
        case .iso8601: self = .iso8601
        default: return nil
        }
    }

    /// Returns the date for a number in this form, or nil for a text form.
    func date(_ number: Double) -> Date? {
        switch self {
        case .secondsSince1970: Date(timeIntervalSince1970: number)
        case .millisecondsSince1970: Date(timeIntervalSince1970: number / 1000)
        case .secondsSince2001: Date(timeIntervalSinceReferenceDate: number)
        case .iso8601, .day, .local: nil
        }
    }
}

/// One shape that was tried, and why it does not fit.
public struct ShapeFailure: Sendable, Hashable, Codable {
    /// The name of the type.
    public var type: String
    /// Why it does not fit.
    public var reason: Reason
}

extension [ShapeFailure] {
    /// Returns the attempt at an index, or nil if the index is out of range, as it may be in a trace file.
    subscript(nearest index: Int?) -> ShapeFailure? { index.flatMap { indices.contains($0) ? self[$0] : nil } }
}
