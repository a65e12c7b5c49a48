import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Keyed archives")
struct KeyedArchiveTests {
    private func archive(_ format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
        let archive: [String: Any] = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": ["CF$UID": 1]],
            "$objects": ["$null", ["$class": ["CF$UID": 2]], ["$classname": "Poem"]],
        ]
        return try PropertyListSerialization.data(fromPropertyList: archive, format: format, options: 0)
    }

    private struct Card: VersionedCodable {
        var title: String
        static let version: Int? = 1
        typealias PreviousVersion = NothingEarlier
    }

    @Test("keyed archives inside a document are named with their paths, once for all elements of a list")
    func inside() throws {
        let values: [String: Any] = [
            "version": 1, "title": "Lear", "poem": try archive(), "poems": [try archive(.xml), try archive()],
            "image": Data([1, 2, 3]), "text": "bplist00",
        ]
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try PropertyListSerialization.data(fromPropertyList: values, format: format, options: 0)
            let warnings = MigrationChain(Card.self).check(data).warnings.map(\.description).sorted()
            #expect(
                warnings
                    == ["$.poem", "$.poems[*]"].map {
                        "\($0) is a keyed archive of Poem, which NSKeyedArchiver wrote; what it contains is not compared"
                    })
        }
        let base64 = try archive().base64EncodedString()
        let json = #"{"version": 1, "title": "Lear", "a": {"b": "\#(base64)"}, "c": "YnBsaXN0"}"#
        let result = MigrationChain(Card.self).check(Data(json.utf8))
        #expect(result.warnings.map(\.path?.description) == ["$.a.b"] && result.outcome == .current)
    }

    @Test(
        "a document that is a string or data with another document inside is reported as that",
        arguments: [
            (#""{\"version\": 1, \"title\": \"Lear\"}""#, "a string that contains JSON"),
            (#""{version: 1}""#, "a string that contains JSON5"),
            (#""<plist version=\"1.0\"><dict/></plist>""#, "a string that contains a property list"),
            ("<plist version=\"1.0\"><data>eyJhIjogMX0=</data></plist>", "data that contains JSON"),
        ])
    func encodedTwice(text: String, words: String) throws {
        let document = try Document(parsing: SourceBytes(text))
        guard case .unrecognized(let reasons) = [MigrationChain(Card.self)].recognize(document) else {
            Issue.record("a string belongs to no chain")
            return
        }
        #expect(
            reasons.unrecognizedSentence.hasPrefix("the whole document is \(words), as if it had been encoded twice"))
        #expect(reasons.count == 2)
    }

    @Test("a keyed archive that no chain claims is reported as one")
    func named() throws {
        let document = try Document(parsing: SourceBytes(archive()))
        guard case .unrecognized(let reasons) = [JSON5ChainTests.chain].recognize(document) else {
            Issue.record("an archive belongs to no chain")
            return
        }
        #expect(reasons.first == .keyedArchive(type: "Poem"))
        #expect(
            reasons.unrecognizedSentence
                == "a keyed archive of Poem, which NSKeyedArchiver wrote: its objects name one another by number, "
                + "and only the app's own classes read it")
    }
}
