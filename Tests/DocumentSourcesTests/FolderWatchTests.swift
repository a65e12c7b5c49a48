import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Folders that are watched")
struct FolderWatchTests {
    @Test("tell of what came, was written, was named anew and went, each once")
    func changes() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "a.json")
        let watch = FolderWatch()
        watch.watch(FilePath(folder.path))
        guard watch.knows else { return #expect(watch.hasChanged()) }
        #expect(!watch.hasChanged())
        try folder.write("{}", to: "b.json")
        #expect(watch.hasChanged() && !watch.hasChanged())
        let handle = try #require(FileHandle(forWritingAtPath: folder.path("a.json")))
        try handle.write(contentsOf: Data("{ }".utf8))
        // Before it is closed, too.
        #expect(watch.hasChanged())
        try handle.close()
        #expect(watch.hasChanged())
        try FileManager.default.moveItem(atPath: folder.path("a.json"), toPath: folder.path("c.json"))
        #expect(watch.hasChanged() && !watch.hasChanged())
        try FileManager.default.removeItem(atPath: folder.path("c.json"))
        #expect(watch.hasChanged() && !watch.hasChanged())
        _ = try folder.text("b.json")
        #expect(!watch.hasChanged())
    }

    @Test("tell of who may read a file, which makes it another document")
    func permissions() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "a.json")
        let watch = FolderWatch()
        watch.watch(FilePath(folder.path))
        _ = watch.hasChanged()
        let path = FilePath(folder.path("a.json"))
        let stamp = ModificationStamp(path: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: folder.path("a.json"))
        #expect(watch.hasChanged() && ModificationStamp(path: path) != stamp)
    }

    @Test("are those that a walk enters, and those of files that were named")
    func walked() throws {
        let folder = try TemporaryFolder()
        for name in ["a.json", "sub/b.json", "other/c.json"] { try folder.write("{}", to: name) }
        var entered: [String] = []
        let given = [folder.path("sub"), folder.path("other/c.json"), "a.json"].map { GivenName(FilePath($0)) }
        try DocumentWalker(given).walk(entering: { entered.append($0.description) }, deliver: { _ in })
        #expect(entered == [folder.path("sub"), folder.path("other/.")])
        let whole = [GivenName(FilePath(folder.path))]
        entered = []
        try DocumentWalker(whole).walk(entering: { entered.append($0.description) }, deliver: { _ in })
        #expect(
            Set(entered)
                == ["", "sub", "other"].map { $0.isEmpty ? folder.path : folder.path($0) }.reduce(into: []) {
                    $0.insert($1)
                })
    }
}
