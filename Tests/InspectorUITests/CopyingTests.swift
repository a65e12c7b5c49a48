import DisplayText
import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import InspectorUI

@Suite("Copying and editing the shown document")
struct CopyingTests {
    private static func copied(_ session: Session) -> [String] {
        session.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
    }

    @Test("the location, the path and the value under the cursor are copied and shown")
    func value() {
        var session = Session([PoemFixtures.failing])
        session.type("2 y l")
        #expect(Self.copied(session) == ["poem-rating-9.json:5:17"])
        #expect(session.screen.contains("┌ Sent to the terminal"))
        #expect(session.screen.contains("│ poem-rating-9.json:5:17"))
        session.type("Esc y p Esc y v")
        #expect(Self.copied(session).suffix(2) == ["$.starRating", "9"])
    }

    @Test("copying in the source copies the value on the line")
    func source() {
        var session = Session([PoemFixtures.failing])
        session.type("3 g j j y p Esc y l")
        #expect(Self.copied(session) == ["$.author", "poem-rating-9.json:3:13"])
    }

    @Test("the patch of a step turns the document before it into the one after it")
    func patch() throws {
        var session = Session([PoemFixtures.migrating])
        session.type("2 y d")
        let patch = try Document(json: #require(Self.copied(session).first)).root
        #expect(patch.elements.contains { $0["op"]?.string == "replace" && $0["path"]?.string == "/version" })
    }

    @Test("the copied command line shows the same view for any name and value")
    func commandLine() {
        var trace = PoemFixtures.failing
        trace.source = "it's.json"
        var session = Session([trace])
        session.type("2 C e C-u text:\"a'b\" Enter y c")
        #expect(
            Self.copied(session)
                == [
                    #"migration-inspector trace 'it'\\''s.json' --set '$.starRating="a'\\''b"'"#.replacing(
                        #"\\"#, with: #"\"#)
                ])
    }

    private typealias Commands = (commands: [String], words: [String])

    /// The commands that ``copyStrangeCommands()`` makes once for all shells. A test that waits for them blocks no thread.
    private static let strangeCommands = Task { try copyStrangeCommands() }

    /// Returns the copied command line of a document for each strange name, which is that of its file, its key and its
    /// value, and the words that a shell has to read from them.
    private static func copyStrangeCommands() throws -> Commands {
        var commands: [String] = []
        var words: [String] = []
        for name in StrangeNames.all {
            let quoted = JSONString.text(of: name)
            var trace = PoemFixtures.unrecognized
            trace.source = name
            let document = try Document(json: "{\n  \(quoted): \(quoted)\n}")
            trace.document = document
            let path = DocumentPath([.key(name)])
            var session = Session([trace])
            session.type("3 g j y l Esc y p Esc y v Esc")
            session.inspector.change(.set(path, Document(copying: try #require(document.root[name]))))
            session.send(.traced(0, trace))
            session.type("y c")
            let copied = copied(session)
            try #require(copied.count == 4)
            session.type("Esc w t")
            let suggested = try #require(session.inspector.prompt?.field.text)
            #expect(!suggested.utf8.contains(UInt8(ascii: "/")), "\(name.debugDescription)")
            let raw = copied.joined().unicodeScalars.filter(\.isEscapedForDisplay)
            #expect(raw.isEmpty, "\(name.debugDescription)")
            #expect(copied[0].hasPrefix(DisplayText("\(name):2:").string), "\(name.debugDescription)")
            #expect(copied[1].isExactly(DisplayText("\(path)").string), "\(name.debugDescription)")
            let value = try JSONSerialization.jsonObject(with: Data(copied[2].utf8), options: .fragmentsAllowed)
            #expect((value as? String)?.isExactly(name) == true, "\(name.debugDescription)")
            commands.append(copied[3])
            words += ["trace", name.utf8.first == UInt8(ascii: "-") ? "./\(name)" : name]
            words += ["--set", "\(path)=\(quoted)"]
        }
        return (commands, words)
    }

    private static let line = "migration-inspector"

    /// Checks the words that a shell reads from a script, and that it does nothing else.
    private func expect(_ words: some Sequence<String>, of shell: String..., in script: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "script")
        let run = try BuiltProgram(path: "/usr/bin/env").run(shell + ["script"], in: folder.path)
        #expect(run.errors == "" && run.outputData == Data(words.map { $0 + "\0" }.joined().utf8))
        #expect(try folder.names() == ["script"])
    }

    /// A script for shells that know `$'…'`.
    private func script(_ commands: [String]) -> String {
        // With all of zsh's patterns enabled, `#` is a pattern too.
        """
        [ -z "$ZSH_VERSION" ] || setopt extendedglob
        \(Self.line)() { for word; do printf '%s\\0' "$word"; done; }

        """ + commands.joined(separator: "\n")
    }

    /// The arguments of the commands that have no invisible characters, so that a shell without `$'…'` can read them,
    /// and their words.
    private func plainCommands() async throws -> (arguments: [Substring], words: [String]) {
        let (commands, words) = try await Self.strangeCommands.value
        let plain = commands.indices.filter { commands[$0].utf8.firstRange(of: "$'".utf8) == nil }
        #expect(plain.count > 200)
        return (
            plain.map { commands[$0].dropFirst(Self.line.count) }, plain.flatMap { words[4 * $0..<4 * $0 + 4] }
        )
    }

    @Test("copied text has no invisible characters, and bash reads its words as they are, for any names and values")
    func strangeNamesInBash() async throws {
        let (commands, words) = try await Self.strangeCommands.value
        try expect(words, of: "bash", in: script(commands))
    }

    @Test(
        "zsh reads the words of a copied command as they are, for any names and values",
        .enabled(if: isInstalled("zsh"), "zsh is not installed"))
    func strangeNamesInZsh() async throws {
        let (commands, words) = try await Self.strangeCommands.value
        try expect(words, of: "zsh", in: script(commands))
    }

    @Test("sh reads the words of a copied command without invisible characters as they are")
    func strangeNamesInSh() async throws {
        let (arguments, words) = try await plainCommands()
        let lines = arguments.map { "set --\($0)\nprintf '%s\\0' \"$@\"" }
        try expect(words, of: "/bin/sh", in: lines.joined(separator: "\n"))
    }

    @Test(
        "fish, which has other rules for backslashes, reads the same words of a copied command",
        .enabled(if: isInstalled("fish"), "fish is not installed"))
    func strangeNamesInFish() async throws {
        let (arguments, words) = try await plainCommands()
        let lines = arguments.map { "printf '%s\\0'\($0)" }
        try expect(words, of: "fish", "--no-config", in: lines.joined(separator: "\n"))
    }

    @Test("the story is requested, and shown once it arrives")
    func story() {
        var session = Session([PoemFixtures.failing])
        session.type("y s")
        #expect(session.effects.contains { if case .copyStory(0, _, _) = $0 { true } else { false } })
        session.send(.copied("# A story\n\nof a poem"))
        #expect(session.screen.contains("│ # A story") && session.screen.contains("│ of a poem"))
    }

    @Test("the editor opens at the failure or at the cursor's line, and then the document is read again")
    func editor() {
        var session = Session([PoemFixtures.failing])
        session.type("C-o 3 g j o")
        let places = session.effects.compactMap { effect -> String? in
            if case .edit(0, let place?) = effect { "\(place.line):\(place.column)" } else { nil }
        }
        #expect(places == ["5:17", "2:14"])
        session.holdsTraces = true
        session.send(.edited(0, note: "a copy"))
        #expect(session.effects.contains { if case .trace(0, _) = $0 { true } else { false } })
        #expect(session.screen.contains("a copy"))
    }
}
