/// Finds the type of a chain that a document is of.
///
/// The place where the newest type keeps its version is asked first, and an answer there counts for every type of the
/// chain, no version included: this is how VersionedCodable reads. Only a document that says nothing there, or a
/// version that no type has, is asked at the places of the older types, newest first; a version counts there if a type
/// that keeps its version at that place has it. So documents still open when a later version moves the key.
struct VersionDetector: Sendable {
    private let chain: ErasedType<[any VersionedCodable.Type]>

    /// The types of the chain, newest first.
    var types: [any VersionedCodable.Type] { chain.type }

    /// What the document says of its version at the place where one type keeps it.
    struct Answer {
        /// The kind of place.
        var spec: any VersionPathSpec.Type
        /// The version; nil where there is none.
        var version: Int?
        /// Why it could not be read: the place does not exist, or what is there is no version.
        var error: (any Error)?
    }

    /// What was found.
    struct Finding {
        /// The index in ``types`` of the type that the document is of.
        var match: Int?
        /// What the document says at each kind of place, in the order in which they were asked.
        var readings: [Answer]
        /// The kind of place where ``match`` was found; nil if no place said so.
        var place: (any VersionPathSpec.Type)?
    }

    init(_ newest: any VersionedCodable.Type) {
        var types: [any VersionedCodable.Type] = []
        var next: (any VersionedCodable.Type)? = newest
        // A type that names itself, or a later one, as its previous version would otherwise lead round for ever.
        while let type = next, !types.contains(where: { $0 == type }) {
            types.append(type)
            next = type.previousType
        }
        chain = ErasedType(types)
    }

    /// Asks the document, through `read`, at each kind of place.
    func find(reading read: (any VersionPathSpec.Type) throws -> Int?) -> Finding {
        var readings: [Answer] = []
        func answer(at spec: any VersionPathSpec.Type) -> Answer {
            if let known = readings.first(where: { $0.spec == spec }) { return known }
            var answer = Answer(spec: spec)
            do { answer.version = try read(spec) } catch { answer.error = error }
            readings.append(answer)
            return answer
        }
        let newest = answer(at: types[0].spec)
        if newest.error == nil, let match = types.firstIndex(where: { $0.version == newest.version }) {
            return Finding(match: match, readings: readings, place: newest.spec)
        }
        for (index, type) in types.enumerated() {
            if let version = answer(at: type.spec).version, version == type.version {
                return Finding(match: index, readings: readings, place: type.spec)
            }
        }
        // Where not even the newest type's place exists, the document may be from before there were versions.
        let isUnversioned = newest.version == nil && !newest.isRefused
        return Finding(match: isUnversioned ? types.firstIndex { $0.version == nil } : nil, readings: readings)
    }
}

extension VersionDetector.Answer {
    /// Whether there is something where the version should be, but no version.
    var isRefused: Bool {
        switch error {
        case nil, DecodingError.keyNotFound?, DecodingError.valueNotFound?: false
        default: true
        }
    }
}

extension VersionDetector.Finding {
    /// Why no version could be read, and at which kind of place: the first where there is something that is no version,
    /// else that of the newest type. Nil where a version was read.
    var refusal: (spec: any VersionPathSpec.Type, error: any Error)? {
        guard readings.allSatisfy({ $0.version == nil }) else { return nil }
        let answer = readings.first(where: \.isRefused) ?? readings.first
        return answer.flatMap { answer in answer.error.map { (answer.spec, $0) } }
    }

    /// The error for a document that no type of the chain fits: the reader's own where no version was found at all.
    /// Where there is a version, the oldest type is named, which was looked at last.
    func error(tried types: [any VersionedCodable.Type]) -> any Error {
        refusal?.error ?? VersionedDecodingError.unsupportedVersion(tried: types.last ?? NothingEarlier.self)
    }
}

extension VersionedCodable {
    /// The type of the version before; nil for the oldest.
    fileprivate static var previousType: (any VersionedCodable.Type)? {
        PreviousVersion.self == NothingEarlier.self ? nil : PreviousVersion.self
    }

    /// Where the version is kept.
    static var spec: any VersionPathSpec.Type { VersionSpec.self }
}
