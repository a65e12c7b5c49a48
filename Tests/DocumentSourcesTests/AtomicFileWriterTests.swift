import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Writing a file")
struct AtomicFileWriterTests {
    private func permissions(_ path: String) -> mode_t? { FileStatus(path: path)?.permissions }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("makes a file that was not there")
    func creation() throws {
        let folder = try TemporaryFolder()
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: folder.path("a")) == nil)
        #expect(try folder.text("a") == "new")
        #expect(try names(folder) == ["a"])
    }

    @Test("replaces a file, keeps its permissions, and keeps the old one behind .bak")
    func replacement() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a.json")
        chmod(path, 0o640)
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: path) == path + ".bak")
        #expect(try folder.text("a.json") == "new")
        #expect(try folder.text("a.json.bak") == "old")
        #expect(permissions(path) == 0o640)
        #expect(permissions(path + ".bak") == 0o640)
        #expect(try names(folder) == ["a.json", "a.json.bak"])
    }

    @Test("refuses to overwrite a backup, and leaves everything as it was")
    func backupExists() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a.json")
        try folder.write("older", to: "a.json.bak")
        let error = try #require(throws: SourceError.self) {
            try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: path)
        }
        #expect(error.reason == .backupExists(path: path + ".bak"))
        #expect(try folder.text("a.json") == "old")
        #expect(try folder.text("a.json.bak") == "older")
        #expect(try names(folder) == ["a.json", "a.json.bak"])
    }

    @Test("through a symbolic link, replaces the file it leads to")
    func links() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "deep/a.json")
        try folder.link("link.json", to: "deep/a.json")
        try folder.link("new.json", to: "deep/b.json")
        let writer = AtomicFileWriter(keepsBackup: true)
        #expect(try writer.write(Data("1".utf8), to: folder.path("link.json")) == folder.path("deep/a.json.bak"))
        #expect(try writer.write(Data("2".utf8), to: folder.path("new.json")) == nil)
        #expect(try folder.text("deep/a.json") == "1")
        #expect(try folder.text("deep/b.json") == "2")
        #expect(FileStatus.isLink(folder.path("link.json")) && FileStatus.isLink(folder.path("new.json")))
    }

    @Test("refuses folders, links in a circle, and places that are not there")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "deep/a")
        try folder.link("circle", to: "circle")
        func reason(_ name: String) throws -> SourceError.Reason {
            try #require(throws: SourceError.self) {
                try AtomicFileWriter(keepsBackup: false).write(Data(), to: folder.path(name))
            }.reason
        }
        #expect(try reason("deep") == .isFolder)
        #expect(try reason("circle") == .brokenLink)
        #expect(try reason("nowhere/a") == .noSuchFile)
        #expect(try names(folder) == ["circle", "deep"])
    }

    @Test("refuses a file that is protected against writing", .enabled(if: geteuid() != 0))
    func protected() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chmod(path, 0o444)
        let error = try #require(throws: SourceError.self) {
            try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: path)
        }
        #expect(error.reason == .permissionDenied)
        #expect(try names(folder) == ["a"])
    }

    @Test("writes to a device as it is")
    func devices() throws {
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: "/dev/null") == nil)
        #expect(FileStatus(path: "/dev/null")?.isRegular == false)
    }
}
