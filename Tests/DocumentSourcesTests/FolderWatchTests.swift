import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Watched folders")
struct FolderWatchTests {
    @Test("a watch reports each file that is created, written, renamed or removed, once")
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
        // Even before it is closed.
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

    @Test("a folder that is gone is checked each time, and watched again when it is back")
    func comingBack() throws {
        let folder = try TemporaryFolder()
        try folder.write("{}", to: "in/a.json")
        let watch = FolderWatch()
        let walker = DocumentWalker([GivenName(FilePath(folder.path("in")))])
        try walker.walk(entering: watch.watch, deliver: { _ in })
        guard watch.knows else { return }
        #expect(!watch.hasChanged())
        try FileManager.default.removeItem(atPath: folder.path("in"))
        #expect(watch.hasChanged())
        var found: [DocumentReference] = []
        try walker.walk(entering: watch.watch) { found += $0 }
        #expect(found.count == 1 && found[0].problem != nil && watch.hasChanged() && watch.hasChanged())
        try folder.write("{}", to: "in/b.json")
        try walker.walk(entering: watch.watch, deliver: { _ in })
        _ = watch.hasChanged()
        #expect(!watch.hasChanged())
        try folder.write("{}", to: "in/c.json")
        #expect(watch.hasChanged())
    }

    @Test("a watch reports changes of the file that a link leads to")
    func links() throws {
        let folder = try TemporaryFolder()
        for name in ["data/v1.json", "in/b.json"] { try folder.write("{}", to: name) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("in/a.json"), withDestinationPath: folder.path("data/v1.json"))
        let watch = FolderWatch()
        let given = GivenName(FilePath(folder.path("in")))
        try DocumentWalker([given]).walk(entering: watch.watch, deliver: { _ in })
        _ = watch.hasChanged()
        try folder.write("{ }", to: "data/v1.json")
        #expect(watch.hasChanged())
    }

    @Test("a watch reports changed permissions, which make a file another document")
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

    @Test("the watched folders are those that a walk enters, and those of files that were named")
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
