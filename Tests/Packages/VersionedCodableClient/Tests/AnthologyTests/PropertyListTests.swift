import Anthology
import Foundation
import MigrationCore
import Testing

@Suite("Poems in property lists")
struct PropertyListTests {
    private func propertyList(_ body: String) -> Data {
        Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \(body)
            </dict>
            </plist>

            """.utf8)
    }

    @Test("a poem is written as XML with its version")
    func written() throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        let data = try encoder.encode(versioned: Poem(author: .init(name: "McGonagall"), lines: ["The Tay"]))
        let expected = propertyList(
            """
            \t<key>author</key>
            \t<dict>
            \t\t<key>name</key>
            \t\t<string>McGonagall</string>
            \t</dict>
            \t<key>lines</key>
            \t<array>
            \t\t<string>The Tay</string>
            \t</array>
            \t<key>version</key>
            \t<integer>4</integer>
            """)
        #expect(String(decoding: data, as: UTF8.self) == String(decoding: expected, as: UTF8.self))
    }

    @Test("an old poem in a property list is migrated")
    func older() throws {
        let data = propertyList(
            "<key>version</key><integer>1</integer><key>poem</key><string>One\nTwo</string>")
        #expect(try PropertyListDecoder().decode(versioned: Poem.self, from: data).lines == ["One", "Two"])
    }

    @Test("a property list with a version that no type has is refused")
    func unsupported() {
        let data = propertyList("<key>version</key><integer>-1</integer>")
        #expect(throws: VersionedDecodingError.unsupportedVersion(tried: Poem.PoemPreV1.self)) {
            try PropertyListDecoder().decode(versioned: Poem.self, from: data)
        }
    }

    @Test("an archived poem can be opened again as JSON and as a property list", arguments: [false, true])
    func roundTrip(isBinary: Bool) throws {
        var shelf = PoemShelf()
        shelf.isBinary = isBinary
        let born = Date(timeIntervalSinceReferenceDate: -4_000_000)
        let data = try shelf.archive(Poem(author: .init(name: "A", born: born), lines: ["x"]))
        #expect(try shelf.open(Poem.self, from: data).author?.born == born)
    }
}
