import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    private let text: String

    init() throws { text = try Project.text("README.md") }

    @Test(
        "the README shows the whole package that embeds the inspector",
        arguments: ["Package.swift", "Sources/inspect-recipes/Recipe.swift", "Sources/inspect-recipes/Inspect.swift"])
    func embeddedInspector(file: String) throws {
        let source = try Project.text("Tests/Packages/EmbeddedInspector/\(file)")
        #expect(text.contains("```swift\n\(source)```\n"))
    }

    @Test("the README shows how to call every command")
    func commands() throws {
        for command in ["tour", "check", "trace", "shrink", "migrate", "chains"] {
            #expect(text.contains("migration-inspector \(command)"))
        }
    }

    @Test("the README shows only Swift that is compiled and run among the tests")
    func swift() throws {
        let snippets = SwiftSnippets(text)
        #expect(!snippets.blocks.isEmpty)
        for block in try snippets.notCompiled() { Issue.record("\(block)") }
    }

    @Test("the README has the command that continuous integration uses for tests")
    func commandsOfContinuousIntegration() throws {
        let tried = try Project.text(".ci/run").split(separator: "\n").first { $0.hasPrefix("test_command=") }
        let command = try #require(tried).dropFirst("test_command='".count).dropLast()
        #expect(text.contains("\n    \(command)\n"))
    }
}
