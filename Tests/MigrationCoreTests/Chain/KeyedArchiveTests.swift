import DocumentModel
import Foundation
import MigrationCore
import Testing

@Suite("Keyed archives")
struct KeyedArchiveTests {
    @Test("a keyed archive that no chain claims is reported as one")
    func named() throws {
        let archive: [String: Any] = [
            "$archiver": "NSKeyedArchiver", "$version": 100_000, "$top": ["root": ["CF$UID": 1]],
            "$objects": ["$null", ["$class": ["CF$UID": 2]], ["$classname": "Poem"]],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: archive, format: .binary, options: 0)
        let document = try Document(parsing: SourceBytes(data))
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
