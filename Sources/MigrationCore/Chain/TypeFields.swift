import DocumentModel

/// The top-level fields that a type reads from a document, or from each element of a document that is an array or a
/// dictionary, by names that are compared as decoders compare them: as
/// `String`.
struct TypeFields: Sendable, Equatable {
    struct Field: Sendable, Hashable {
        var name: String
        /// Whether a document without the field does not decode.
        var isRequired: Bool
    }

    /// In the order in which they are read.
    private(set) var fields: [Field] = []
    /// The names of all of them, and of those that are required.
    private(set) var names: Set<String> = []
    private(set) var requiredNames: Set<String> = []
    /// The way from the root to what has the fields: empty where that is the root itself, `[*]` for the elements of an array,
    /// `.*` for the members of a dictionary.
    var nesting: [DocumentPath.Component] = []
    /// Whether these are all; a type whose decoding ends at a value that it refuses is known only up to there.
    var isComplete = true

    /// The same fields, of which those must be there for which `isRequired` is true.
    func requiring(where isRequired: (Field) -> Bool) -> TypeFields {
        var changed = TypeFields()
        for field in fields { changed.note(field.name, required: isRequired(field)) }
        changed.nesting = nesting
        changed.isComplete = isComplete
        return changed
    }

    /// Notes a field, unless it is known already: a type that first looks whether a field is there can do without it.
    mutating func note(_ name: String, required: Bool) {
        guard names.insert(name).inserted else { return }
        fields.append(Field(name: name, isRequired: required))
        if required { requiredNames.insert(name) }
    }
}

extension TypeFields {
    /// Learns the fields of `type` by letting it decode itself from a document that has every field it asks for.
    ///
    /// Each value is made up: 1, a text of one character, an array of one element, the first case of an enum. What the
    /// type then is does not matter; which keys it asked for does. A key that it asks to be there, or reads only if it
    /// is, counts as optional.
    ///
    /// - Warning: This runs the type's own `init(from:)` on values that no document has. One that stops the program
    ///   over a value, rather than throw, stops it here too. So it is done only to recognize the chain of a document
    ///   whose chain was not named, once for a type, and never to check or trace a document in a chain. There, types
    ///   see values of the document only; but where shapes are tried, or the version that a document says does not
    ///   decode, also types see it that the app would not have asked, so that a warning can say which others fit
    ///   (``ShapeDetector``, ``FallbackPart``, ``ChainRun``).
    init(of type: any Decodable.Type, userInfo: [CodingUserInfoKey: any Sendable] = [:]) {
        self = PlaceholderDecoder.notes(on: type, userInfo: userInfo).fields
    }
}

extension TypeFields {
    /// The names of the fields that a document has where the type looks for them.
    struct NamesInDocument {
        /// The names.
        var names: Set<String> = []
        /// How many values there are of which the type knows nothing: elements that are no objects.
        var otherCount = 0
    }

    /// How many elements of a document are looked at.
    private static let sampleSize = 64

    /// The names of the fields of a document, as the type calls them.
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
        // What is no array, or no dictionary, has no elements; all that it has is unknown to the type.
        if !nesting.isEmpty, nodes.isEmpty { found.otherCount = root.kind.isContainer ? root.count : 0 }
        for node in nodes {
            if node.kind != .object, !nesting.isEmpty { found.otherCount += 1 }
            for member in node.members { found.names.insert(strategies.fieldName(ofKey: member.name)) }
        }
        return found
    }
}

extension ChainFit.Shares {
    /// Compares the fields of a version with those of a document, by the names that types give them.
    ///
    /// - Parameters:
    ///   - otherCount: How many values the document has besides, of which the version knows nothing.
    ///   - versionNames: The fields with the version, which say nothing about the shape and do not count.
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
        // Where not all fields are known, or none is required, the one share has to stand for both.
        let presentShare = share(requiredCount - missingCount, of: requiredCount)
        known = fields.isComplete ? share(knownCount, of: nameCount) ?? 0 : presentShare ?? 0
        present = presentShare ?? known
    }
}
