import Foundation
import TestSupport
import Testing

@Suite("The guides")
struct GuideTests {
    /// The pages of the documentation catalogs, as paths in the project.
    private static let pages = (FileManager.default.enumerator(atPath: Project.path("Sources"))?.allObjects ?? [])
        .compactMap { $0 as? String }.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
        .map { "Sources/\($0)" }.sorted()

    @Test("the guides have pages with Swift for the library and for the program")
    func rooms() throws {
        let rooms = Set(Self.pages.compactMap { $0.split(separator: "/").dropFirst().first })
        #expect(rooms == ["MigrationCore", "MigrationInspector"])
        let blocks = try Self.pages.flatMap { try SwiftSnippets(Project.text($0)).blocks }
        #expect(blocks.count > 20)
    }

    @Test("guide pages show only Swift that is compiled among the tests", arguments: pages)
    func swift(page: String) throws {
        for block in try SwiftSnippets(Project.text(page)).notCompiled() { Issue.record("\(block)") }
    }

    @Test("guide pages link to pages that exist, and every page is linked from the first", arguments: pages)
    func links(page: String) throws {
        let folder = page.split(separator: "/").dropLast().joined(separator: "/")
        let names = Set(
            Self.pages.filter { $0.hasPrefix(folder) }.map {
                URL(filePath: $0).deletingPathExtension().lastPathComponent
            })
        for link in try Self.links(in: page) { #expect(names.contains(link), "<doc:\(link)>") }
        let name = URL(filePath: page).deletingPathExtension().lastPathComponent
        let room = URL(filePath: folder).deletingPathExtension().lastPathComponent
        guard name != room else { return }
        #expect(try Self.links(in: "\(folder)/\(room).md").contains(name))
    }

    private static func links(in page: String) throws -> [String] {
        try Project.text(page).components(separatedBy: "<doc:").dropFirst().map { $0.components(separatedBy: ">")[0] }
    }

    @Test("guide pages name files and folders that exist", arguments: pages)
    func files(page: String) throws {
        let names = try Project.text(page).components(separatedBy: "`").enumerated().filter {
            !$0.offset.isMultiple(of: 2)
        }
        .map(\.element)
        for name in names where name.hasPrefix("Sources/") || name.hasPrefix("Tests/") {
            #expect(FileManager.default.fileExists(atPath: Project.path(name)), "\(name)")
        }
    }
}
