/// Finds the type of a chain that a document is of.
///
/// The place where the newest type keeps its version is asked first. What stands there alone decides, for every type of
/// the chain: this is how VersionedCodable reads. A version that no type has is not supported, and what cannot be read is
/// an error.
///
/// VersionedCodable refuses a document that has nothing there, unless the newest type's spec reads that as no version and
/// a type has none. Here the places of older types are asked then, newest first, and the first that has anything decides:
/// a version counts there if a type that keeps its version at that place has it, and nothing else does. So documents still
/// open when a later version moves the key. A document is without a version where all places are empty.
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

        /// Whether VersionedCodable opens the document too: it asks the newest type's place only.
        var isOfNewestPlace: Bool { readings.first.map { $0.spec == place } ?? false }
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
            let answer = Answer(at: spec, reading: read)
            readings.append(answer)
            return answer
        }
        let newest = answer(at: types[0].spec)
        let unversioned = types.firstIndex { $0.version == nil }
        if newest.version != nil || newest.isRefused || newest.error == nil && unversioned != nil {
            let match = newest.error == nil ? types.firstIndex { $0.version == newest.version } : nil
            return Finding(match: match, readings: readings, place: match == nil ? nil : newest.spec)
        }
        for type in types.dropFirst() {
            let found = answer(at: type.spec)
            if found.isRefused { return Finding(readings: readings) }
            guard found.version != nil else { continue }
            let match = types.firstIndex { $0.spec == found.spec && $0.version == found.version }
            return Finding(match: match, readings: readings, place: match == nil ? nil : found.spec)
        }
        return Finding(match: unversioned, readings: readings)
    }
}

extension VersionDetector.Answer {
    /// Asks the document, through `read`.
    init(at spec: any VersionPathSpec.Type, reading read: (any VersionPathSpec.Type) throws -> Int?) {
        self.spec = spec
        do { version = try read(spec) } catch { self.error = error }
    }

    /// Whether there is something where the version should be, but no version.
    var isRefused: Bool {
        switch error {
        case nil, DecodingError.keyNotFound?, DecodingError.valueNotFound?: false
        default: true
        }
    }
}

extension VersionDetector.Finding {
    /// Why no version could be read, and at which kind of place: that where there is something that is no version, else
    /// that of the newest type. Nil where a version was read.
    var refusal: (spec: any VersionPathSpec.Type, error: any Error)? {
        guard readings.allSatisfy({ $0.version == nil }) else { return nil }
        let answer = readings.first(where: \.isRefused) ?? readings.first
        return answer.flatMap { answer in answer.error.map { (answer.spec, $0) } }
    }

    /// Whether a decoder could make nothing of what stands at an older type's place. The spec has not said so itself.
    var isUnreadableAtOlderPlace: Bool {
        guard let refusal, refusal.spec != readings.first?.spec else { return false }
        return refusal.error is DecodingError
    }

    /// The error for a document that no type of the chain fits: the newest place's own where no version was found at
    /// all. Where there is something, the oldest type is named, which was looked at last.
    func error(tried types: [any VersionedCodable.Type]) -> any Error {
        let unsupported = VersionedDecodingError.unsupportedVersion(tried: types.last ?? NothingEarlier.self)
        return isUnreadableAtOlderPlace ? unsupported : refusal?.error ?? unsupported
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
