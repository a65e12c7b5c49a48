import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Migrating a document step by step")
struct SteppingTests {
    private let chain = MigrationChain(Recipe.self, notes: [3: "the heading is gone"])
    private let v1 = #"{"version": 1, "name": "Toast", "portions": "2", "ingredients": ["bread", "butter"]}"#

    @Test("each step has the document before and after it")
    func steps() throws {
        let trace = try chain.trace(json: v1)
        #expect(trace.outcome == .migrated)
        #expect(trace.steps.map(\.from) == [.number(1), .number(2), .number(3)])
        #expect(trace.steps.map(\.toType) == ["RecipeV2", "RecipeV3", "Recipe"])
        #expect(trace.steps.map(\.note) == [nil, "the heading is gone", nil])
        #expect(
            compact(trace.steps[0].before)
                == #"{"version":1,"name":"Toast","portions":"2","ingredients":["bread","butter"]}"#.description)
        #expect(
            compact(trace.steps[0].after)
                == #"{"title":"Toast","servings":2,"ingredients":["Ingredients:","bread","butter"],"version":2}"#)
        #expect(trace.steps[1].before == trace.steps[0].after)
        #expect(
            compact(trace.result)
                == #"{"title":"Toast","serves":2,"ingredients":[{"name":"bread"},{"name":"butter"}],"version":4}"#)
        #expect(trace.versions.map(\.version) == [.unversioned, .number(1), .number(2), .number(3), .number(4)])
    }

    @Test("the result is what the app itself would have after decoding")
    func sameAsApp() throws {
        let app = try JSONDecoder().decode(versioned: Recipe.self, from: Data(v1.utf8))
        #expect(try chain.trace(json: v1).result == DocumentEncoder().encode(versioned: app))
    }

    @Test("a current document takes no steps, and its result is the document as it was written")
    func current() throws {
        let json = #"{"version":4,"title":"x","serves":1.0,"ingredients":[]}"#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .current)
        #expect(trace.steps.isEmpty)
        #expect(compact(trace.result) == json)
    }

    @Test("a target version ends the migration there")
    func target() throws {
        let trace = try chain.trace(json: v1, to: .number(2))
        #expect(trace.steps.map(\.to) == [.number(2)])
        #expect(trace.outcome == .migrated)
        #expect(trace.target == .number(2))
        #expect(try chain.check(json: v1, to: .number(1)).outcome == .current)
    }

    @Test("a target older than the document's version, or unknown to the chain, is a failure that says so")
    func unreachableTargets() throws {
        let older = try chain.check(json: v1, to: .unversioned).failure
        #expect(older?.kind == .unsupportedVersion)
        let versions = chain.versions.map(\.version)
        #expect(
            older?.reason
                == .unreachableTarget(
                    target: .unversioned, version: .number(1), chain: "Recipe", versions: versions, isStraight: false))
        let unknown = try chain.check(json: v1, to: .number(7)).failure
        guard case .unreachableTarget(.number(7), _, "Recipe", versions, false)? = unknown?.reason else {
            Issue.record("\(String(describing: unknown))")
            return
        }
        #expect(unknown?.tried == [.number(4), .number(3), .number(2), .number(1), .unversioned])
    }

    @Test("a class instance is recorded as each step made it, even if a later step changes it")
    func classes() throws {
        final class Box: Codable {
            var items: [String]
            init(_ items: [String]) { self.items = items }
        }
        struct Old: VersionedCodable {
            var box: Box
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct Middle: VersionedCodable {
            var box: Box
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) {
                box = old.box
                box.items.append("middle")
            }
        }
        struct New: VersionedCodable {
            var box: Box
            static let version: Int? = 3
            typealias PreviousVersion = Middle
            init(from old: Middle) {
                box = old.box
                box.items.append("new")
            }
        }
        let trace = try MigrationChain(New.self).trace(json: #"{"version":1,"box":{"items":[]}}"#)
        #expect(
            trace.steps.map { compact($0.before) } + [compact(trace.result)] == [
                #"{"version":1,"box":{"items":[]}}"#, #"{"box":{"items":["middle"]},"version":2}"#,
                #"{"box":{"items":["middle","new"]},"version":3}"#,
            ])
    }

    @Test("the value before a step is released before the new value is encoded")
    func valueBeforeIsGone() throws {
        final class Token {
            weak var of: Token?
        }
        struct Old: VersionedCodable {
            let token = Token()
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            init(from decoder: any Decoder) {}
            func encode(to encoder: any Encoder) {}
        }
        struct New: VersionedCodable {
            let old = Token()
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) { self.old.of = old.token }
            init(from decoder: any Decoder) {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(old.of == nil, forKey: AnyKey(stringValue: "isGone"))
            }
            struct AnyKey: CodingKey {
                let stringValue: String
                var intValue: Int? { nil }
                init(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        let trace = try MigrationChain(New.self).trace(json: #"{"version":1}"#)
        #expect(compact(trace.result) == #"{"isGone":true,"version":2}"#)
    }

    @Test("a value that cannot be encoded is recorded in its step, and the document still opens")
    func doesNotEncode() throws {
        struct Old: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
        }
        struct New: VersionedCodable {
            var ratio = Double.infinity
            static let version: Int? = 2
            typealias PreviousVersion = Old
            init(from old: Old) {}
        }
        let trace = try MigrationChain(New.self).trace(json: #"{"version":1}"#)
        #expect(trace.outcome == .migrated)
        #expect(trace.result == nil)
        guard case .madeUnencodable(.notEncodable("New", _))? = trace.steps.last?.ending else {
            Issue.record("\(trace.steps)")
            return
        }
        #expect(trace.notEncodable != nil)
    }

    @Test("a value nested more deeply than JSONEncoder writes cannot be encoded")
    func nestedTooDeeply() throws {
        struct Nest: Codable {
            var depth: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if depth > 1 { try container.encode(Nest(depth: depth - 1)) }
            }
        }
        struct Old: VersionedCodable {
            static let version: Int? = 1
            typealias PreviousVersion = NothingEarlier
            var depth: Int
        }
        struct New: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            var nest: Nest
            init(from old: Old) { nest = Nest(depth: old.depth) }
        }
        let reason = Reason.notEncodable(type: "New", because: .malformed(problem: .tooDeep))
        // The object around it counts as a level.
        for (depth, expected) in [(511, nil), (512, reason), (3000, reason)] as [(Int, Reason?)] {
            let trace = try MigrationChain(New.self).trace(json: #"{"version":1,"depth":\#(depth)}"#)
            #expect(trace.notEncodable == expected && trace.outcome == .migrated, "\(depth)")
        }
    }

    @Test("a check makes no snapshots")
    func noSnapshots() throws {
        struct Stubborn: VersionedCodable {
            static let version: Int? = 2
            typealias PreviousVersion = Old
            struct Old: VersionedCodable {
                static let version: Int? = 1
                typealias PreviousVersion = NothingEarlier
            }
            init(from old: Old) {}
            func encode(to encoder: any Encoder) throws { Issue.record("a check encoded a value") }
        }
        #expect(try MigrationChain(Stubborn.self).check(json: #"{"version":1}"#).outcome == .migrated)
    }

    @Test("the app's own strategies read and write every version")
    func strategies() throws {
        struct Diary: VersionedCodable {
            var lastEntry: Date
            var pagesWritten: Int
            static let version: Int? = 2
            typealias PreviousVersion = Old
            struct Old: VersionedCodable {
                var lastEntry: Date
                static let version: Int? = 1
                typealias PreviousVersion = NothingEarlier
            }
            init(from old: Old) {
                lastEntry = old.lastEntry
                pagesWritten = 0
            }
        }
        let chain = MigrationChain(
            Diary.self, decoding: DecodingStrategies(dates: .iso8601, keys: .convertFromSnakeCase),
            encoding: EncodingStrategies(dates: .iso8601, keys: .convertToSnakeCase))
        let trace = try chain.trace(json: #"{"version":1,"last_entry":"2024-01-31T12:00:00Z","mood":1}"#)
        #expect(
            compact(trace.result) == #"{"last_entry":"2024-01-31T12:00:00Z","pages_written":0,"version":2}"#)
        #expect(trace.dropped == [DocumentPath.of("$.mood")])
    }

    @Test("unread fields are reported at the topmost level, and folded if all elements have them")
    func dropped() throws {
        let json = """
            {"version": 4, "title": "x", "serves": 1, "mood": {"colour": "grey", "deep": [1, 2]},
             "ingredients": [{"name": "a", "note": 1}, {"name": "b", "note": 2, "brand": "c"}]}
            """
        let result = try chain.check(json: json)
        #expect(result.dropped.map(\.description) == ["$.mood", "$.ingredients[*].note", "$.ingredients[1].brand"])
        #expect(result.outcome == .current)
    }

    @Test("a document that did not decode has no dropped fields")
    func droppedUnknown() throws {
        #expect(try chain.check(json: #"{"version": 4, "mood": 1}"#).dropped.isEmpty)
    }

    @Test("a name that occurs twice gets one warning, wherever it is")
    func duplicates() throws {
        let result = try chain.check(
            json: """
                {"version": 4, "title": "x", "title": "y", "title": "z", "serves": 1,
                 "ingredients": [{"name": "a", "name": "b"}, {"name": "c", "name": "d"}]}
                """)
        #expect(
            result.warnings == [
                .field(
                    path: .root.appending(key: "title"),
                    problem: .duplicateName(isLastRead: false, spellings: nil, string: nil)),
                .field(
                    path: DocumentPath([.key("ingredients"), .everyElement, .key("name")]),
                    problem: .duplicateName(isLastRead: false, spellings: nil, string: nil)),
            ])
    }
}
