import DocumentModel
import MigrationCore
import Testing

private struct NoteV1: Codable {
    var text: String
    var colour: String?
}

private struct NoteV2: Codable {
    var text: String
    var tags: [String]?
}

private struct NoteV3: Codable {
    var body: String
    var tags: [String]
}

private struct Pinned: Codable { var at: Int? }

@Suite("Chains of shapes")
struct ShapeChainTests {
    private let chain = MigrationChain(
        named: "Note",
        shapes: ShapeVersions(NoteV1.self)
            .then(NoteV2.self, note: "colours become tags") { NoteV2(text: $0.text, tags: $0.colour.map { [$0] }) }
            .then(NoteV3.self) { old in
                guard !old.text.isEmpty else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [PathCodingKey("text")], debugDescription: "A note says something"))
                }
                return NoteV3(body: old.text, tags: old.tags ?? [])
            })

    @Test("the newest type is tried first, and the attempts say why it did not fit")
    func attempts() throws {
        let trace = try chain.trace(json: #"{"text": "milk", "tags": ["home"]}"#)
        #expect(trace.detection.version == .number(2))
        #expect(trace.detection.path == nil)
        #expect(trace.detection.attempts.map(\.type) == ["NoteV3", "NoteV2"])
        #expect(
            trace.detection.attempts.map(\.reason) == [
                .field(path: .root.appending(key: "body"), problem: .missingKey), nil,
            ])
        #expect(compact(trace.result) == #"{"body":"milk","tags":["home"]}"#)
    }

    @Test("an older shape that fits too is a warning that says what is lost")
    func ambiguous() throws {
        let json = #"{"text": "milk", "colour": "red"}"#
        let result = try chain.check(json: json)
        #expect(
            result.warnings == [
                .ambiguousShape(
                    isWhole: true, taken: "NoteV2", others: ["NoteV1"], lost: [.root.appending(key: "colour")])
            ])
        #expect(result.dropped.map(\.description) == ["$.colour"])
        #expect(try CheckResult(chain.trace(json: json)) == result)

        let harmless = try chain.check(json: #"{"text": "milk", "tags": []}"#)
        #expect(
            harmless.warnings == [.ambiguousShape(isWhole: true, taken: "NoteV2", others: ["NoteV1"], lost: [])])
        #expect(try chain.check(json: #"{"body": "milk", "tags": []}"#).warnings.isEmpty)
    }

    @Test("a field that only one of several older shapes reads is lost")
    func ambiguousAmongThree() throws {
        let three = MigrationChain(
            named: "Three",
            shapes: ShapeVersions(NoteV1.self)
                .then(Pinned.self) { _ in Pinned(at: nil) }
                .then(NoteV2.self) { _ in NoteV2(text: "", tags: nil) })
        let lost = [DocumentPath.root.appending(key: "colour")]
        #expect(
            try three.check(json: #"{"text": "milk", "colour": "red"}"#).warnings == [
                .ambiguousShape(isWhole: true, taken: "NoteV2", others: ["Pinned", "NoteV1"], lost: lost)
            ])
    }

    @Test("a refusal is a failure of its step")
    func refused() throws {
        let failure = try #require(try chain.check(json: #"{"text": ""}"#).failure)
        #expect(failure.step == .init(from: .number(2), to: .number(3)))
        #expect(failure.culprit?.path.description == "$.text")
    }

    @Test("a document that fits no shape names every shape, and the field that the nearest one needs")
    func noneFits() throws {
        let result = try chain.check(json: #"{"body": "milk", "tags": "home"}"#)
        #expect(result.version == nil)
        #expect(result.failure?.kind == .unsupportedVersion)
        #expect(result.failure?.culprit?.path.description == "$.tags")
        guard case .noShapeFits(let attempts, _)? = result.failure?.reason else {
            Issue.record("\(String(describing: result.failure))")
            return
        }
        #expect(attempts.map(\.type) == ["NoteV3", "NoteV2", "NoteV1"])
    }

    @Test("keys can be enough to distinguish shapes")
    func keys() throws {
        let chain = MigrationChain(
            named: "Pin",
            shapes: ShapeVersions(Pinned.self, forbidding: ["at"]).then(Pinned.self, requiring: ["at"]) { $0 })
        #expect(try chain.check(json: "{}").version == .number(1))
        #expect(try chain.check(json: #"{"at": null}"#).version == .number(2))
        #expect(try chain.check(json: #"{"at": null}"#).warnings.isEmpty)
        #expect(
            try chain.trace(json: "{}").detection.attempts.first?.reason
                == .field(path: .root.appending(key: "at"), problem: .missingKey))
    }
}
