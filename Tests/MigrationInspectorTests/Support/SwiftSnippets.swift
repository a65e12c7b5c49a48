import Foundation
import TestSupport
import Testing

/// The Swift code blocks of a Markdown page.
struct SwiftSnippets {
    let blocks: [String]

    init(_ markdown: String) {
        blocks = markdown.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// Returns the blocks that no source of the tests contains.
    func notCompiled() throws -> [String] {
        let sources = try Self.compiled.get()
        return blocks.filter { block in !sources.contains { $0.contains(Self.code(block)) } }
    }

    private static let compiled = Result {
        try ["Tests/Packages", "Tests/MigrationInspectorTests/Readme", "Tests/MigrationInspectorTests/Guide"]
            .flatMap { folder in
                try #require(FileManager.default.enumerator(atPath: Project.path(folder)))
                    .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
                    .map { code(try Project.text("\(folder)/\($0)")) }
            }
    }

    /// Returns the lines of Swift code without indentation, spacing and `private`.
    private static func code(_ text: String) -> String {
        text.split(separator: "\n").map { line in
            line.split(separator: " ").drop { $0 == "private" }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
