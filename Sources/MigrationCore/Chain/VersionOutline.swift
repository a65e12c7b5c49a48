import DocumentModel

/// The fields of documents of one version, at every depth, with their types.
///
/// They are the fields that the type asks for when it decodes itself from a document in which everything is made up.
/// Fields that the type asks for only in connection with certain values may be missing.
public struct VersionOutline: Sendable, Codable, Equatable {
    /// A field.
    public struct Field: Sendable, Codable, Equatable {
        /// The path of the field in JSON, with `[*]` for the elements of an array and `.*` for the members of a
        /// dictionary.
        public var path: DocumentPath
        /// The same path in the names of the type's coding keys, if a key strategy converts them. Property lists use
        /// these names.
        public var declaredPath: DocumentPath?
        /// The name of the field's type, or nil if the type only checks whether the field is present.
        public var type: String?
        /// Whether a document without the field fails to decode.
        public var isRequired: Bool
        /// Whether the field may be null.
        public var allowsNull: Bool
        /// The raw values of an enum as documents store them, if it accepts no other values. Empty for any other type.
        public var choices: [Document]

        /// Creates a field from its parts. An optional field may be null by default.
        public init(
            path: DocumentPath, type: String? = nil, isRequired: Bool, allowsNull: Bool? = nil,
            choices: [Document] = []
        ) {
            self.path = path
            self.type = type
            self.isRequired = isRequired
            self.allowsNull = allowsNull ?? !isRequired
            self.choices = choices
        }
    }

    /// The fields, in the order in which they are asked for. Each field is followed by the fields inside it.
    public var fields: [Field] = []
    /// Whether these are all fields. If a type refuses a made-up value, the fields after it are unknown.
    public var isComplete = true
    /// The paths of the objects whose types ask which names are there, as an enum with associated values does, rather than
    /// for their fields. With a key strategy, they are in the names of documents and in those of the types.
    package var listed: [DocumentPath] = []

    /// Creates an outline without fields.
    public init() {}

    /// The outline of a version about which nothing is known.
    static var unknown: VersionOutline {
        var outline = VersionOutline()
        outline.isComplete = false
        return outline
    }

    /// Whether the types of all fields are known. Of a chain of closures, its author may declare the names.
    var knowsTypes: Bool { isComplete && (fields.isEmpty || fields.contains { $0.type != nil }) }

    /// Returns the field at a path in a document, if there is one.
    public subscript(path: DocumentPath) -> Field? { fields.first { $0.path.isPattern(of: path) } }

    /// Returns the names of the fields directly inside the value at a path.
    package func names(inside path: DocumentPath) -> [String] {
        fields.compactMap { field in
            field.path.parent?.isPattern(of: path) == true ? field.path.lastKey : nil
        }
    }
}

extension VersionOutline {
    /// Creates the fields of `type` like ``TypeFields/init(of:userInfo:)``, with the same warning.
    init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable]) {
        self = PlaceholderDecoder.notes(on: type, outlined: true, userInfo: userInfo).outline ?? VersionOutline()
    }

    /// Creates an outline of fields of which only the names are known.
    init(_ fields: TypeFields) {
        self.fields = fields.fields.map {
            Field(path: DocumentPath([.key($0.name)]), isRequired: $0.isRequired)
        }
        isComplete = fields.isComplete
    }

    /// Returns the same fields, with those at the root that have one of these names required.
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

    /// Returns the same fields with one at a path, which is required.
    func noting(_ path: DocumentPath) -> VersionOutline {
        var outline = self
        outline.note(path, isRequired: true)
        return outline
    }

    /// Returns the same fields with the names that they have in JSON that an app reads and writes with these strategies.
    func spelled(readBy decoding: DecodingStrategies, writtenBy encoding: EncodingStrategies) -> VersionOutline {
        if decoding.hasDefaultKeys { return self }
        var outline = VersionOutline()
        outline.isComplete = isComplete
        func spelled(_ path: DocumentPath) -> DocumentPath {
            DocumentPath(
                path.components.map { component in
                    guard case .key(let name) = component else { return component }
                    return .key(decoding.key(ofField: name, writtenBy: encoding))
                })
        }
        // Property lists have the names of the types.
        outline.listed = listed + listed.map(spelled).filter { !listed.contains($0) }
        for var field in fields {
            let path = spelled(field.path)
            if path != field.path { field.declaredPath = field.path }
            field.path = path
            // A shape may require a key that its type reads under another name.
            if let index = outline.fields.firstIndex(where: { $0.path == path }) {
                outline.fields[index].isRequired = outline.fields[index].isRequired || field.isRequired
            } else {
                outline.fields.append(field)
            }
        }
        return outline
    }

    /// The same fields with the names that they have in documents of a format.
    package func spelled(in format: DocumentFormat?) -> VersionOutline {
        guard format?.isPropertyList == true else { return self }
        var outline = self
        for index in outline.fields.indices {
            if let declared = outline.fields[index].declaredPath { outline.fields[index].path = declared }
            outline.fields[index].declaredPath = nil
        }
        return outline
    }

    /// Returns the path that documents have for a path in the names of types. Names that the outline does not know stay.
    package func spelled(_ declared: DocumentPath) -> DocumentPath {
        var spelled = declared
        for length in declared.components.indices {
            let place = DocumentPath(Array(declared.components[...length]))
            guard let path = fields.first(where: { $0.declaredPath?.isPattern(of: place) == true })?.path else {
                continue
            }
            for (index, component) in path.components.enumerated() {
                if case .key = component { spelled.components[index] = component }
            }
        }
        return spelled
    }

    /// Returns the fields of a value that is at a path in a document.
    func fields(at path: DocumentPath) -> [Field] {
        fields.map { field in
            var field = field
            field.path = path.appending(field.path)
            return field
        }
    }

    /// Records a field, unless it is already known: a type that first checks for a field can do without it.
    mutating func note(_ path: DocumentPath, isRequired: Bool) {
        guard !fields.contains(where: { $0.path == path.foldingIndices }) else { return }
        let field = Field(path: path, isRequired: isRequired)
        // Fields inside another stay after it, even if an unrelated field was requested in between.
        let inside = path.parent.flatMap { parent in
            parent.isRoot ? nil : fields.lastIndex { $0.path.hasPrefix(parent) }
        }
        fields.insert(field, at: inside.map { $0 + 1 } ?? fields.endIndex)
    }

    /// Records the type of the value at a path. For a wrapper, it is not the type of the wrapped value.
    mutating func note<Value: Decodable>(_ type: Value.Type, at path: DocumentPath) {
        // An enum may decode other values than its raw values.
        let choices = (EnumCases.rawValues(of: type) ?? []).compactMap { choice in
            [Document(text: choice), try? Document(json: choice)].lazy.compactMap(\.self).first { document in
                (try? DocumentDecoder().decode(Value.self, from: document.root)) != nil
            }
        }
        // The type of an array implies that of its elements, unless there is more to record about them.
        if path.components.last?.isEvery == true, !choices.isEmpty { note(path, isRequired: true) }
        guard let index = fields.lastIndex(where: { $0.path == path }) else { return }
        if fields[index].type == nil { fields[index].type = typeName(type) }
        if fields[index].choices.isEmpty { fields[index].choices = choices }
    }
}

extension MigrationChain {
    /// Returns the fields of the documents of a version, at every depth, with their types. Returns nil if the chain has
    /// no such version.
    ///
    /// - Warning: This runs the type's own `init(from:)` on values that no document has. If it crashes on a value
    ///   instead of throwing an error, it crashes here too.
    public func outline(of version: DocumentVersion) -> VersionOutline? {
        versions.firstIndex { $0.version == version }.map { index in
            observer?.enter(name, .describing, stage: index)
            return system.outline(ofVersion: index)
                .spelled(readBy: system.decoder.strategies, writtenBy: system.encoder.strategies)
        }
    }
}

extension DocumentPath.Component {
    /// Whether the component stands for every element or every member.
    fileprivate var isEvery: Bool { self == .everyElement || self == .everyMember }
}
