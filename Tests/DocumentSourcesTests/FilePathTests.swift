import TestSupport
import Testing

@testable import DocumentSources

@Suite("Names of files for people")
struct FilePathTests {
    @Test(
        "a printed name is read back as the bytes that it stands for",
        arguments: [
            "caf\\xE9.json", "caf\\x5C.json", "\\x", "a\\b",
        ].map { Array($0.utf8) } + [[0xE9], [0x5C, 0x78, 0x45, 0x39, 0xFF], [0xFF, 0x5C], [0xFF, 0x5C, 0x5C, 0x78]]
            + ["\\n", "\\u{7}", "\u{301}", "\u{200D}", "\\\u{301}"].map { [0xEF] + Array($0.utf8) })
    func reading(bytes: [UInt8]) throws {
        let description = FilePath(bytes).description
        let read = FilePath(described: description) ?? FilePath(description)
        #expect(read.bytes == bytes, "\(description)")
    }

    @Test("different names are printed differently, however escapes and characters meet in them")
    func everyName() {
        let parts: [[UInt8]] =
            ["\\", "x", "E9", "u{9}", "n", "é", "\n", "\u{301}"].map { Array($0.utf8) } + [[0xE9], [0x80]]
        var seen: [String: [UInt8]] = [:]
        for first in parts {
            for second in parts {
                for third in parts {
                    let bytes = first + second + third
                    let description = FilePath(bytes).description
                    #expect((FilePath(described: description) ?? FilePath(description)).bytes == bytes)
                    #expect(seen.updateValue(bytes, forKey: description).map { $0 == bytes } ?? true)
                }
            }
        }
    }

    @Test(
        "an escape is read only for bytes that are printed as one",
        arguments: [
            (#"\x80"#, [0x80]), (#"\xfF"#, [0xFF]), (#"\x5C"#, [0x5C]), (#"\x7F"#, nil), (#"\x41"#, nil),
            (#"\x4"#, nil), (#"\xG0"#, nil), (#"\t\n\r"#, [9, 10, 13]), (#"\u{1B}"#, [0x1B]),
            (#"\u{10FFFF}"#, [0xF4, 0x8F, 0xBF, 0xBF]), (#"\u{110000}"#, nil), (#"\u{D800}"#, nil), (#"\u{0}"#, nil),
            (#"\u{}"#, nil), (#"\u{0000009}"#, nil), (#"\q"#, nil), ("", nil), ("plain", nil),
            (#"a\b\tc"#, [0x61, 0x5C, 0x62, 9, 0x63]),
        ] as [(String, [UInt8]?)])
    func escapes(text: String, bytes: [UInt8]?) {
        #expect(FilePath(described: text)?.bytes == bytes)
    }

    // MARK: - Parts

    @Test(
        "a path is split into the folder with its slash and the last part, ignoring slashes at the end",
        arguments: [
            ("a.json", "", "a.json"), ("b/a.json", "b/", "a.json"), ("/a", "/", "a"), ("/b/c/a", "/b/c/", "a"),
            ("b/c/", "b/c/", "c"), ("b//", "b//", "b"), ("/", "/", "/"), ("", "", ""),
        ])
    func parts(name: String, folder: String, last: String) {
        #expect(FilePath(name).folder.description == folder)
        #expect(FilePath(name).lastComponent.description == last)
        #expect(FilePath(name).isAbsolute == name.hasPrefix("/"))
    }

    @Test("a folder and a name are joined with one slash")
    func appending() {
        for (folder, expected) in [("", "x"), ("/", "/x"), ("a", "a/x"), ("a/", "a/x"), ("/a/b", "/a/b/x")] {
            #expect(FilePath(folder).appending("x").description == expected)
        }
    }

    @Test("an ending matches regardless of case, and not in a shorter name")
    func endings() {
        for (name, isEnding) in [
            ("a.json", true), ("A.JsoN", true), (".json", true), ("json", false), ("a.jsonl", false),
            ("a.json/", false),
            ("a-json", false), ("", false),
        ] { #expect(FilePath(name).hasSuffix(".json") == isEnding) }
        #expect(FilePath("a.json").dropLast(5) == "a" && FilePath("a").dropLast(2) == "")
        #expect(FilePath([0x61, 0, 0x62]) == "a")
    }
}
