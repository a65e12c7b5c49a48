import DocumentSources
import Testing

@Suite("The name of a file for people")
struct FilePathTests {
    @Test(
        "is read back as the bytes it stands for",
        arguments: [
            "caf\\xE9.json", "caf\\x5C.json", "\\x", "a\\b",
        ].map { Array($0.utf8) } + [[0xE9], [0x5C, 0x78, 0x45, 0x39, 0xFF], [0xFF, 0x5C], [0xFF, 0x5C, 0x5C, 0x78]]
            + ["\\n", "\\u{7}", "\u{301}", "\u{200D}", "\\\u{301}"].map { [0xEF] + Array($0.utf8) })
    func reading(bytes: [UInt8]) throws {
        let description = FilePath(bytes).description
        let read = FilePath(described: description) ?? FilePath(description)
        #expect(read.bytes == bytes, "\(description)")
    }
}
