import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Finding the version of a document")
struct DetectionTests {
    private let recipes = MigrationChain(Recipe.self)
    private let parcels = MigrationChain(Parcel.self)

    @Test("the version key gives the version, and its path is reported")
    func atRoot() throws {
        let trace = try recipes.trace(json: #"{"version": 3, "title": "x", "servings": 1, "ingredients": []}"#)
        #expect(trace.detection.version == .number(3))
        #expect(trace.detection.path == .of("$.version"))
        #expect(trace.outcome == .migrated)
    }

    @Test("detection attempts are listed from the newest version down to the one that fits")
    func attempts() throws {
        let trace = try recipes.trace(json: #"{"version": 3, "title": "x", "servings": 1, "ingredients": []}"#)
        #expect(trace.detection.attempts.map(\.type) == ["Recipe", "RecipeV3"])
        let reason = Reason.otherVersion(
            path: .of("$.version"), type: "Recipe", found: .number(3), expected: .number(4))
        #expect(trace.detection.attempts.map(\.reason) == [reason, nil])
        #expect(trace.detection.attempts.map { compact($0.found) } == ["3", "3"])
    }

    /// The values that the attempts found in a document.
    private func found(_ json: String, in chain: MigrationChain) throws -> [String?] {
        try chain.trace(json: json).detection.attempts.map { compact($0.found) }
    }

    @Test("documents of the same version have the same attempts, whatever else they contain")
    func attemptsOfOneVersion() throws {
        let json = (1...3).map { #"{"version": 2, "title": "\#($0)", "version": \#($0)}"# }
        let attempts = try json.map { try recipes.trace(json: $0).detection.attempts }
        let alone = try MigrationChain(Recipe.self).trace(json: json[2]).detection.attempts
        #expect(attempts.allSatisfy { $0 == alone })
        #expect(try found(#"{"version": 3}"#, in: recipes) == ["3", "3"])
        #expect(try found(json[1], in: recipes) == ["2", "2", "2"])
    }

    @Test("attempts show a zero as the document writes it, regardless of the documents traced before")
    func attemptsOfZero() throws {
        struct Zero: VersionedCodable {
            static let version: Int? = 0
            typealias PreviousVersion = NothingEarlier
        }
        let chain = MigrationChain(Zero.self)
        for number in ["0", "-0", "0"] { #expect(try found(#"{"version": \#(number)}"#, in: chain) == [number]) }
    }

    @Test("attempts show the value at an older type's version path, regardless of the documents traced before")
    func attemptsAtOlderPlace() throws {
        struct Old: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            struct VersionSpec: VersionPathSpec {
                static let keyPathToVersion: KeyPath<Self, Int?> = \Self.format
                var format: Int?
                init(withVersion version: Int?) { format = version }
            }
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            init(from old: Old) {}
        }
        let chain = MigrationChain(New.self)
        for number in ["1", "1.0"] {
            #expect(try found(#"{"version": null, "format": \#(number)}"#, in: chain) == ["null", number])
        }
    }

    @Test(
        "a document without a version key is of the type from before there were versions",
        arguments: ["{}", #"{"version": null}"#])
    func unversioned(json: String) throws {
        let trace = try recipes.trace(json: json)
        #expect(trace.detection.version == .unversioned)
        #expect(trace.detection.path == nil)
        #expect(trace.steps.first?.from == .unversioned)
        #expect(trace.detection.attempts.last?.type == "UnversionedRecipe")
        #expect(trace.detection.attempts.last?.reason == nil)
    }

    @Test("the version is known before the document is decoded, and nothing about its steps is")
    func beforeDecoding() throws {
        let document = try Document(json: #"{"version": 3, "title": 1, "title": 2}"#)
        let known = recipes.detection(of: document, source: "x.json", to: .number(4))
        #expect(known.detection == recipes.trace(document, source: "x.json").detection)
        #expect(known.steps.isEmpty && known.dropped.isEmpty && known.failure == nil)
        #expect(known.source == "x.json" && known.chain == "Recipe" && known.target == .number(4))
        #expect(known.versions == recipes.versions && known.document?.root.isEqual(to: document.root) == true)
        #expect(known.warnings.count == 1)
    }

    @Test("a version key at an older type's path is found there")
    func moved() throws {
        let oldest = try parcels.trace(json: #"{"_version": 1, "grams": 1500}"#)
        #expect(oldest.detection.version == .number(1))
        #expect(oldest.detection.path == .of("$._version"))
        #expect(compact(oldest.result) == #"{"weight":1.5,"label":{"documentVersion":3}}"#)
        let middle = try parcels.trace(json: #"{"version": 2, "weight": 1}"#)
        #expect(middle.detection.path == .of("$.version"))
        let newest = try parcels.trace(json: #"{"label": {"documentVersion": 3}, "weight": 1}"#)
        #expect(newest.detection.path == .of("$.label.documentVersion"))
        #expect(newest.outcome == .current)
    }

    @Test("a version counts only at the path of a type that has that version")
    func wrongPlace() throws {
        let trace = try parcels.trace(json: #"{"_version": 3, "version": 1, "weight": 1}"#)
        #expect(trace.outcome == .failed)
        #expect(trace.failure?.kind == .unsupportedVersion)
        #expect(trace.failure?.tried == [.number(3), .number(2), .number(1)])
    }

    @Test("the newest type's version key counts if a document has two")
    func twoPlaces() throws {
        let trace = try parcels.trace(
            json: #"{"_version": 1, "label": {"documentVersion": 3}, "weight": 2, "grams": 1}"#)
        #expect(trace.detection.version == .number(3))
        #expect(trace.outcome == .current)
        #expect(trace.dropped == [DocumentPath.of("$._version"), .of("$.grams")])
    }

    @Test("a version newer than the chain's is reported as such, with every version that was tried")
    func newer() throws {
        let trace = try recipes.trace(json: #"{"version": 9, "title": "x"}"#)
        let failure = try #require(trace.failure)
        #expect(failure.kind == .unsupportedVersion)
        #expect(failure.path == .of("$.version"))
        #expect(failure.culprit == .init(path: DocumentPath([.key("version")]), certain: true))
        #expect(failure.location == SourceLocation(line: 1, column: 13, offset: 12))
        #expect(failure.tried == [.number(4), .number(3), .number(2), .number(1), .unversioned])
        #expect(
            failure.reason
                == .unsupportedVersion(
                    chain: "Recipe", version: .number(9), path: .of("$.version"), tried: recipes.versions.reversed(),
                    because: nil))
        #expect(trace.detection.version == .number(9))
        #expect(trace.detection.attempts.count == 5)
        #expect(trace.detection.attempts.allSatisfy { $0.reason != nil })
    }

    @Test("a version that is older than all others, or between two, is reported as unsupported", arguments: [-1, 0])
    func older(version: Int) throws {
        let reason = try recipes.check(json: #"{"version": \#(version)}"#).failure?.reason
        guard case .unsupportedVersion("Recipe", .number(version), _, _, nil)? = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
    }

    @Test(
        "a value at the version's path that is not a version is a failure there",
        arguments: [
            (#""four""#, MigrationFailure.Kind.typeMismatch), ("[4]", .typeMismatch), ("true", .typeMismatch),
            ("4.5", .dataCorrupted), ("1e400", .dataCorrupted),
        ])
    func wrongType(value: String, kind: MigrationFailure.Kind) throws {
        let trace = try recipes.trace(json: #"{"version": \#(value), "title": "x"}"#)
        let failure = try #require(trace.failure)
        #expect(failure.kind == kind)
        #expect(failure.path == .of("$.version"))
        #expect(failure.culprit == .init(path: DocumentPath([.key("version")]), certain: true))
        #expect(failure.location?.column == 13)
        guard case .unsupportedVersion(_, nil, _, _, .some) = failure.reason,
            case .notAVersion(.of("$.version"), "Recipe", .some)? = trace.detection.attempts.first?.reason
        else {
            Issue.record("\(trace.detection.attempts)")
            return
        }
    }

    @Test("an invalid version at an older type's path is reported rather than the missing newest key")
    func wrongTypeAtOlderPlace() throws {
        let failure = try parcels.check(json: #"{"_version": "one", "grams": 1}"#).failure
        #expect(failure?.kind == .unsupportedVersion)
        #expect(failure?.path == .of("$._version"))
    }

    @Test("a chain in which every version has a key refuses a document without one")
    func noVersion() throws {
        struct Only: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        let failure = try MigrationChain(Only.self).check(json: "{}").failure
        #expect(failure?.kind == .unsupportedVersion)
        #expect(failure?.path == nil)
        #expect(failure?.culprit == nil)
        #expect(failure?.tried == [.number(1)])
        let misspelt = try MigrationChain(Only.self).check(json: #"{"Version": 1}"#).failure
        #expect(misspelt?.path == nil)
        #expect(misspelt?.culprit == .init(path: DocumentPath([.key("Version")]), certain: false))
        #expect(misspelt?.location?.offset == 12)
    }

    @Test(
        "arrays and scalars at the root have no version, and fail as they would in the app",
        arguments: ["[]", "1", "null", #""x""#])
    func otherRoots(json: String) throws {
        let failure = try recipes.check(json: json).failure
        #expect([.typeMismatch, .valueNotFound].contains(failure?.kind))
        #expect(failure?.path == .of("$"))
        #expect(failure?.location == SourceLocation(line: 1, column: 1, offset: 0))
    }

    @Test("a type's own field at the version's path gives a warning")
    func hidden() throws {
        struct Clash: VersionedCodable {
            var version: Int
            static let version: Int? = 2
            typealias PreviousVersion = NothingEarlier
        }
        let result = try MigrationChain(Clash.self).check(json: #"{"version": 2}"#)
        #expect(result.outcome == .current)
        #expect(
            result.warnings == [.field(path: .root.appending(key: "version"), problem: .hiddenField(type: "Clash"))])
    }

    @Test("a field of another type at the version's path gives a warning, and is why the document fails")
    func hiddenOfOtherType() throws {
        struct Clash: VersionedCodable {
            var version: String
            static let version: Int? = 2
            typealias PreviousVersion = NothingEarlier
        }
        let result = try MigrationChain(Clash.self).check(json: #"{"version": 2}"#)
        #expect(result.failure?.kind == .typeMismatch)
        #expect(
            result.warnings == [.field(path: .root.appending(key: "version"), problem: .hiddenField(type: "Clash"))])
    }

    @Test("the version is found where the app's key strategy puts it")
    func keyStrategy() throws {
        let json = #"{"label": {"document_version": 3}, "weight": 1}"#
        let both = MigrationChain(
            Parcel.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase),
            encoding: EncodingStrategies(keys: .convertToSnakeCase))
        let onlyDecoding = MigrationChain(Parcel.self, decoding: DecodingStrategies(keys: .convertFromSnakeCase))
        for chain in [both, onlyDecoding] {
            let trace = try chain.trace(json: json)
            #expect(trace.outcome == .current)
            #expect(trace.detection.path == .of("$.label.document_version"))
            #expect(trace.detection.attempts.first?.path == .of("$.label.document_version"))
            #expect(trace.dropped.isEmpty)
        }
    }

    @Test("a property list's version is found like any other")
    func propertyList() throws {
        let document = try DocumentEncoder().encode(["version": 3, "servings": 1], as: .plistBinary)
        let result = recipes.check(document, source: "x.plist")
        #expect(result.version == .number(3))
        #expect(result.format == .plistBinary)
        #expect(result.failure?.kind == .keyNotFound)
        #expect(result.failure?.location == nil)
    }

    @Test(
        "the first of two values with the same name is read in JSON and the last in a property list, as in Foundation")
    func duplicates() throws {
        let xml =
            "<plist><dict><key>version</key><integer>9</integer><key>version</key><integer>4</integer></dict></plist>"
        let list = recipes.check(try Document(parsing: SourceBytes(xml)), source: "x.plist")
        let path = DocumentPath.root.appending(key: "version")
        #expect(list.version == .number(4))
        #expect(
            list.warnings == [
                .field(path: path, problem: .duplicateName(isLastRead: true, spellings: nil, string: nil))
            ])
        let alike = try recipes.check(json: "{\"\u{E9}\": 1, \"e\u{301}\": 2, \"version\": 4}")
        let spellings = ["\u{E9}", "e\u{301}"]
        #expect(
            alike.warnings == [
                .field(
                    path: DocumentPath([.key("e\u{301}")]),
                    problem: .duplicateName(isLastRead: false, spellings: spellings, string: nil))
            ])
        let json = try recipes.check(json: #"{"version": 4, "version": 9}"#)
        #expect(json.version == .number(4))
        #expect(
            json.warnings == [
                .field(path: path, problem: .duplicateName(isLastRead: false, spellings: nil, string: nil))
            ])
    }

    @Test(
        "a version key at the root is read the same way whether it is the default or declared by the app",
        arguments: [
            "1", "2", "-2", "2.0", "20e-1", "2.5", "\"2\"", "null", "true", "[2]", "{}", "123456789012345678",
            "9223372036854775807", "99999999999999999999", "2, \"version\": 1", "null, \"version\": 2",
        ])
    func usualKey(value: String) throws {
        let usual = MigrationChain(Sheet<VersionKeyAtRootVersionPathSpec>.self, named: "sheet")
        let declared = MigrationChain(Sheet<DeclaredKey>.self, named: "sheet")
        for json in ["{\"version\": \(value)}", "{\"lines\": 1, \"v\\u0065rsion\": \(value)}"] {
            let results = try [usual, declared].map { try $0.check(json: json) }
            #expect(results[0].version == results[1].version, "\(json)")
            #expect(results[0].versionPath == results[1].versionPath, "\(json)")
            #expect(results[0].outcome == results[1].outcome, "\(json)")
            #expect(results[0].failure?.kind == results[1].failure?.kind, "\(json)")
            #expect(results[0].failure?.path == results[1].failure?.path, "\(json)")
            #expect(results[0].dropped == results[1].dropped, "\(json)")
            let attempts = try [usual, declared].map { try $0.trace(json: json).detection.attempts }
            #expect(attempts[0].map(\.version) == attempts[1].map(\.version), "\(json)")
            #expect(attempts[0].map(\.path) == attempts[1].map(\.path), "\(json)")
            #expect(attempts[0].map(\.found) == attempts[1].map(\.found), "\(json)")
            #expect(attempts[0].map { $0.reason == nil } == attempts[1].map { $0.reason == nil }, "\(json)")
        }
    }

    @Test("a version key at the root has its path in the document even if it is encoded under another name")
    func otherKeyEncoded() throws {
        let encoding = EncodingStrategies(keys: .custom { _ in PathCodingKey("v") })
        let chain = MigrationChain(Sheet<VersionKeyAtRootVersionPathSpec>.self, encoding: encoding)
        #expect(try chain.check(json: #"{"version": 2}"#).versionPath == .of("$.version"))
    }
}

/// A document whose version is found by the given spec.
private struct Sheet<VersionSpec: VersionPathSpec>: VersionedCodable {
    var lines: Int?

    static var version: Int? { 2 }
    typealias PreviousVersion = SheetV1<VersionSpec>

    init(from old: SheetV1<VersionSpec>) { lines = old.lines }
}

private struct SheetV1<VersionSpec: VersionPathSpec>: VersionedCodable {
    var lines: Int?

    static var version: Int? { 1 }
    typealias PreviousVersion = NothingEarlier
}

/// The default version key, as an app may declare it itself.
private struct DeclaredKey: VersionPathSpec {
    nonisolated(unsafe) static let keyPathToVersion: KeyPath<Self, Int?> = \Self.version
    var version: Int?
    init(withVersion version: Int?) { self.version = version }
}
