/// Finds the type of a chain that matches a document.
///
/// The version path of the newest type is read first. If it has a value, only that value counts, for every type of the
/// chain, as in VersionedCodable. A version that no type has is not supported, and a value that cannot be read is an
/// error.
///
/// VersionedCodable refuses a document without a value there, unless the newest type's spec reads that as no version
/// and one of the types is unversioned. This detector then reads the version paths of the older types, newest first,
/// and stops at the first that has a value: the value counts only if it is the version of a type that uses that path.
/// So documents still open after a later version has moved the key. A document is unversioned if all version paths are
/// empty.
struct VersionDetector: Sendable {
    private let chain: ErasedType<[any VersionedCodable.Type]>

    /// The types of the chain, newest first.
    var types: [any VersionedCodable.Type] { chain.type }

    /// The document's answer about its version at the version path of a type.
    struct Answer {
        /// The version path.
        var spec: any VersionPathSpec.Type
        /// The version, or nil if there is none.
        var version: Int?
        /// Why the version could not be read: the path does not exist, or its value is not a version.
        var error: (any Error)?
    }

    /// The result of a detection.
    struct Finding {
        /// The index in ``types`` of the type that matches the document.
        var match: Int?
        /// The document's answer at each version path, in the order in which they were read.
        var readings: [Answer]
        /// The version path at which ``match`` was found, or nil if no path had a version.
        var place: (any VersionPathSpec.Type)?

        /// Whether VersionedCodable opens the document too. It reads only the version path of the newest type.
        var isOfNewestPlace: Bool { readings.first.map { $0.spec == place } ?? false }
    }

    init(_ newest: any VersionedCodable.Type) {
        var types: [any VersionedCodable.Type] = []
        var next: (any VersionedCodable.Type)? = newest
        // A type that names itself or a later one as its previous version would otherwise cause an endless loop.
        while let type = next, !types.contains(where: { $0 == type }) {
            types.append(type)
            next = type.previousType
        }
        chain = ErasedType(types)
    }

    /// Reads the version at each version path through `read`.
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
    /// Reads the version through `read`.
    init(at spec: any VersionPathSpec.Type, reading read: (any VersionPathSpec.Type) throws -> Int?) {
        self.spec = spec
        do { version = try read(spec) } catch { self.error = error }
    }

    /// Whether there is a value where the version should be, but it isn't a version.
    var isRefused: Bool {
        switch error {
        case nil, DecodingError.keyNotFound?, DecodingError.valueNotFound?: false
        default: true
        }
    }
}

extension VersionDetector.Finding {
    /// The version path and the error if no version could be read: those of a value that isn't a version, or else those
    /// of the newest type. Nil if a version was read.
    var refusal: (spec: any VersionPathSpec.Type, error: any Error)? {
        guard readings.allSatisfy({ $0.version == nil }) else { return nil }
        let answer = readings.first(where: \.isRefused) ?? readings.first
        return answer.flatMap { answer in answer.error.map { (answer.spec, $0) } }
    }

    /// Whether a decoder could not read the value at an older type's version path, rather than the spec itself refusing
    /// it.
    var isUnreadableAtOlderPlace: Bool {
        guard let refusal, refusal.spec != readings.first?.spec else { return false }
        return refusal.error is DecodingError
    }

    /// Returns the error for a document that no type of the chain matches: the newest type's own error if no version
    /// was found at all, or else an error that names the oldest type, which was tried last.
    func error(tried types: [any VersionedCodable.Type]) -> any Error {
        let unsupported = VersionedDecodingError.unsupportedVersion(tried: types.last ?? NothingEarlier.self)
        return isUnreadableAtOlderPlace ? unsupported : refusal?.error ?? unsupported
    }
}

extension VersionedCodable {
    /// The type of the previous version, or nil for the oldest type.
    fileprivate static var previousType: (any VersionedCodable.Type)? {
        PreviousVersion.self == NothingEarlier.self ? nil : PreviousVersion.self
    }

    /// The version path of the type.
    static var spec: any VersionPathSpec.Type { VersionSpec.self }
}
