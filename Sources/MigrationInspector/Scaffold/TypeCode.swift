import MigrationCore

/// The code of the type of a version, with everything inside it.
struct TypeCode {
    let version: ScaffoldVersion
    /// The version before, and the step from it; nil for the oldest version.
    let step: (from: ScaffoldVersion, code: StepCode)?
    /// The name of the type that says where the version is; nil if it is `version` at the root.
    let spec: String?

    /// The whole file.
    var text: String {
        let imports =
            usesFoundation ? "import Foundation\nimport MigrationInspector\n\n" : "import MigrationInspector\n\n"
        return imports + lines.joined(separator: "\n") + "\n"
    }

    /// Whether the types contain dates or data.
    private var usesFoundation: Bool {
        lines.contains { $0.contains(/\b(Date|Data)\b/) && !$0.contains("///") }
    }

    private var lines: [String] {
        let documents = version.documentCount == 1 ? "1 document" : "\(version.documentCount) documents"
        let number = version.number.map(String.init) ?? "nil"
        var lines = ["/// \(version.words), inferred from \(documents).", "struct \(version.type): VersionedCodable {"]
        lines += Self.properties(version.types.fields)
        if !version.types.fields.isEmpty { lines.append("") }
        lines.append("    static let version: Int? = \(number)")
        lines.append("    typealias PreviousVersion = \(step?.from.type ?? "NothingEarlier")")
        if let spec { lines.append("    typealias VersionSpec = \(spec)") }
        lines += Self.codingKeys(version.types.fields)
        if let step {
            lines += ["", "    init(from old: \(step.from.type)) throws {"]
            lines += step.code.lines.map { "        \($0)" } + ["    }"]
        }
        for (name, declaration) in version.types.declarations {
            lines.append("")
            if let step, let old = step.code.aliases[name] {
                lines.append("    typealias \(name) = \(step.from.type).\(old)")
                continue
            }
            lines += self.declaration(declaration, named: name).map { $0.isEmpty ? "" : "    \($0)" }
        }
        return lines + ["}"]
    }

    private func declaration(_ declaration: InferredTypes.Declaration, named name: String) -> [String] {
        switch declaration {
        case .enumeration(let cases):
            let lines = cases.map { name, text in
                name == text ? "    case \(SwiftName.code(name))" : "    case \(name) = \(SwiftName.literal(text))"
            }
            return ["enum \(name): String, Codable {"] + lines + ["}"]
        case .structure(let fields):
            var lines = ["struct \(name): Codable {"] + Self.properties(fields) + Self.codingKeys(fields)
            if let step, let (oldType, assignments) = step.code.initializers[name] {
                lines += ["", "    init(from old: \(step.from.type).\(oldType), at path: [any CodingKey]) throws {"]
                lines += assignments.map { "        \($0)" } + ["    }"]
            }
            return lines + ["}"]
        }
    }

    private static func properties(_ fields: [InferredTypes.Field]) -> [String] {
        fields.flatMap { field -> [String] in
            let property = "    var \(SwiftName.code(field.name)): \(field.type.code)"
            guard case .optional = field.type else { return [property] }
            let (count, all) = (field.shape.count, field.objectCount)
            return ["    /// \(count == 0 ? "Null wherever it is" : "In \(count) of \(all)").", property]
        }
    }

    private static func codingKeys(_ fields: [InferredTypes.Field]) -> [String] {
        if fields.allSatisfy({ $0.name == $0.key }) { return [] }
        let cases = fields.map { field in
            let name = SwiftName.code(field.name)
            return field.name == field.key
                ? "        case \(name)" : "        case \(name) = \(SwiftName.literal(field.key))"
        }
        return ["", "    enum CodingKeys: String, CodingKey {"] + cases + ["    }"]
    }
}

/// A version of documents, and the type that is written for it.
struct ScaffoldVersion {
    let version: DocumentVersion
    /// The number that the type states; nil for documents without a version.
    let number: Int?
    let type: String
    let types: InferredTypes
    let documentCount: Int

    /// The version in words.
    var words: String { version == .unversioned ? "Documents without a version" : "Version \(version)" }
}
