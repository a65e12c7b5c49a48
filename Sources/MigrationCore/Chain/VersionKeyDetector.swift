import DocumentModel

/// Detection by the version key: the results of ``VersionDetector``, expressed as stages.
struct VersionKeyDetector<Newest: VersionedCodable>: ChainDetector {
    private let chain: VersionedTypes

    init(decoding: DecodingStrategies, encoding: EncodingStrategies) {
        chain = VersionedTypes(VersionDetector(Newest.self), decoding, encoding)
    }

    /// How the documents of each type state their version, newest first, as far as it can be determined.
    var statements: [VersionStatement?] { chain.statements }

    /// The versions of the types as documents write them, newest first.
    var versions: [DocumentVersion] { chain.documentVersions }

    /// Returns the edits that make a document state the type at an index, newest first. Empty if they cannot be
    /// determined.
    func written(ofType index: Int) -> [DocumentEdit] {
        guard let values = statements[index]?.values, let written = chain.writtenVersions[index] else { return [] }
        return values.compactMap { path in
            written.root.descendant(at: path).map { .set(path, Document(copying: $0)) }
        }
    }

    func detect(_ reading: Reading) -> DetectedStage {
        chain.usualStage(of: reading) ?? VersionSearch(chain, reading).detected
    }
}

/// The types of a chain, and the facts that are the same for all documents.
private final class VersionedTypes: Sendable {
    let detector: VersionDetector
    /// How the documents of each type state their version, as far as it can be determined.
    let statements: [VersionStatement?]
    /// The path where each type keeps its version, as far as it can be determined.
    let paths: [DocumentPath?]
    /// The version of each type as documents write it.
    let documentVersions: [DocumentVersion]
    /// The names of the types.
    let names: [String]
    /// The part of a document in which each type writes its version, or nil for a type without a version.
    let writtenVersions: [Document?]
    /// The parts of documents in which the types write their versions.
    var written: [Document] { writtenVersions.compactMap(\.self) }
    /// The versions of the types.
    private let versions: [Int?]
    /// Whether the newest type keeps its version under the default key.
    private let keepsVersionAsUsual: Bool
    /// The attempts for documents that have the version of a type under the default key, by version.
    private let usualAttempts = Locked<[Int: [VersionDetection.Attempt]]>([:])

    init(_ detector: VersionDetector, _ decoding: DecodingStrategies, _ encoding: EncodingStrategies) {
        self.detector = detector
        let known = Array(detector.types.compactMap { $0.version }.reversed())
        var found: [(spec: any VersionPathSpec.Type, statement: VersionStatement?)] = []
        for type in detector.types where !found.contains(where: { $0.spec == type.spec }) {
            let versions = Array(detector.types.filter { $0.spec == type.spec }.compactMap { $0.version }.reversed())
            let statement = type.spec.statement(
                encoding: encoding, decoding: decoding, versions: versions, others: known)
            found.append((type.spec, statement))
        }
        let statements = detector.types.map { type in found.first { $0.spec == type.spec }.flatMap(\.statement) }
        self.statements = statements
        paths = statements.map { $0?.path }
        documentVersions = zip(detector.types, statements).map { $0.documentVersion($1, encoding) }
        writtenVersions = detector.types.map { $0.writtenVersion(encoding) }
        names = detector.types.map { typeName($0) }
        versions = detector.types.map { $0.version }
        keepsVersionAsUsual =
            detector.types[0].spec == VersionKeyAtRootVersionPathSpec.self
            && paths[0] == DocumentPath([.key("version")])
    }

    /// Returns the stage of a document that has the version of a type under the default key, as nearly all documents
    /// do. Returns nil for any other document. Nothing else in the document is read.
    func usualStage(of reading: Reading) -> DetectedStage? {
        guard keepsVersionAsUsual,
            let version = VersionKeyAtRootVersionPathSpec.plainVersion(
                in: reading.root, reading.plainDecoder)?.version,
            let match = versions.firstIndex(of: version)
        else { return nil }
        return DetectedStage(stage: versions.count - 1 - match, version: .number(version), path: paths[0]) {
            self.attempts(forUsual: version) { VersionSearch(self, reading).attempts() }
        }
    }

    /// Returns the attempts for a document that has the given version, which is that of a type, under the default key.
    /// They are the same for all documents of the version.
    ///
    /// - Parameter make: Creates the attempts.
    private func attempts(
        forUsual version: Int, _ make: () -> [VersionDetection.Attempt]
    ) -> [VersionDetection.Attempt] {
        // Every other integer has only one spelling, but a zero may have a sign.
        if version == 0 { return make() }
        if let known = usualAttempts.withLock({ $0[version] }) { return known }
        let attempts = make()
        usualAttempts.withLock { $0[version] = attempts }
        return attempts
    }
}

/// The version that a document states, according to the version paths of a chain's types.
private struct VersionSearch {
    private let chain: VersionedTypes
    private let reading: Reading
    private let finding: VersionDetector.Finding

    private var root: DocumentNode { reading.root }

    init(_ chain: VersionedTypes, _ reading: Reading) {
        self.chain = chain
        self.reading = reading
        finding = chain.detector.find(reading: Self.read(reading))
    }

    /// The types of the chain, newest first.
    private var types: [any VersionedCodable.Type] { chain.detector.types }

    var detected: DetectedStage {
        if let match = finding.match {
            return DetectedStage(
                stage: types.count - 1 - match, version: stated(types[match].version, at: finding.place),
                path: types[match].version == nil ? nil : finding.place.flatMap(place),
                isStated: types[match].version != nil,
                versionRecord: versionRecord,
                warnings: warnings(ofMatch: match), attempts: attempts)
        }
        if finding.isUnreadableAtOlderPlace, let (spec, error) = finding.refusal {
            let path = place(of: spec) ?? Reason(error, in: root, reading.answers.record(at: spec)).path
            let keeper = types.firstIndex { $0.spec == spec }.map { chain.names[$0] } ?? ""
            let reason = Reason.notAVersion(
                path: path, type: keeper, found: path.flatMap { root.descendant(at: $0) }.map { FoundValue($0) })
            return DetectedStage(
                path: path, misfit: .noVersion(finding.error(tried: types), reason), attempts: attempts)
        }
        let found = finding.readings.first { $0.version != nil }
        if found == nil, finding.refusal == nil, let newest = finding.readings.first,
            let statement = statement(of: newest.spec), let version = statement.version(nil, in: root)
        {
            // The value is there, but the spec reads no version from it.
            return DetectedStage(
                version: version, path: place(of: newest.spec), isStated: true,
                misstatement: misstatement(in: statement), attempts: attempts)
        }
        return DetectedStage(
            version: found.map { stated($0.version, at: $0.spec) }, path: found.flatMap { place(of: $0.spec) },
            isStated: found != nil,
            misstatement: found.flatMap { statement(of: $0.spec) }.flatMap(misstatement),
            misfit: finding.refusal.map { spec, error in
                .noVersion(error, Reason(error, in: root, reading.answers.record(at: spec)))
            },
            attempts: attempts)
    }

    /// The values that were read at all version paths that were asked, also at those without a version.
    private var versionRecord: ReadRecord? {
        let records = finding.readings.compactMap { reading.answers.record(at: $0.spec) }
        if records.count < 2 { return records.first }
        let all = ReadRecord()
        for record in records { all.formUnion(record) }
        return all
    }

    /// Returns a version as the document writes it at the given version path.
    private func stated(_ version: Int?, at spec: (any VersionPathSpec.Type)?) -> DocumentVersion {
        guard let version else { return .unversioned }
        return spec.flatMap(statement)?.version(version, in: root) ?? .number(version)
    }

    /// Returns how documents state the version that `spec` reads.
    private func statement(of spec: any VersionPathSpec.Type) -> VersionStatement? {
        types.firstIndex { $0.spec == spec }.flatMap { chain.statements[$0] }
    }

    /// Returns the path of the first value of a statement that differs from that of every version, or else the path of
    /// the last value.
    private func misstatement(in statement: VersionStatement) -> DocumentPath? {
        let known = statement.values.filter { path in
            guard let node = root.descendant(at: path) else { return false }
            return chain.written.contains { $0.root.descendant(at: path)?.isEqual(to: node) == true }
        }
        return statement.values.first { root.descendant(at: $0) != nil && !known.contains($0) } ?? statement.values.last
    }

    /// Returns warnings about differences from VersionedCodable for a document of the type at `match`, and about
    /// surprising behavior that it shares.
    private func warnings(ofMatch match: Int) -> [Reason] {
        guard finding.isOfNewestPlace else {
            return [.refusedByVersionedCodable(type: chain.names[0], path: chain.paths[0])]
        }
        guard types[match].version == nil else { return [] }
        var asked = [types[0].spec]
        for (type, name) in zip(types, chain.names) where !asked.contains(where: { $0 == type.spec }) {
            asked.append(type.spec)
            let answer = VersionDetector.Answer(at: type.spec, reading: Self.read(reading))
            if answer.version != nil || answer.isRefused {
                return [.versionPassedOver(path: place(of: type.spec), type: name)]
            }
        }
        return chain.paths.compactMap(\.self).first { root.descendant(at: $0) == nil }.flatMap(misspelling) ?? []
    }

    /// Returns a warning about a member with a name like that of the version key, where the key is missing.
    private func misspelling(of path: DocumentPath) -> [Reason]? {
        guard let name = path.lastKey.map(FieldName.init), let parent = path.parent,
            let member = root.descendant(at: parent)?.members.first(where: {
                FieldName($0.name).isMisspelling(of: name)
            })
        else { return nil }
        return [.versionMisspelled(path: parent.appending(key: member.name), wanted: path)]
    }

    /// Returns a function that reads the document's version at a version path.
    private static func read(_ reading: Reading) -> (any VersionPathSpec.Type) throws -> Int? {
        let root = reading.root
        return { spec in
            if let found = spec.plainVersion(in: root, reading.plainDecoder) { return found.version }
            return try reading.answers.version(at: spec) { record in
                try spec.readVersion { try reading.plainDecoder.decode($0, from: root, recording: record) }
            }
        }
    }

    /// Returns the path where documents keep the version that `spec` reads.
    private func path(of spec: any VersionPathSpec.Type) -> DocumentPath? {
        types.firstIndex { $0.spec == spec }.flatMap { chain.paths[$0] }
    }

    /// Returns the path where `spec` found a version in the document.
    private func place(of spec: any VersionPathSpec.Type) -> DocumentPath? {
        if let path = path(of: spec), root.descendant(at: path) != nil { return path }
        if let place = spec.plainVersion(in: root, reading.plainDecoder) { return place.node.path }
        // The app decodes keys differently from how it encodes them, so the path shows only in what was read. A version
        // that is read from several values has no single path.
        guard let record = reading.answers.record(at: spec) else { return nil }
        let read = root.nodes.filter { !$0.kind.isContainer && $0.kind != .key && record.contains($0) }
        return read.count == 1 ? read[0].path : nil
    }

    func attempts() -> [VersionDetection.Attempt] {
        // Types older than the one that fits were not tried.
        let tried = finding.match.map { types.prefix(through: $0) } ?? types[...]
        var known: Place?
        return tried.enumerated().map { index, type in
            let isMatch = index == finding.match
            let place: Place
            // Most types keep their version at the same path.
            if let known, known.counts(for: type.spec, isMatch, finding.place) {
                place = known
            } else {
                place = self.place(of: type, isMatch, like: known)
                known = place
            }
            return VersionDetection.Attempt(
                version: chain.documentVersions[index], type: chain.names[index], path: place.path, found: place.copy,
                reason: isMatch ? nil : reason(type, chain.names[index], place))
        }
    }

    private func place(of type: any VersionedCodable.Type, _ isMatch: Bool, like other: Place?) -> Place {
        let spec = type.spec
        let answer = finding.readings.firstIndex { $0.spec == spec }
        // An answer at the newest type's version path counts for all types.
        let asked = isMatch || answer == nil ? finding.place ?? spec : spec
        let path = isMatch ? finding.place.flatMap(self.place) ?? self.path(of: asked) : self.path(of: asked)
        let version = finding.readings.isEmpty ? nil : finding.readings[answer ?? 0].version
        return Place(spec, asked: asked, version, path, in: root, like: other)
    }

    /// The path where types keep their version, and the value that a document has there.
    private final class Place {
        private let spec: any VersionPathSpec.Type
        let asked: any VersionPathSpec.Type
        /// The version that the document has there, or at the version path that was asked first.
        let version: Int?
        let path: DocumentPath?
        let node: DocumentNode?
        /// A copy of the value at the path as a separate document.
        let copy: Document?

        init(
            _ spec: any VersionPathSpec.Type, asked: any VersionPathSpec.Type, _ version: Int?, _ path: DocumentPath?,
            in root: DocumentNode, like other: Place?
        ) {
            (self.spec, self.asked, self.version, self.path) = (spec, asked, version, path)
            node = path.flatMap { root.descendant(at: $0) }
            let known = other?.path == path ? other?.copy : nil
            copy = node.map { known ?? Document(copying: $0) }
        }

        /// Returns whether this also is the place for another type, whose version path is `spec`.
        ///
        /// - Parameters:
        ///   - isMatch: Whether the document is of that type.
        ///   - decided: The version path where the matching version was found.
        func counts(
            for spec: any VersionPathSpec.Type, _ isMatch: Bool, _ decided: (any VersionPathSpec.Type)?
        ) -> Bool {
            self.spec == spec && (!isMatch || (decided ?? spec) == asked && node != nil)
        }
    }

    /// Returns the reason a document is not of `type`.
    private func reason(_ type: any VersionedCodable.Type, _ name: String, _ place: Place) -> Reason {
        if let other = place.version {
            return .otherVersion(
                path: place.path, type: name, found: stated(other, at: place.asked),
                expected: types.firstIndex { $0 == type }.map { chain.documentVersions[$0] } ?? .unversioned)
        }
        if let node = place.node, !node.isNull {
            return .notAVersion(path: place.path, type: name, found: FoundValue(node))
        }
        return type.version == nil
            ? .notAVersion(path: place.path, type: name, found: nil) : .noVersion(path: place.path, type: name)
    }
}

extension VersionedCodable {
    /// Returns the part of a document of this type that states its version, or nil if the type has no version.
    fileprivate static func writtenVersion(_ encoding: EncodingStrategies) -> Document? {
        version.flatMap { spec.written($0, encoding) }
    }

    /// Returns the version as documents of this type write it.
    fileprivate static func documentVersion(
        _ statement: VersionStatement?, _ encoding: EncodingStrategies
    ) -> DocumentVersion {
        guard let version, let statement, let written = writtenVersion(encoding) else {
            return DocumentVersion(version)
        }
        return statement.version(version, in: written.root) ?? .number(version)
    }
}

extension VersionPathSpec {
    /// Returns the part of a document that states the given version.
    fileprivate static func written(_ version: Int, _ encoding: EncodingStrategies) -> Document? {
        try? DocumentEncoder(strategies: encoding).encode(Self(withVersion: version))
    }

    /// Returns the version without decoding if it is where nearly all JSON documents have it: an integer under the key
    /// at the root. Returns nil if this is another version path or the value is something else, so that the document
    /// must be decoded.
    fileprivate static func plainVersion(
        in root: DocumentNode, _ decoder: DocumentDecoder
    ) -> (node: DocumentNode, version: Int)? {
        guard self == VersionKeyAtRootVersionPathSpec.self, decoder.hasDefaultKeys, root.kind == .object,
            root.document.format == .json
        else { return nil }
        return root["version"].flatMap { node in node.plainInteger.map { (node, $0) } }
    }

    /// Returns the path where this spec keeps the version in a document. It is found by writing two versions and
    /// comparing them.
    ///
    /// - Parameter versions: The versions of the chain's types, for a spec that accepts no others.
    /// - Returns: The path, or nil if nothing differs, or several members of the root do.
    static func versionPath(encoding strategies: EncodingStrategies, versions: [Int]) -> DocumentPath? {
        let encoder = DocumentEncoder(strategies: strategies)
        // Try versions of the chain first, because a spec may crash on others. If there is only one, try two numbers
        // that no spec would write on its own.
        for (first, second) in Array(zip(versions, versions.dropFirst())) + [(1_734_921, 5_820_337)] {
            guard let one = try? encoder.encode(Self(withVersion: first)),
                let other = try? encoder.encode(Self(withVersion: second))
            else { continue }
            if one.root.isEqual(to: other.root) { continue }
            let written = one.root.nodes.lazy.filter { $0.says(first) }.map(\.path)
                .first { other.root.descendant(at: $0)?.says(second) == true }
            return written ?? one.root.placeDiffering(from: other.root)
        }
        return nil
    }
}

extension DocumentNode {
    /// Returns whether this is the given number, or a string of just that number.
    fileprivate func says(_ number: Int) -> Bool { (numberText ?? string) == String(number) }

    /// Returns the path of the innermost value that contains all differences, or nil if that is the root.
    fileprivate func placeDiffering(from other: DocumentNode) -> DocumentPath? {
        let differing = members.filter { other[$0.name]?.isEqual(to: $0.value) != true }
        guard kind == .object, differing.count == 1, let member = differing.first, let counterpart = other[member.name]
        else { return path.isRoot ? nil : path }
        return member.value.placeDiffering(from: counterpart)
    }
}
