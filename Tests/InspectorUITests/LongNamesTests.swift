import DisplayText
import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Names, values and messages of any length")
struct LongNamesTests {
    enum Place: CaseIterable {
        case key, value, path, name, message
    }

    /// A document of two versions, with a text of the given length in one place.
    private static func trace(_ place: Place, length: Int) throws -> MigrationTrace {
        let long = String(repeating: "k", count: length)
        let root = DocumentPath.root.appending(key: "a")
        var (old, new) = (#"{"a": 1, "x": 1}"#, #"{"a": 2, "x": 1}"#)
        var failure: MigrationFailure?
        let step = MigrationFailure.Step(from: .number(1), to: .number(2))
        switch place {
        case .key: (old, new) = (#"{"\#(long)": {"a": 1}, "x": 1}"#, #"{"\#(long)": {"a": 2}, "x": 2}"#)
        case .value: (old, new) = (#"{"a": "\#(long)1"}"#, #"{"a": "\#(long)2"}"#)
        case .name: break
        case .path:
            let path = DocumentPath.root.appending(key: long)
            failure = MigrationFailure(
                .field(path: path, problem: .missingKey), step: step, culprit: .init(path: path, certain: false))
        case .message:
            failure = MigrationFailure(
                .field(path: root, problem: .noLongerValid(message: long)), step: step,
                culprit: .init(path: root, certain: true))
        }
        let before = try Document(json: old)
        let ending = try failure.map { MigrationStep.Ending.failed($0) } ?? .made(Document(json: new))
        let paths = place == .key || place == .path ? [DocumentPath.root.appending(key: long)] : []
        return MigrationTrace(
            source: place == .name ? "store.sqlite#T/\(long)/C" : "a.json", format: .json, chain: "Poem",
            versions: PoemFixtures.versions, target: .number(2),
            detection: VersionDetection(version: .number(1), path: paths.first),
            steps: [
                MigrationStep(
                    from: .number(1), to: .number(2), fromType: "PoemV1", toType: "Poem", seconds: 0, before: before,
                    ending: ending)
            ], dropped: paths, warnings: paths.map { .field(path: $0, problem: .nullLeftOut) }, document: before)
    }

    @Test(
        "long names, values and messages look the same once they exceed any line of the screen",
        arguments: Place.allCases)
    func screens(place: Place) throws {
        var (short, long) = try (
            Session([Self.trace(place, length: 30_000)]), Session([Self.trace(place, length: 300_000)])
        )
        for key in [
            "Enter", "j", "j", "l", "h", "Right", "v", "j", "Esc", "s", "/", "text:zz", "Enter", "d", "p", "Esc",
        ] {
            short.type(key)
            long.type(key)
            #expect(long.screen == short.screen, "\(key)")
        }
    }

    @Test("long names, values and messages are not measured, wrapped or drawn beyond what a screen can show")
    func work() {
        let long = String(repeating: "é", count: 3_000_000)
        #expect(TextWidth.columns(of: long) == TextWidth.most)
        // Everything that is drawn is a StyledText.
        #expect(StyledText(long).text.utf8.count <= 8195)
        #expect(StyledText(long).text.hasPrefix("éé") && StyledText(long).text.hasSuffix("éé"))
        #expect(DocumentPath([.key(long), .index(3)]).shown.description.utf8.count < 500)
        let failure = MigrationFailure(.thrown(message: long), culprit: .init(path: .init([.key(long)]), certain: true))
        #expect(
            failure.shown.message.utf8.count <= 8195 && failure.shown.culprit?.path.description.utf8.count ?? 0 < 500)
    }
}
