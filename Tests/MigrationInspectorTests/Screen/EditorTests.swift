import DocumentModel
import DocumentSources
import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

@Suite("The editor")
struct EditorTests {
    private let place = SourceLocation(line: 5, column: 17, offset: 96)

    @Test(
        "each editor gets the line and the column in its own syntax",
        arguments: [
            ("vi", ["vi", "+5", "a.json"]), ("/usr/bin/vim", ["/usr/bin/vim", "+call cursor(5,17)", "a.json"]),
            ("nvim", ["nvim", "+call cursor(5,17)", "a.json"]), ("nano", ["nano", "+5,17", "a.json"]),
            ("emacsclient -t", ["emacsclient", "-t", "+5:17", "a.json"]), ("hx", ["hx", "a.json:5:17"]),
            ("code -w", ["code", "-w", "-g", "a.json:5:17"]), ("unheard-of", ["unheard-of", "a.json"]),
        ])
    func arguments(editor: String, arguments: [String]) {
        let named = Editor(environment: ["EDITOR": editor])
        #expect(named.arguments(file: "a.json", at: place) == arguments)
        #expect(named.arguments(file: "a.json", at: nil) == editor.split(separator: " ").map(String.init) + ["a.json"])
    }

    @Test("the editor is VISUAL before EDITOR, and vi by default")
    func choice() {
        #expect(Editor(environment: ["VISUAL": "hx", "EDITOR": "nano"]).words == ["hx"])
        #expect(Editor(environment: ["VISUAL": "", "EDITOR": "nano"]).words == ["nano"])
        #expect(Editor(environment: [:]).words == ["vi"])
    }

    @Test("an editor gets no name that it could read as an option, a command or an address")
    func names() {
        for name in StrangeNames.ofFiles + ["+!touch x", "-c", "!touch x", "scp:host/x", "a.json"] {
            #expect(Editor.plain(name).isExactly("./\(name)"), "\(name.debugDescription)")
        }
        #expect(Editor.plain("/tmp/-c") == "/tmp/-c" && Editor.plain("/\u{301}x").isExactly("/\u{301}x"))
    }

    @Test("an editor opens a file directly, and a line of a file as a temporary copy")
    func copies() throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"version\": 1}", to: "a.json")
        try folder.write("{\"version\": 1}\n{\"version\": 2}\n", to: "a.jsonl")
        try folder.write(
            "#!/bin/sh\nfor f; do :; done\necho changed >> \"$f\"\necho \"$f\" > '\(folder.path("log"))'\n", to: "ed.sh"
        )
        // Started by the shell, because a script written by this process may still be open in a child that is being
        // started.
        let editor = Editor(environment: ["EDITOR": "sh \(folder.path("ed.sh"))"])
        #expect(editor.open(GivenName(FilePath(folder.path("a.json"))).document, at: nil) == nil)
        #expect(try folder.text("a.json").hasSuffix("changed\n"))
        let line = GivenName(FilePath(folder.path("a.jsonl#L2"))).document
        #expect(editor.open(line, at: nil) == CommandWords.editedCopy)
        #expect(try !folder.text("a.jsonl").contains("changed"))
        let copy = try folder.text("log").trimmingCharacters(in: .newlines)
        #expect(copy.hasSuffix("/copy.json") && !FileManager.default.fileExists(atPath: copy))
    }

    @Test("a missing or failing editor is named in a message")
    func missing() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "a.json")
        let document = GivenName(FilePath(folder.path("a.json"))).document
        #expect(
            Editor(environment: ["EDITOR": "/no/such/editor"]).open(document, at: nil)?.contains("/no/such/editor")
                == true)
        #expect(Editor(environment: ["EDITOR": "false"]).open(document, at: nil) == CommandWords.editorFailed("false"))
    }
}
