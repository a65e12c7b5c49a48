import DocumentModel

/// A value that looks like the version of a document that no chain claims.
///
/// It is only observed: nothing shows that the document's app treats it as a version, and nothing migrates.
public struct ObservedVersion: Sendable, Hashable, Codable {
    /// The value. It is `unversioned` (null) for a state of a file that lacks the value which other states have.
    public var version: DocumentVersion
    /// The path of the value, or nil if the document lacks it.
    public var path: DocumentPath?

    // A missing path is written as null.
    private enum CodingKeys: String, NullableCodingKey { case version, path }

    /// Creates an observed version.
    public init(version: DocumentVersion, path: DocumentPath?) {
        self.version = version
        self.path = path
    }
}

extension DocumentNode {
    /// Returns the values of a document that may be its version: numbers and texts named like a version, a schema or a
    /// format, at the root or in an object there that is named like metadata, a header or a document.
    ///
    /// - Parameter key: The path of the version, if a person named it. Only its value is returned then.
    package func versionCandidates(at key: DocumentPath? = nil) -> [ObservedVersion] {
        if let key {
            let path = withPositions(key)
            return document.value(at: path)?.observedVersion.map { [ObservedVersion(version: $0, path: path)] } ?? []
        }
        var candidates: [ObservedVersion] = []
        func note(_ members: Members, inside path: DocumentPath) {
            var names: Set<ExactText> = []
            for member in members where VersionName(member.name) != nil {
                // Of several members with the same name, only the first is a value at that path.
                guard names.insert(ExactText(member.name)).inserted, let version = member.value.observedVersion else {
                    continue
                }
                candidates.append(ObservedVersion(version: version, path: path.appending(.key(member.name))))
            }
        }
        note(members, inside: .root)
        var holders: Set<ExactText> = []
        for member in members where member.value.kind == .object && VersionName.isHolder(member.name) {
            guard holders.insert(ExactText(member.name)).inserted else { continue }
            note(member.value.members, inside: DocumentPath([.key(member.name)]))
        }
        return candidates
    }

    /// The number or text as a version, or nil for any other value and an empty text.
    private var observedVersion: DocumentVersion? {
        switch kind {
        case .number: numberText.map { text in Int(text).map(DocumentVersion.number) ?? .name(text) }
        case .string: string.flatMap { $0.isEmpty ? nil : .name($0) }
        default: nil
        }
    }
}

/// The name of a member that may hold a version.
struct VersionName {
    /// How likely the member holds the version of the format rather than of something else, the likeliest first.
    enum Rank: Int, Comparable {
        /// It names a schema or a format.
        case format
        /// It names a version.
        case version
        /// It names the version of something else, or a part of a version.
        case other

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    let rank: Rank

    /// Creates the name, or nil if it is not like that of a version.
    init?(_ name: String) {
        let words = FieldName(name).words
        let isFormat = words.contains { Self.ends($0, "schema") || Self.ends($0, "format") }
        guard isFormat || words.contains(where: { Self.ends($0, "version") }) else { return nil }
        rank = words.contains(where: Self.otherThings.contains) ? .other : isFormat ? .format : .version
    }

    /// Words that say that the version is that of something other than the format, or only a part of it.
    private static let otherThings: Set = ["app", "application", "bundle", "build", "minor", "patch", "revision"]

    /// Words that end like another but have a different meaning.
    private static let foreignWords: Set = [
        "aversion", "conversion", "diversion", "inversion", "perversion", "reversion", "subversion", "reformat",
    ]

    /// Returns whether a word is the given one, or ends with it, as in `nbformat`.
    private static func ends(_ word: String, _ end: String) -> Bool {
        word.utf8.reversed().starts(with: end.utf8.reversed()) && !foreignWords.contains(word)
    }

    /// Returns whether an object with that name may hold the version of the document.
    static func isHolder(_ name: String) -> Bool {
        FieldName(name).words.contains { ["meta", "metadata", "header", "document"].contains($0) }
    }
}
