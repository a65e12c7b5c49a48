/// The code of the type that says where documents have their version.
struct VersionSpecCode {
    let name: String
    /// The keys that lead to the version.
    let keys: [String]
    /// The texts of the versions, oldest first; nil if versions are numbers.
    let texts: [String]?

    /// The names of the properties that lead to the version, as code.
    private var names: [String] { keys.map { SwiftName.code(SwiftName.property($0)) } }
    /// The names of the types of the objects around the version, each inside the one before.
    private var types: [String] { keys.dropLast().map { "Place" + SwiftName.type($0) } }
    /// The value at the version's place, as code. A document whose versions are texts may lack the objects around it.
    private var value: String { names.joined(separator: texts == nil ? "." : "?.") }

    /// The lines of the declaration.
    var lines: [String] {
        var lines = ["/// Documents have their version at '\(keys.joined(separator: "."))'."]
        lines.append("struct \(name): VersionPathSpec {")
        if let texts {
            let list = texts.map(SwiftName.literal).joined(separator: ", ")
            lines += [
                "    static let keyPathToVersion: KeyPath<Self, Int?> = \\Self.number",
                "    /// The versions as documents state them; the types count them from 1.",
                "    static let texts = [\(list)]", "",
                "    var number: Int? { \(value).flatMap(Self.texts.firstIndex(of:)).map { $0 + 1 } }",
            ]
        } else {
            lines.append("    static let keyPathToVersion: KeyPath<Self, Int?> = \\Self.\(value)")
        }
        lines += body(at: 0, indent: "    ") + [""]
        let version =
            texts == nil
            ? "version" : "version.map { Self.texts.indices.contains($0 - 1) ? Self.texts[$0 - 1] : \"\\($0)\" }"
        let made = types.indices.reversed().reduce(version) { "\(types[$1])(\(names[$1 + 1]): \($0))" }
        lines.append("    init(withVersion version: Int?) { \(names[0]) = \(made) }")
        return lines + encoding + ["}"]
    }

    /// Returns the members of the spec or of a type inside it, and the types inside that.
    private func body(at depth: Int, indent: String) -> [String] {
        let isLast = depth == keys.count - 1
        let type = isLast ? texts == nil ? "Int?" : "String?" : types[depth] + (texts == nil ? "" : "?")
        var lines = [
            "\(indent)var \(names[depth]): \(type)", "", "\(indent)enum CodingKeys: String, CodingKey {",
            "\(indent)    case \(names[depth]) = \(SwiftName.literal(keys[depth]))", "\(indent)}",
        ]
        if !isLast {
            lines += ["", "\(indent)struct \(types[depth]): Codable {"]
            lines += body(at: depth + 1, indent: indent + "    ") + ["\(indent)}"]
        }
        return lines
    }

    /// The method that writes the version into objects that may have other members. Empty if it is not in an object
    /// inside the document.
    private var encoding: [String] {
        if types.isEmpty { return [] }
        let containers = types.indices.map { depth in
            let type = types[...depth].joined(separator: ".")
            return "        var inside\(depth + 1) = inside\(depth).nestedContainer("
                + "keyedBy: \(type).CodingKeys.self, forKey: .\(names[depth]))"
        }
        return [
            "", "    /// Writes the version into objects that the type may have written: their other members stay.",
            "    func encode(to encoder: any Encoder) throws {",
            "        var inside0 = encoder.container(keyedBy: CodingKeys.self)",
        ] + containers + [
            "        try inside\(types.count).encodeIfPresent(\(value), forKey: .\(names[types.count]))", "    }",
        ]
    }
}
