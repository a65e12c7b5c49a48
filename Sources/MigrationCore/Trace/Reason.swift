import DocumentModel
import Foundation

/// Why: of a failure, of a version that a document is not of, of a warning. Data, with the paths and values that it is
/// about.
///
/// A reason says what is the case and not how it is put. Its sentence is ``description``. In a trace file a reason is
/// an object with the name of the case and its fields: `{"field": {"path": "$.author", "problem": {"missingKey": {}}}}`.
///
/// Paths are those that the error names, in the names of the type, from the root of the document that the reason is
/// told of.
public indirect enum Reason: Sendable, Hashable, Codable {
    /// What is wrong with a field, or what to know of it.
    case field(path: DocumentPath, problem: FieldProblem)

    // MARK: What a migration throws

    /// An error other than ``VersionedDecodingError/fieldNoLongerValid(_:)``, in its author's words.
    case thrown(message: String)
    /// A closure left a value in the payload that no document of its format can hold.
    case unwritable(path: DocumentPath, found: UnwritableValue, isPropertyList: Bool)
    /// The app's code ended the process. The frame is the function of the app, and its place, where that happened, where
    /// it is known.
    case crashed(Crash, frame: String? = nil)
    /// The app's code ran longer than it may.
    case timedOut(seconds: Double)

    // MARK: Why there is no way through the chain

    /// No version of the chain is the document's. `because` is what kept the version from being read.
    case unsupportedVersion(
        chain: String, version: DocumentVersion?, path: DocumentPath?, tried: [ChainVersion], because: Reason?)
    /// A chain of the app's own, inside a step, has no version that fits.
    case unsupportedInside(type: String, tried: [DocumentVersion])
    /// No shape fits. Of `attempts`, newest first, the one at `nearest` reads most of the document.
    case noShapeFits(attempts: [ShapeFailure], nearest: Int?)
    /// The chain does not lead from `version` to `target`. `isStraight` if it goes from every version straight to the
    /// newest.
    case unreachableTarget(
        target: DocumentVersion, version: DocumentVersion, chain: String, versions: [DocumentVersion],
        isStraight: Bool)
    /// The chain is not declared as it should be, so it opens no document.
    case declared(ChainDeclarationError)
    /// A value was made, and its type does not encode it.
    case notEncodable(type: String, because: Reason)
    /// A value was made, and its type is not encodable.
    case decodesOnly(type: String)

    // MARK: Why there is no document

    /// The text is not a document.
    case malformed(problem: ParseProblem)
    /// The document is not a property list with a dictionary at its root.
    case notPreferences(found: FoundValue?)
    /// The bytes cannot be read.
    case unreadable(problem: SourceProblem)

    // MARK: Why a version is not the document's

    /// The document says another version where the type keeps it. `expected` is ``DocumentVersion/unversioned`` for a
    /// type that has no version key.
    case otherVersion(path: DocumentPath?, type: String, found: DocumentVersion, expected: DocumentVersion)
    /// There is no version where the type keeps it.
    case noVersion(path: DocumentPath?, type: String)
    /// What stands where the type keeps the version is none.
    case notAVersion(path: DocumentPath?, type: String, found: FoundValue?)
    /// The container that holds the document says another version.
    case otherVersionOfContainer(found: DocumentVersion, expected: DocumentVersion)
    /// Keys of preferences are not stored as the version stores them: the first of them, and how many there are.
    case keysStoredDifferently(paths: [DocumentPath], count: Int)

    // MARK: Why a chain does not claim the document

    /// How far the document fits the chain.
    case poorFit(chain: String, fit: ChainFit)
    /// The document is an archive of objects, not a document of the app's own shape; of that class, where it says it.
    case keyedArchive(type: String?)
    /// More than one chain fits alike. `version` is the version that all of them know, if the document has one.
    case tie(chains: [String], version: DocumentVersion?)

    // MARK: What to know though nothing failed

    /// More than one shape fits. `lost` is what only an older one reads.
    case ambiguousShape(isWhole: Bool, taken: String, others: [String], lost: [DocumentPath])
    /// Fields of a part that is stored in a form of its own are dropped.
    case droppedInside(paths: [DocumentPath], type: String)
    /// A comma stands before a closing bracket; the app's decoder opens it.
    case trailingComma(location: SourceLocation)
    /// A type caught the failure of a first attempt to decode itself, and went on: the document may be of an older
    /// shape than it seems.
    case caught(Reason)
    /// The document says one version, and has all the fields of another and no others.
    case fitsOtherVersion(claimed: DocumentVersion, fitting: DocumentVersion)
    /// The document opens here, but VersionedCodable refuses it: that library looks for a version only where the newest
    /// type keeps it, and there is none. `path` is that place, where it can be told.
    case refusedByVersionedCodable(type: String, path: DocumentPath?)
    /// The document counts as one without a version, as in VersionedCodable, though there is something where an older type
    /// keeps its version.
    case versionPassedOver(path: DocumentPath?, type: String)
    /// The versions of a type come in the order of their declaration, `first` before `second`, and `<` says otherwise.
    case versionsOutOfOrder(type: String, first: DocumentVersion, second: DocumentVersion)
    /// A reason that is about a part of the document.
    case ofPart(path: DocumentPath, Reason)

    /// Words that no code looks into: of a trace file of version 1.
    case text(
        String, kind: MigrationFailure.Kind = .thrown, path: DocumentPath? = nil, tried: [DocumentVersion]? = nil)
    /// The trace file does not say why.
    case notRecorded
}

/// How the app's code ended its process.
public struct Crash: Sendable, Hashable, Codable {
    /// What ended it.
    public enum Cause: Sendable, Hashable, Codable {
        /// `exit` was called with that status.
        case exit(Int32)
        case outOfMemory, stackOverflow
        /// A failed precondition, and what else Swift traps.
        case trap
        /// `abort` was called.
        case abort
        /// An access to memory that is not there.
        case badAccess
        /// A division that has no result.
        case arithmetic
        /// The process was killed, as the system does when memory runs out.
        case killed
        /// What the process answered cannot be read.
        case unreadableAnswer
        /// What the process answered breaks a rule.
        case brokenRule(WorkerRule)
        /// The process could no longer be talked with: its descriptors were closed, or replaced.
        case disconnected
        /// The process was stopped, and nobody had it go on.
        case stopped
        case signal(Int32)
    }

    /// What ended it.
    public var cause: Cause
    /// Where in the code that was, in its module.
    public var place: String?
    /// What it said last on standard error.
    public var lastWords: String?
    /// Whether that says why it ended.
    public var isVerdict = false

    /// Makes an account of a crash from its parts.
    public init(_ cause: Cause, place: String? = nil, lastWords: String? = nil, isVerdict: Bool = false) {
        self.cause = cause
        self.place = place
        self.lastWords = lastWords
        self.isVerdict = isVerdict
    }

    /// What is the same for crashes of one cause, whatever the process said last.
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

/// What a program relies on in the answers of a process that runs the app's code. The code can break it: it runs in the
/// same address space as what answers for it.
public enum WorkerRule: String, Sendable, Hashable, Codable {
    /// An answer is of the kind that was asked for.
    case kind
    /// Memory that is shared can no longer change, and is as long as the answer says.
    case memory
    /// A document is one: its nodes stand for its text.
    case document
    /// An answer does not contradict itself.
    case sense
    /// Descriptors come with the answer that they are for.
    case descriptors
    /// An answer is no larger than one about such a document can be.
    case size
}

/// What is wrong with a field, or what to know of it.
public enum FieldProblem: Sendable, Hashable, Codable {
    // MARK: What a decoder has against a value

    /// The key at the end of the path is not there.
    case missingKey
    /// The value is of another kind.
    case mismatch(expected: ExpectedValue, found: FoundValue?)
    /// The value is null.
    case missingValue(expected: ExpectedValue)
    /// The number, as it is written, but cut off where it is long, does not fit in the type.
    case unrepresentable(number: String, type: String)
    /// The enum has no such case. `cases` are its raw values, where they are known.
    case noCase(type: String, found: FoundValue?, cases: [String]?)
    /// The value is no date under the app's strategy. `form` is what it looks like, `reads` what the strategy reads, where
    /// that is one of the forms.
    case wrongDate(found: FoundValue, form: DateForm?, reads: DateForm? = nil)
    /// The text is not what the name says: `Base64`, `URL`.
    case wrongText(expected: String, found: FoundValue?)
    /// A key of a dictionary does not describe a value of the type of its keys.
    case wrongName(type: String, found: FoundValue)
    /// The string is not JSON. `because` is nil where it is a property list.
    case notJSON(because: ParseProblem?)
    /// A `DecodingError` in the words of the app's own type.
    case decoding(kind: MigrationFailure.Kind, message: String)

    // MARK: What else is against it

    /// ``VersionedDecodingError/fieldNoLongerValid(_:)``, in its author's words. The path is the root where the
    /// migration named no field.
    case noLongerValid(message: String)
    /// The key is there, and documents of the shape do not have it.
    case forbiddenKeyPresent

    // MARK: What to know though nothing failed

    /// The name occurs more than once in its object. `spellings` are the names in their order where they are the same
    /// to Unicode, but not to the letter. `string` is the path of the string whose JSON the object is in.
    case duplicateName(isLastRead: Bool, spellings: [String]?, string: DocumentPath?)
    /// The type has a field of its own here, where the version key is.
    case hiddenField(type: String)
    /// The null is left out, because property lists have none.
    case nullLeftOut
    /// The fraction of the date's second is left out, because XML property lists have none.
    case fractionLeftOut
    /// The string reads as the JSON of the old type and was taken for that, though as a string it could be of the new
    /// version.
    case takenForJSON(type: String)
}

/// What a type asks for.
public enum ExpectedValue: Sendable, Hashable, Codable {
    case object, array
    /// An array of keys and values in turn.
    case keysAndValues
    /// A string with the JSON of a type.
    case jsonString(type: String)
    /// A value of a type, by its name.
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
    /// The value in a few words: a scalar as JSON writes it, cut off where it is long; of a container how much is
    /// inside.
    public var text: String
}

extension FoundValue {
    init(_ node: DocumentNode) { self.init(kind: String(describing: node.kind), text: node.briefText) }
}

/// What a closure left in a payload and no document can hold.
public enum UnwritableValue: Sendable, Hashable, Codable {
    /// A key that is no string, as it describes itself.
    case key(String)
    /// A number that is not finite.
    case number(String)
    /// A value of a type, by its name.
    case value(type: String)
}

/// A form in which dates are stored.
public enum DateForm: String, Sendable, Hashable, Codable {
    case iso8601, secondsSince1970, millisecondsSince1970, secondsSince2001
    /// A day without a time: `2024-01-31`.
    case day
    /// A day and a time without a zone: `2024-01-31T12:00:00`.
    case local

    /// What the value looks like; nil for what is no date in any of these forms.
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
            // Between 2001 and 2100; before that, a number is more likely to count from 2001.
            let years = 978_307_200.0...4_102_444_800.0
            self =
                years.contains(number)
                ? .secondsSince1970 : years.contains(number / 1000) ? .millisecondsSince1970 : .secondsSince2001
        } else {
            return nil
        }
    }

    /// What a strategy reads; nil where that depends on the app's own code.
    init?(_ strategy: JSONDecoder.DateDecodingStrategy) {
        switch strategy {
        case .deferredToDate: self = .secondsSince2001
        case .secondsSince1970: self = .secondsSince1970
        case .millisecondsSince1970: self = .millisecondsSince1970
        case .iso8601: self = .iso8601
        default: return nil
        }
    }

    /// The date that a number says in this form; nil for a form of text.
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
    /// The attempt at an index; nil for one that there is not, as a trace file may say it.
    subscript(nearest index: Int?) -> ShapeFailure? { index.flatMap { indices.contains($0) ? self[$0] : nil } }
}
