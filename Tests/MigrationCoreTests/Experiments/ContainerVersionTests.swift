import DocumentModel
import Foundation
import Testing

@testable import MigrationCore

@Suite("Versions that containers state")
struct ContainerVersionTests: MendSearching {
    fileprivate struct Jar: Codable {
        var label: String, grams: Int
        var version: Version = Self.version
    }

    private struct Pantry: VersionedCodable {
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
        var name: String
        var jars: [VersionableContainer<Jar>]
    }

    /// The fields of each version.
    private static let contents = [
        1: #""name": "honey", "weight": 12"#, 2: #""label": "honey", "weight": 12"#,
        3: #""label": "honey", "grams": 120"#,
    ]

    /// A jar that states a version, if any, next to the content of another one.
    private func jar(_ stated: String?, _ version: Int, isInside: Bool = true) -> String {
        let own = isInside ? #", "version": \#(version)"# : ""
        let instance = Data("{\(Self.contents[version] ?? "")\(own)}".utf8).base64EncodedString()
        return #"{\#(stated.map { #""version": \#($0), "# } ?? "")"instance": "\#(instance)"}"#
    }

    private func found(_ jars: [String]) throws -> MigrationFailure.Culprit? {
        try search(
            MigrationChain(Pantry.self), #"{"version": 1, "name": "x", "jars": [\#(jars.joined(separator: ", "))]}"#)
    }

    @Test(
        "a wrong version of a container is repaired with that of its content, and nothing in it is blamed",
        arguments: [
            (3, 1, true), (3, 2, true), (2, 1, true), (1, 2, true), (1, 3, true), (2, 3, true), (9, 2, true),
            (3, 1, false), (3, 2, false), (2, 1, false), (1, 2, false), (9, 1, false),
        ])
    func wrong(stated: Int, real: Int, isInside: Bool) throws {
        let found = try found([jar("3", 3), jar("\(stated)", real, isInside: isInside), jar("2", 2)])
        let place = path("$.jars[1].version")
        #expect(try found?.proof?.finding == .repair(.set(place, Document(json: "\(real)"))))
        #expect(found?.path == place && found?.others == [] && found?.proof?.ending == .opens)
    }

    @Test("a missing or null version of a container, or one of another kind, is repaired with that of its content")
    func unreadable() throws {
        let place = path("$.jars[1].version")
        for stated in ["null", #""2""#] {
            let found = try found([jar("3", 3), jar(stated, 2)])
            #expect(try found?.proof?.finding == .repair(.set(place, Document(json: "2"))))
        }
        let missing = try found([jar("3", 3), jar(nil, 1)])
        #expect(try missing?.proof?.finding == .repair(.add(place, Document(json: "1"))))
    }

    @Test("the wrong versions of two containers are each repaired")
    func two() throws {
        let first = try found([jar("3", 1), jar("3", 2)])
        #expect(try first?.proof?.finding == .repair(.set(path("$.jars[0].version"), Document(json: "1"))))
        #expect(first?.proof?.ending != .opens)
    }

    @Test("bytes that a closure refuses are not blamed as a whole")
    func bytes() throws {
        let trace = try MigrationChain(Pantry.self).trace(
            json: #"{"version": 1, "name": "x", "jars": [\#(jar("1", 3))]}"#)
        #expect(trace.failure?.kind == .thrown && trace.failure?.culprit == nil)
        #expect(trace.failure?.location != nil)
    }

    @Test("a wrong value in a container is blamed, and not the version of the container")
    func value() throws {
        let text = #"{"name": "honey", "weight": "012", "version": 1}"#
        let found = try found([
            jar("3", 3), #"{"version": 1, "instance": "\#(Data(text.utf8).base64EncodedString())"}"#,
        ])
        #expect(try found?.proof?.finding == .repair(.set(path("$.jars[1].instance.weight"), Document(json: "12"))))
    }
}

extension ContainerVersionTests.Jar: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2, v3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2: .migrate { $0["label"] = $0.removeValue(forKey: "name") }
        case .v3:
            .migrate { payload in
                guard let weight = payload.removeValue(forKey: "weight") as? Int else {
                    throw Refusal(description: "no weight")
                }
                payload["grams"] = weight * 10
            }
        }
    }
}
