import DocumentModel

/// The fields that documents of one version have, at every depth, with their types.
///
/// They are what the type asks for when it decodes itself from a document in which everything is made up. So they are
/// known only as far as that comes: not what the type asks for only of certain values.
public struct VersionOutline: Sendable, Codable, Hashable {
    /// A field.
    public struct Field: Sendable, Codable, Hashable {
        /// Where it is, `[*]` standing for the elements of an array and `.*` for the members of a dictionary. Names are those of the type's coding keys, before
        /// a strategy makes other keys of them.
        public var path: DocumentPath
        /// The name of its type; nil where the type asks only whether the field is there.
        public var type: String?
        /// Whether a document without the field does not decode.
        public var isRequired: Bool
        /// Whether the field may be null.
        public var allowsNull: Bool
        /// Of an enum with raw values and no others, those values as text; else none.
        public var choices: [String]

        /// Makes a field from its parts; one that may be missing may be null.
        public init(
            path: DocumentPath, type: String? = nil, isRequired: Bool, allowsNull: Bool? = nil, choices: [String] = []
        ) {
            self.path = path
            self.type = type
            self.isRequired = isRequired
            self.allowsNull = allowsNull ?? !isRequired
            self.choices = choices
        }
    }

    /// The fields, in the order in which they are asked for, those inside a field behind it.
    public var fields: [Field] = []
    /// Whether these are all; a type that refuses a value that was made up is known only up to there.
    public var isComplete = true

    /// An outline without fields.
    public init() {}

    /// That of a version of which nothing is known.
    static var unknown: VersionOutline {
        var outline = VersionOutline()
        outline.isComplete = false
        return outline
    }

    /// The field at a place in a document, if there is one.
    public subscript(path: DocumentPath) -> Field? {
        let folded = path.foldingIndices
        return fields.first { $0.path == folded }
    }

    /// The names of the fields right inside a place in a document.
    func names(inside path: DocumentPath) -> [String] {
        let folded = path.foldingIndices
        return fields.compactMap { $0.path.parent == folded ? $0.path.lastKey : nil }
    }
}

extension VersionOutline {
    /// Learns the fields of `type`, as ``TypeFields/init(of:userInfo:)`` does, with the same warning.
    init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable]) {
        self = PlaceholderDecoder.notes(on: type, outlined: true, userInfo: userInfo).outline ?? VersionOutline()
    }

    /// Of fields of which only the names are known.
    init(_ fields: TypeFields) {
        self.fields = fields.fields.map {
            Field(path: DocumentPath([.key($0.name)]), isRequired: $0.isRequired)
        }
        isComplete = fields.isComplete
    }

    /// The same fields, of which those at the root must be there that have one of these names.
    func requiring(_ names: [String]) -> VersionOutline {
        var outline = self
        for name in names {
            let path = DocumentPath([.key(name)])
            outline.note(path, isRequired: true)
            for index in outline.fields.indices where outline.fields[index].path == path {
                outline.fields[index].isRequired = true
            }
        }
        return outline
    }

    /// Notes a field, unless it is known already: a type that first looks whether a field is there can do without it.
    mutating func note(_ path: DocumentPath, isRequired: Bool) {
        guard self[path] == nil else { return }
        let field = Field(path: path, isRequired: isRequired)
        // What is inside a field stays behind it, also when another one was asked for between them.
        let inside = path.parent.flatMap { parent in
            parent.isRoot ? nil : fields.lastIndex { $0.path.hasPrefix(parent) }
        }
        fields.insert(field, at: inside.map { $0 + 1 } ?? fields.endIndex)
    }

    /// Notes the type of what stands at a place: of a wrapper, not that of what it wraps.
    mutating func note<Value: Decodable>(_ type: Value.Type, at path: DocumentPath) {
        // An enum may read other values than its raw ones.
        let choices = (EnumCases.rawValues(of: type) ?? []).filter { choice in
            [Document(text: choice), try? Document(json: choice)].contains { document in
                document.flatMap { try? DocumentDecoder().decode(Value.self, from: $0.root) } != nil
            }
        }
        // The elements of an array are said by its type, unless there is more to say of them.
        if path.components.last?.isEvery == true, !choices.isEmpty { note(path, isRequired: true) }
        guard let index = fields.lastIndex(where: { $0.path == path }) else { return }
        if fields[index].type == nil { fields[index].type = typeName(type) }
        if fields[index].choices.isEmpty { fields[index].choices = choices }
    }
}

extension MigrationChain {
    /// The fields of the documents of a version, at every depth, with their types; nil where the chain has no such
    /// version.
    ///
    /// - Warning: This runs the type's own `init(from:)` on values that no document has. One that stops the program
    ///   over a value, rather than throw, stops it here too.
    public func outline(of version: DocumentVersion) -> VersionOutline? {
        versions.firstIndex { $0.version == version }.map { index in
            RunPlace.enter(name, .describing)
            RunPlace.note(.describing, stage: index)
            return system.outline(ofVersion: index)
        }
    }
}

extension DocumentPath.Component {
    /// Whether it leads to every element, or every member.
    fileprivate var isEvery: Bool { self == .everyElement || self == .everyMember }
}
