import DocumentModel

/// The top-level fields that a type reads from a document, or from each element of a document that is an array or a
/// dictionary. Names are compared as decoders compare them: as `String`.
struct TypeFields: Sendable, Equatable {
    struct Field: Sendable, Hashable {
        var name: String
        /// Whether a document without the field fails to decode.
        var isRequired: Bool
    }

    /// The fields, in the order in which they are read.
    private(set) var fields: [Field] = []
    /// The names of all fields, and of the required fields.
    private(set) var names: Set<String> = []
    private(set) var requiredNames: Set<String> = []
    /// The path from the root to the values with these fields: empty for the root itself, `[*]` for the elements of an
    /// array, and `.*` for the members of a dictionary.
    var nesting: [DocumentPath.Component] = []
    /// Whether these are all fields. If a type stops decoding because it refuses a value, the fields after it are
    /// unknown.
    var isComplete = true

    /// The fields of a type about which nothing is known.
    static var unknown: TypeFields {
        var fields = TypeFields()
        fields.isComplete = false
        return fields
    }

    /// Returns the same fields. Those for which `isRequired` returns true are required.
    func requiring(where isRequired: (Field) -> Bool) -> TypeFields {
        var changed = TypeFields()
        for field in fields { changed.note(field.name, required: isRequired(field)) }
        changed.nesting = nesting
        changed.isComplete = isComplete
        return changed
    }

    /// Records a field, unless it is already known: a type that first checks for a field can do without it.
    mutating func note(_ name: String, required: Bool) {
        guard names.insert(name).inserted else { return }
        fields.append(Field(name: name, isRequired: required))
        if required { requiredNames.insert(name) }
    }
}

extension TypeFields {
    /// Creates the fields of `type` by making it decode itself from a document that has every field it asks for.
    ///
    /// Each value is made up: 1, a string of one character, an array of one element, the first case of an enum. Only
    /// the requested keys matter, not the value that results. A key counts as optional if the type checks for it, or
    /// reads it only if it is present.
    ///
    /// - Warning: This runs the type's own `init(from:)` on values that no document has. If it crashes on a value
    ///   instead of throwing an error, it crashes here too. A program that inspects documents then asks again in another
    ///   process, without this type. So this is done once for each type, to recognize documents whose chain was not
    ///   named, and for the newest type of each chain, to warn of a field at the version's place. Otherwise, types see
    ///   only values of the document. However, if shapes are tried, or the document does not decode as the version it
    ///   states, types that the app would not have used also see the document, so that a warning can list others that
    ///   fit (``ShapeDetector``, ``FallbackPart``, ``ChainRun``).
    init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self = PlaceholderDecoder.notes(on: type, userInfo: userInfo).fields
    }
}

extension TypeFields {
    /// The names of the fields that a document has where the type looks for them.
    struct NamesInDocument {
        /// The names.
        var names: Set<String> = []
        /// The number of values that the type cannot read: elements that are not objects.
        var otherCount = 0
    }

    /// The maximum number of elements of a document to sample.
    private static let sampleSize = 64

    /// Returns the names of a document's fields, as the type spells them.
    func names(in root: DocumentNode, _ strategies: DecodingStrategies) -> NamesInDocument {
        var nodes = [root]
        for component in nesting {
            nodes = nodes.flatMap { node in
                component == .everyElement
                    ? Array(node.elements.prefix(Self.sampleSize))
                    : node.members.prefix(Self.sampleSize).map(\.value)
            }
            nodes = Array(nodes.prefix(Self.sampleSize))
        }
        var found = NamesInDocument()
        // A value of another kind has no elements. The type knows nothing of its contents.
        if !nesting.isEmpty, nodes.isEmpty { found.otherCount = root.kind.isContainer ? root.count : 0 }
        for node in nodes {
            if node.kind != .object, !nesting.isEmpty { found.otherCount += 1 }
            for member in node.members { found.names.insert(strategies.fieldName(ofKey: member.name)) }
        }
        return found
    }
}

extension ChainFit.Shares {
    /// Creates the shares by comparing the fields of a version with those of a document, by their names in types.
    ///
    /// - Parameters:
    ///   - otherCount: The number of other values in the document, which the version knows nothing about.
    ///   - versionNames: The fields with the version. They say nothing about the shape, and don't count.
    init(_ fields: TypeFields, _ names: Set<String>, and otherCount: Int = 0, except versionNames: Set<String>?) {
        func count(_ names: Set<String>, where isCounted: (String) -> Bool = { _ in true }) -> Int {
            names.count { versionNames?.contains($0) != true && isCounted($0) }
        }
        func share(_ part: Int, of whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }
        nameCount = count(names) + otherCount
        knownCount = count(names, where: fields.names.contains)
        let requiredCount = count(fields.requiredNames)
        missingCount = count(fields.requiredNames) { !names.contains($0) }
        isComplete = fields.isComplete
        // If not all fields are known, or none is required, a single share stands for both.
        let presentShare = share(requiredCount - missingCount, of: requiredCount)
        known = fields.isComplete ? share(knownCount, of: nameCount) ?? 0 : presentShare ?? 0
        present = presentShare ?? known
    }
}
