import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    private let text: String

    init() throws { text = try Project.text("README.md") }

    @Test(
        "shows the package that embeds the inspector in full",
        arguments: ["Package.swift", "Sources/inspect-recipes/Recipe.swift", "Sources/inspect-recipes/Inspect.swift"])
    func embeddedInspector(file: String) throws {
        let source = try Project.text("Tests/Packages/EmbeddedInspector/\(file)")
        #expect(text.contains("```swift\n\(source)```\n"))
    }

    @Test("names every command as it is called")
    func commands() throws {
        for command in ["tour", "check", "trace", "shrink", "migrate", "chains"] {
            #expect(text.contains("migration-inspector \(command)"))
        }
    }

    @Test("shows no Swift that is not compiled, and tried, among the tests")
    func swift() throws {
        let snippets = SwiftSnippets(text)
        #expect(snippets.blocks.count > 10)
        for block in try snippets.notCompiled() { Issue.record("\(block)") }
    }

    @Test("opens and tests with the commands that continuous integration tries")
    func commandsOfContinuousIntegration() throws {
        let tried = try Project.text(".ci/run").split(separator: "\n").first { $0.hasPrefix("test_command=") }
        let command = try #require(tried).dropFirst("test_command='".count).dropLast()
        #expect(text.contains("\n    \(command)\n"))
    }
}
