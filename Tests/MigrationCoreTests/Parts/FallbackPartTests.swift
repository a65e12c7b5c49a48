import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Parts that migrate by shape")
struct FallbackPartTests {
    private let chain = MigrationChain(named: "Club", shapes: ShapeVersions(Club<Member>.self))

    @Test("an attempt that fails in a part names the path in the whole document")
    func attemptPaths() throws {
        let trace = try chain.trace(json: #"{"chair": {"nick": "A"}, "members": [], "byRole": {}, "rooms": []}"#)
        let place = try #require(DocumentPath("$.chair"))
        let tried = trace.detection.attempts.map { $0.reason?.path }
        #expect(!tried.isEmpty && tried.allSatisfy { $0?.hasPrefix(place) == true }, "\(tried)")
        #expect(trace.failure?.path?.hasPrefix(place) == true)
    }

    @Test("parts are found at any depth, in arrays and dictionaries, each with its attempts")
    func everywhere() throws {
        let old = #"{"name": "Ada", "email": "a@b.c"}"#
        let oldest = #"{"first": "Ada", "last": "King", "email": "a@b.c"}"#
        let json = #"""
            {"chair": \#(old), "members": [{"name": "B", "id": "b"}, \#(oldest)], "byRole": {"the cook": \#(old)},
             "rooms": [{"keys": []}, {"keys": [\#(old)]}]}
            """#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .migrated)
        #expect(
            trace.parts.map { "\($0.path?.description ?? "") \($0.detection.version ?? .unversioned) \($0.outcome)" }
                == [
                    "$.chair 2 migrated", "$.members[0] 3 current", "$.members[1] 1 migrated",
                    "$.byRole['the cook'] 2 migrated", "$.rooms[1].keys[0] 2 migrated",
                ])
        let part = try #require(trace.parts.dropFirst(2).first)
        #expect(part.chain == "Member")
        #expect(part.versions.map(\.type) == ["MemberV1", "MemberV2", "MemberV3"])
        #expect(part.target == .number(3))
        #expect(
            part.detection.attempts.map(\.reason) == [
                .field(path: .root.appending(key: "name"), problem: .missingKey),
                .field(path: .root.appending(key: "name"), problem: .missingKey), nil,
            ])
        #expect(part.steps.map { "\($0.from) \($0.fromType) \($0.to) \($0.toType)" } == ["1 MemberV1 3 MemberV3"])
        #expect(compact(part.steps.first?.before) == oldest.replacing(": ", with: ":").replacing(", ", with: ","))
        #expect(compact(part.result) == #"{"name":"Ada King","id":"a@b.c"}"#)
        #expect(trace.parts.first?.steps.first?.note == "the e-mail address becomes the identifier")
        #expect(trace.result?.root["byRole"]?["the cook"]?["id"]?.string == "a@b.c")
    }

    @Test("a document whose parts are all current stays as it is")
    func current() throws {
        let trace = try chain.trace(json: #"{"chair": {"name":"A","id":"a"}}"#)
        #expect(trace.outcome == .current)
        #expect(trace.parts.map(\.outcome) == [.current])
        #expect(compact(trace.result) == #"{"chair":{"name":"A","id":"a"}}"#)
    }

    @Test("a part that no shape fits makes the whole fail, with the path and the reasons")
    func failed() throws {
        let json = #"{"members": [{"name": "B", "id": "b"}, {"name": "Ada", "email": 5}]}"#
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .failed)
        let failure = try #require(trace.failure)
        #expect(failure.path?.description == "$.members[1].email")
        #expect(failure.culprit == .init(path: try #require(.of("$.members[1].email")), certain: false))
        #expect(failure.location?.column == 65)
        guard case .noShapeFits(let attempts, nearest: 1) = failure.reason else {
            Issue.record("\(failure.reason)")
            return
        }
        #expect(attempts.map(\.type) == ["MemberV3", "MemberV2", "MemberV1"])
        #expect(attempts[0].reason == .field(path: try #require(.of("$.members[1].id")), problem: .missingKey))
        #expect(trace.parts.map(\.outcome) == [.current, .failed])
        let part = try #require(trace.parts.last?.failure)
        #expect(part.path?.description == "$.email")
        #expect(part.tried == [.number(3), .number(2), .number(1)])
        #expect(try chain.check(json: json) == CheckResult(trace))
    }

    @Test("a part may be inside another")
    func nested() throws {
        let chain = MigrationChain(named: "Tickets", shapes: ShapeVersions([Ticket].self))
        let trace = try chain.trace(json: #"[{"number": 1, "holder": {"name": "A", "email": "e", "age": 3}}, 2]"#)
        #expect(trace.parts.map(\.path) == [.of("$[0]"), .of("$[1]")])
        let part = try #require(trace.parts.first)
        #expect(part.parts.map(\.path) == [.of("$.holder")])
        #expect(part.parts.map(\.dropped) == [[try #require(.of("$.age"))]])
        #expect(part.dropped.map(\.description) == ["$.holder.age"])
        #expect(trace.dropped.map(\.description) == ["$[0].holder.age"])
        #expect(part.outcome == .migrated)
        #expect(compact(trace.result) == #"[{"number":1,"holder":{"name":"A","id":"e"}},{"number":2}]"#)
    }

    @Test("a part inside a shape that did not fit is not added to the shape that did")
    func inVain() throws {
        struct Team: Codable {
            var captain: Member
            private struct TeamV2: Decodable { let captain: Member, league: String }
            private struct TeamV1: Decodable { let captain: Member }
            init(from decoder: any Decoder) throws {
                captain = try decoder.decodeFirst(
                    FallbackShape(TeamV2.self) { $0.captain }, FallbackShape(TeamV1.self) { $0.captain })
            }
        }
        let trace = try MigrationChain(named: "Teams", shapes: ShapeVersions([Team].self))
            .trace(json: #"[{"captain": {"name": "A", "email": "e"}}]"#)
        #expect(trace.parts.map(\.path) == [.of("$[0]")])
        #expect(trace.parts.first?.parts.map(\.path) == [.of("$.captain")])
    }

    @Test("a part inside one that no shape fits, and that the app does without, migrates nothing")
    func doneWithout() throws {
        struct Team: Codable {
            var captain: Member
            private struct TeamV2: Decodable { let captain: Member, league: String }
            private struct TeamV1: Decodable { let captain: Member, year: Int }
            init(from decoder: any Decoder) throws {
                captain = try decoder.decodeFirst(
                    FallbackShape(TeamV2.self) { $0.captain }, FallbackShape(TeamV1.self) { $0.captain })
            }
        }
        struct Season: Codable {
            var team: Team?
            private enum CodingKeys: String, CodingKey { case team }
            init(from decoder: any Decoder) throws {
                team = try? decoder.container(keyedBy: CodingKeys.self).decode(Team.self, forKey: .team)
            }
        }
        let json = #"{"team": {"captain": {"name": "A", "email": "e"}}}"#
        let chain = MigrationChain(named: "Season", shapes: ShapeVersions(Season.self))
        let trace = try chain.trace(json: json)
        #expect(trace.outcome == .current && trace.rewriting == nil)
        #expect(trace.parts.map(\.outcome) == [.failed] && trace.parts.first?.parts.isEmpty == true)
        #expect(try chain.check(json: json) == CheckResult(trace))
        // They give no warnings except about the error that the type caught.
        let both = try chain.check(json: #"{"team": {"captain": {"name": "A", "id": "a", "email": "e"}}}"#)
        #expect(!both.warnings.contains { if case .ofPart = $0 { true } else { false } })
    }

    @Test("the result of parts, or its absence, is kept in a trace file")
    func rewriting() throws {
        for json in [#"{"chair": {"name": "A", "email": "e"}}"#, #"{"chair": {"name": "A", "id": "e"}}"#] {
            let trace = try chain.trace(json: json)
            let read = try DocumentDecoder().decode(
                versioned: MigrationTrace.self, from: DocumentEncoder().encode(versioned: trace).root)
            #expect((trace.rewriting == nil) == (trace.outcome == .current))
            #expect((read.rewriting == nil) == (trace.rewriting == nil))
            #expect(read.rewriting?.document == trace.rewriting?.document && read.outcome == trace.outcome)
        }
        let tickets = MigrationChain(fallback: Ticket.self)
        let step = try tickets.trace(json: "2")
        let read = try DocumentDecoder().decode(
            versioned: MigrationTrace.self, from: DocumentEncoder().encode(versioned: step).root)
        #expect(step.rewriting == nil && read.rewriting == nil && read.steps.count == 1)
    }

    @Test("a chain of a part itself warns about the parts inside too")
    func warningsOfInside() throws {
        let tickets = MigrationChain(fallback: Ticket.self)
        let json = #"{"number": 1, "holder": {"name": "A", "id": "a", "email": "e"}}"#
        let warning = Reason.ambiguousShape(
            isWhole: false, taken: "MemberV3", others: ["MemberV2"], lost: [.root.appending(key: "email")])
        #expect(try tickets.check(json: json).warnings == [.ofPart(path: .root.appending(key: "holder"), warning)])
        #expect(try tickets.trace(json: json).warnings == [.ofPart(path: .root.appending(key: "holder"), warning)])
    }

    @Test("current and migrated parts have the time that they took")
    func seconds() throws {
        let trace = try chain.trace(json: #"{"members": [{"name": "A", "id": "a"}, {"name": "A", "email": "e"}]}"#)
        #expect(trace.parts[0].decodingSeconds > 0 && (trace.parts[1].steps.first?.seconds ?? 0) > 0)
        #expect(trace.decodingSeconds > trace.parts[0].decodingSeconds)
        let whole = MigrationChain(fallback: Ticket.self)
        #expect(try whole.trace(json: #"{"number": 1}"#).decodingSeconds > 0)
        #expect(try (whole.trace(json: "2").steps.first?.seconds ?? 0) > 0)
    }

    @Test("a second shape that fits is a warning, once for all elements of an array")
    func ambiguous() throws {
        let both = #"{"name": "A", "id": "a", "email": "e"}"#
        let json = #"{"members": [\#(both), \#(both)], "chair": \#(both)}"#
        let result = try chain.check(json: json)
        let warning = Reason.ambiguousShape(
            isWhole: false, taken: "MemberV3", others: ["MemberV2"], lost: [.root.appending(key: "email")])
        #expect(
            Set(result.warnings) == [
                .ofPart(path: .root.appending(key: "chair"), warning),
                .ofPart(path: DocumentPath([.key("members"), .everyElement]), warning),
            ])
        #expect(result.dropped.map(\.description) == ["$.members[*].email", "$.chair.email"])
        let trace = try chain.trace(json: json)
        #expect(CheckResult(trace) == result)
        #expect(trace.parts.map(\.warnings) == [[warning], [warning], [warning]])
        // Fields that no shape reads are not lost by choosing one.
        let more = try chain.check(json: #"{"chair": {"name": "A", "id": "a", "email": "e", "mood": [1]}}"#)
        #expect(more.warnings == [.ofPart(path: .root.appending(key: "chair"), warning)])
        #expect(more.dropped.map(\.description) == ["$.chair.email", "$.chair.mood"])
    }

    @Test("a part has a path with the names of the document, whatever the types call them")
    func keyStrategy() throws {
        let chain = MigrationChain(
            named: "Club", shapes: ShapeVersions(Club<Member>.self),
            decoding: DecodingStrategies(keys: .convertFromSnakeCase),
            encoding: EncodingStrategies(keys: .convertToSnakeCase))
        let trace = try chain.trace(json: #"{"by_role": {"head_cook": {"name": "A", "email": 1}}}"#)
        #expect(trace.parts.map(\.path) == [.of("$.by_role.head_cook")])
        #expect(trace.failure?.path?.description == "$.by_role.head_cook.email")
        #expect(trace.failure?.location?.column == 50)
    }

    @Test("parts are found in property lists")
    func propertyList() throws {
        let list: [String: Any] = ["chair": ["name": "A", "email": "e"]]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let trace = chain.trace(try Document(parsing: SourceBytes(data)), source: "x.plist")
        #expect(trace.parts.map(\.outcome) == [.migrated])
        #expect(trace.result?.root["chair"]?["id"]?.string == "e")
    }

    @Test("a part that failed is shown even if its type does without it and the whole document opens")
    func forgiving() throws {
        struct Lobby: Codable {
            var guest: Member?
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                guest = try? container.decode(Member.self, forKey: .guest)
            }
        }
        let trace = try MigrationChain(named: "Lobby", shapes: ShapeVersions(Lobby.self)).trace(json: #"{"guest": {}}"#)
        #expect(trace.outcome == .current)
        #expect(trace.parts.map(\.outcome) == [.failed])
    }

    @Test("a document stays current if its parts were migrated only inside one that failed")
    func carriedForwardInVain() throws {
        struct Team: Codable {
            var captain: Member
            private struct TeamV1: Decodable { let captain: Member, league: String }
            init(from decoder: any Decoder) throws {
                captain = try decoder.decodeFirst(FallbackShape(TeamV1.self) { $0.captain })
            }
        }
        struct Lobby: Codable {
            var team: Team?
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                team = try? container.decode(Team.self, forKey: .team)
            }
        }
        let chain = MigrationChain(named: "Lobby", shapes: ShapeVersions(Lobby.self))
        let json = #"{"team": {"captain": {"name": "A", "email": "e"}}}"#
        #expect(try chain.trace(json: json).outcome == .current)
        #expect(try chain.check(json: json).outcome == .current)
    }

    @Test("a document may have many parts")
    func many() throws {
        let members = (0..<5_000).map { #"{"name": "A", "email": "\#($0)"}"# }.joined(separator: ",")
        let document = try Document(json: "{\"members\": [\(members)]}")
        let trace = chain.trace(document, source: "x")
        #expect(trace.parts.count == 5_000)
        #expect(trace.parts.last?.path == .of("$.members[4999]"))
    }
}
