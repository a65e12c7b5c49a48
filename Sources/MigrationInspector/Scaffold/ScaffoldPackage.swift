import DocumentModel
import Foundation

/// The files of a package with the types of documents.
struct ScaffoldPackage {
    /// The name of the newest type.
    let name: String
    /// The versions, oldest first.
    let versions: [ScaffoldVersion]
    let steps: [StepCode]
    /// The type that says where the version is; nil if it is `version` at the root.
    let spec: VersionSpecCode?
    /// Whether some documents are JSON5.
    let allowsJSON5: Bool
    /// A document of each version, with the ending of its file.
    let samples: [(data: Data, ending: String)]
    /// The folder of the package that the inspector comes from, as it is written into `Package.swift`.
    let inspector: String

    private var target: String { "\(name)Documents" }
    private var program: String { "inspect-\(FieldName(name).words.joined(separator: "-"))" }
    private var hasDateTexts: Bool { versions.contains { $0.types.hasDateTexts } }

    /// The files, by their path in the package.
    var files: [(path: String, content: Data)] {
        var files: [(path: String, text: String)] = [
            ("Package.swift", manifest), ("README.md", readMe), ("Sources/\(target)/\(target).swift", chain),
            ("Sources/\(target)/Support.swift", Self.support), ("Sources/\(program)/Inspect.swift", inspect),
            ("Tests/\(target)Tests/\(target)Tests.swift", tests),
        ]
        for (position, version) in versions.enumerated() {
            let step = position > 0 ? (from: versions[position - 1], code: steps[position - 1]) : nil
            let code = TypeCode(version: version, step: step, spec: spec?.name)
            files.append(("Sources/\(target)/\(version.type).swift", code.text))
        }
        let samples = zip(versions, samples).map { version, sample in
            (path: "Tests/\(target)Tests/Samples/\(version.type).\(sample.ending)", content: sample.data)
        }
        return files.map { ($0.path, Data($0.text.utf8)) } + samples
    }

    private var manifest: String {
        """
        // swift-tools-version: 6.0

        import PackageDescription

        let inspector = Target.Dependency.product(name: "MigrationInspector", package: "MigrationInspector")

        let package = Package(
            name: "\(target)",
            platforms: [.macOS(.v13)],
            dependencies: [
                // The folder with a clone of Migration Inspector.
                .package(name: "MigrationInspector", path: \(SwiftName.literal(inspector)))
            ],
            targets: [
                .target(name: "\(target)", dependencies: [inspector]),
                .executableTarget(name: "\(program)", dependencies: ["\(target)", inspector]),
                .testTarget(name: "\(target)Tests", dependencies: ["\(target)", inspector], exclude: ["Samples"]),
            ]
        )

        """
    }

    private var chain: String {
        // Dates are texts such as 2024-03-01T12:00:00Z.
        let settings = (hasDateTexts ? ["dates: .iso8601"] : []) + (allowsJSON5 ? ["allowsJSON5: true"] : [])
        let decoding =
            settings.isEmpty
            ? "" : ",\n        decoding: DecodingStrategies(\(settings.joined(separator: ", ")))"
        let encoding = hasDateTexts ? ",\n        encoding: EncodingStrategies(dates: .iso8601)" : ""
        let strategies = "MigrationChain(\(name).self\(decoding)\(encoding))"
        let imports = hasDateTexts ? "import Foundation\nimport MigrationInspector" : "import MigrationInspector"
        return """
            \(imports)

            /// The chain of all versions.
            public enum \(target) {
                public static let chain = \(strategies)
            }

            """ + (spec.map { "\n" + $0.lines.joined(separator: "\n") + "\n" } ?? "")
    }

    private var inspect: String {
        """
        import MigrationInspector
        import \(target)

        @main struct Inspect: MigrationInspectorProgram {
            static let chains: [MigrationChain] = [\(target).chain]
        }

        """
    }

    private var tests: String {
        let list = zip(versions, samples).map { version, sample in
            "        (\(SwiftName.literal("\(version.type).\(sample.ending)")), \(version.number.map { ".number(\($0))" } ?? ".unversioned")),"
        }
        return """
            import Foundation
            import MigrationInspector
            import Testing
            import \(target)

            /// A document of each version.
            struct \(target)Tests {
                static let samples: [(file: String, version: DocumentVersion)] = [
            \(list.joined(separator: "\n"))
                ]

                private func sample(_ file: String) throws -> Data {
                    let folder = URL(filePath: #filePath).deletingLastPathComponent()
                    return try Data(contentsOf: folder.appending(path: "Samples/\\(file)"))
                }

                @Test("a document is read as its version", arguments: samples)
                func read(file: String, version: DocumentVersion) throws {
                    let result = try \(target).chain.check(sample(file), source: file, to: version)
                    #expect(result.failure == nil && result.version == version)
                }

                // Fails until the initializers are written: its message names what is left to write.
                @Test("a document migrates to the newest version", arguments: samples)
                func migrate(file: String, version: DocumentVersion) throws {
                    let result = try \(target).chain.check(sample(file), source: file)
                    #expect(result.failure == nil, "\\(result.failure?.message ?? "")")
                }
            }

            """
    }

    private var readMe: String {
        let unwritten = zip(versions.dropFirst(), steps).filter { !$1.unwritten.isEmpty }.map { version, step in
            "- `Sources/\(target)/\(version.type).swift`: \(step.unwritten.joined(separator: ", "))\n"
        }
        let left =
            unwritten.isEmpty
            ? "Each step is written. Read it: the documents cannot say what you meant.\n"
            : "These values cannot be read off the documents. Write how each is made from the version before:\n\n"
                + unwritten.joined()
        return """
            # \(target)

            The types of \(versions.count == 1 ? "one version" : "\(versions.count) versions") of \(name), inferred from documents.

            \(left)
            See what is left on the screen, and run the tests:

                swift run \(program) PATH
                swift test

            """
    }

    private static let support = """
        import Foundation
        import MigrationInspector

        /// Throws an error for a value that no code makes yet.
        func notWrittenYet<Value>(at path: [any CodingKey]) throws -> Value {
            let name = path.map(\\.stringValue).joined(separator: ".")
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: path, debugDescription: "not written yet: \\(name)"))
        }

        /// Returns a value that is converted from that of the version before.
        ///
        /// - Throws: An error if it is nil: no document that the types are inferred from has such a value.
        func converted<Value>(_ value: Value?, at path: [any CodingKey]) throws -> Value {
            if let value { return value }
            return try notWrittenYet(at: path)
        }

        /// A key of a dictionary, or a position in a list.
        struct StepKey: CodingKey {
            let stringValue: String
            let intValue: Int?

            init(_ position: Int) { (stringValue, intValue) = ("\\(position)", position) }
            init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
            init?(intValue: Int) { self.init(intValue) }
        }

        extension Array {
            func mapElements<Value>(_ make: (any CodingKey, Element) throws -> Value) rethrows -> [Value] {
                try enumerated().map { try make(StepKey($0.offset), $0.element) }
            }
        }

        extension Dictionary where Key == String {
            func mapEntries<Made>(_ make: (any CodingKey, Value) throws -> Made) rethrows -> [String: Made] {
                try Dictionary<String, Made>(
                    uniqueKeysWithValues: map { key, value in (key, try make(StepKey(stringValue: key), value)) })
            }
        }

        /// A value of any kind.
        enum AnyValue: Codable, Hashable, Sendable {
            case null
            case bool(Bool)
            case int(Int)
            case double(Double)
            case string(String)
            case list([AnyValue])
            case object([String: AnyValue])
            case date(Date)
            case data(Data)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if container.decodeNil() {
                    self = .null
                } else if let value = try? container.decode(Bool.self) {
                    self = .bool(value)
                } else if let value = try? container.decode(Int.self) {
                    self = .int(value)
                } else if let value = try? container.decode(Double.self) {
                    self = .double(value)
                } else if let value = try? container.decode(String.self) {
                    self = .string(value)
                } else if let value = try? container.decode([AnyValue].self) {
                    self = .list(value)
                } else if let value = try? container.decode([String: AnyValue].self) {
                    self = .object(value)
                } else if let value = try? container.decode(Date.self) {
                    self = .date(value)
                } else {
                    self = .data(try container.decode(Data.self))
                }
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .null: try container.encodeNil()
                case .bool(let value): try container.encode(value)
                case .int(let value): try container.encode(value)
                case .double(let value): try container.encode(value)
                case .string(let value): try container.encode(value)
                case .list(let value): try container.encode(value)
                case .object(let value): try container.encode(value)
                case .date(let value): try container.encode(value)
                case .data(let value): try container.encode(value)
                }
            }
        }

        """
}
