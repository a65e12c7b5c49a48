import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

/// Whether files and folders of tests can have that attribute.
private func canSet(_ name: FilePath, to value: [UInt8]) -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    let descriptor = open(folder.path, O_RDONLY)
    defer { close(descriptor) }
    return FileCalls().setAttribute(descriptor, name, value) == 0
}

/// Version 2, and entries of a tag, permissions and an id: owner, user 12345, group, mask, others (acl_ea.h).
private func accessListBytes(_ user: UInt8) -> [UInt8] {
    let none: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    return [2, 0, 0, 0] + [1, 0, 6, 0] + none + [2, 0, user, 0, 0x39, 0x30, 0, 0] + [4, 0, 4, 0] + none
        + [0x10, 0, 6, 0] + none + [0x20, 0, 0, 0] + none
}

@Suite("Writing a file")
struct AtomicFileWriterTests {
    private func permissions(_ path: String) -> mode_t? { FileStatus(path: FilePath(path))?.permissions }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("makes a file that was not there")
    func creation() throws {
        let folder = try TemporaryFolder()
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(folder.path("a"))) == nil)
        #expect(try folder.text("a") == "new")
        #expect(try names(folder) == ["a"])
    }

    @Test("replaces a file, keeps its permissions, and keeps the old one behind .bak")
    func replacement() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a.json")
        chmod(path, 0o640)
        #expect(
            try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(path))?.backup
                == FilePath(path + ".bak"))
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
            try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(path))
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
        let replaced = try writer.write(Data("1".utf8), to: FilePath(folder.path("link.json")))
        #expect(replaced?.backup == FilePath(folder.path("deep/a.json.bak")))
        #expect(try writer.write(Data("2".utf8), to: FilePath(folder.path("new.json"))) == nil)
        #expect(try folder.text("deep/a.json") == "1")
        #expect(try folder.text("deep/b.json") == "2")
        #expect(["link.json", "new.json"].allSatisfy { FileStatus.isLink(FilePath(folder.path($0))) })
    }

    @Test("refuses folders, links in a circle, and places that are not there")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "deep/a")
        try folder.link("circle", to: "circle")
        func reason(_ name: String) throws -> SourceProblem {
            try #require(throws: SourceError.self) {
                try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(folder.path(name)))
            }.reason
        }
        #expect(try reason("deep") == .isFolder)
        #expect(try reason("circle") == .brokenLink)
        #expect(try reason("nowhere/a") == .noSuchFile)
        #expect(try names(folder) == ["circle", "deep"])
    }

    @Test("writes to a device as it is")
    func devices() throws {
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: "/dev/null") == nil)
        #expect(FileStatus(path: "/dev/null")?.isRegular == false)
    }

    // MARK: - Who may read it

    @Test("gives what replaces another file no rights that its document does not have")
    func replacementOfAnother() throws {
        let folder = try TemporaryFolder()
        let (model, path) = (try folder.write("secret", to: "model"), try folder.write("old", to: "a"))
        for (document, replaced, expected) in [(0o600, 0o644, 0o600), (0o644, 0o600, 0o600)]
            as [(mode_t, mode_t, mode_t)]
        {
            chmod(model, document)
            chmod(path, replaced)
            try AtomicFileWriter(keepsBackup: false).write(Data("new".utf8), to: FilePath(path), like: FilePath(model))
            #expect(permissions(path) == expected)
        }
    }

    @Test("a name that looks like an escaped one is printed otherwise than that, and both are found again")
    func lookalikes() throws {
        let (real, lookalike) = (FilePath([0x6E, 0xFF]), FilePath(#"n\xFF"#))
        #expect(real.description != lookalike.description)
        #expect(FilePath(described: real.description) == real)
        #expect(FilePath(described: lookalike.description) == lookalike)
        #expect(FilePath(#"a\b"#).description == #"a\b"#)
        for name in [#"a\n"#, #"a\u{1B}"#, #"\\t"#] {
            #expect(FilePath(name).description != name)
            #expect(FilePath(described: FilePath(name).description) == FilePath(name))
        }
        #expect(FilePath(described: #"a\n\t\u{1B}\u{202E}.json"#) == FilePath("a\n\t\u{1B}\u{202E}.json"))
        #expect(FilePath(described: #"a\u{110000}\u{0}\q"#) == nil)
    }

    @Test("keeps permissions whatever the umask", arguments: [0o666, 0o600, 0o604, 0o777] as [mode_t])
    func umask(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chmod(path, mode)
        try AtomicFileWriter(keepsBackup: false).write(Data("new".utf8), to: FilePath(path))
        #expect(permissions(path) == mode)
    }

    @Test(
        "gives a new file no more rights than the document has that it was made from",
        arguments: [(0o600, 0o600), (0o640, 0o640), (0o400, 0o400), (0o666, 0o644)] as [(mode_t, mode_t)])
    func model(mode: mode_t, expected: mode_t) throws {
        let folder = try TemporaryFolder()
        let document = try folder.write("old", to: "a")
        chmod(document, mode)
        let (new, free) = (folder.path("b"), folder.path("c"))
        try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(new), like: FilePath(document))
        try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(free))
        // What the umask takes away is seen at a file without a model.
        let allowed = try #require(permissions(free))
        #expect(permissions(new) == mode & allowed)
        if allowed == 0o644 { #expect(permissions(new) == expected) }
    }

    @Test("a new file that is made from a document can be read by nobody else from its first moment on")
    func firstMoment() throws {
        let folder = try TemporaryFolder()
        let document = try folder.write("old", to: "a")
        chmod(document, 0o600)
        let before = Locked<[mode_t?]>([])
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.changePermissions = { file, permissions in
            before.withLock { $0.append(FileStatus(descriptor: file)?.permissions) }
            return fchmod(file, permissions)
        }
        try writer.write(Data("new".utf8), to: FilePath(folder.path("b")), like: FilePath(document))
        #expect(before.withLock { $0 } == [0o600])
    }

    @Test(
        "keeps extended attributes, which go to the new file and stay at the backup",
        .enabled(if: canSet("user.tag", to: [1]), "the file system has no extended attributes"))
    func attributes() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(try folder.write("old", to: "a"))
        let descriptor = open(path.cString, O_RDWR)
        defer { close(descriptor) }
        let calls = FileCalls()
        try #require(calls.setAttribute(descriptor, "user.tag", Array("red".utf8)) == 0)
        try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: path)
        #expect(FileAttributes(path: path).names == ["user.tag"])
        #expect(FileAttributes(path: path + ".bak").names == ["user.tag"])

        var refusing = AtomicFileWriter(keepsBackup: false)
        refusing.calls.setAttribute = { _, _, _ in
            errno = EPERM
            return -1
        }
        let error = try #require(throws: SourceError.self) { try refusing.write(Data("newer".utf8), to: path) }
        #expect(error.reason == .attributeNotKept(name: "user.tag"))
        #expect(try folder.text("a") == "new")
        #expect(try names(folder) == ["a", "a.bak"])
    }

    @Test(
        "takes no access control list over from the folder, and keeps that of the file",
        .enabled(
            if: canSet("system.posix_acl_default", to: accessListBytes(6)),
            "the file system has no access control lists"))
    func accessList() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(try folder.write("old", to: "a"))
        let descriptor = open(path.cString, O_RDWR)
        let folderDescriptor = open(folder.path, O_RDONLY)
        defer {
            close(descriptor)
            close(folderDescriptor)
        }
        let calls = FileCalls()
        try #require(calls.setAttribute(folderDescriptor, "system.posix_acl_default", accessListBytes(6)) == 0)
        chmod(folder.path("a"), 0o640)
        try AtomicFileWriter(keepsBackup: false).write(Data("1".utf8), to: path)
        #expect(FileAttributes(path: path).names.isEmpty)
        #expect(permissions(folder.path("a")) == 0o640)

        let replaced = open(path.cString, O_RDWR)
        defer { close(replaced) }
        try #require(calls.setAttribute(replaced, "system.posix_acl_access", accessListBytes(4)) == 0)
        let before = FileAttributes(path: path)
        try AtomicFileWriter(keepsBackup: false).write(Data("2".utf8), to: path)
        #expect(FileAttributes(path: path) == before && before.names == ["system.posix_acl_access"])
    }

    @Test("says how many other names keep the old contents")
    func hardLinks() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        #expect(link(path, folder.path("b")) == 0 && link(path, folder.path("c")) == 0)
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(path))?.otherNames == 2)
        #expect(try folder.text("b") == "old" && folder.text("a") == "new")
        #expect(try AtomicFileWriter(keepsBackup: false).write(Data("newer".utf8), to: FilePath(path))?.otherNames == 0)
    }

    // MARK: - What may go wrong

    @Test(
        "keeps owner and group, and replaces nothing where they cannot be kept",
        .enabled(if: geteuid() == 0, "only the superuser has files of other users to replace"))
    func owner() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chown(path, 12345, 54321)
        var writer = AtomicFileWriter(keepsBackup: true)
        try writer.write(Data("new".utf8), to: FilePath(path))
        let status = try #require(FileStatus(path: FilePath(path)))
        #expect(status.owner == 12345 && status.group == 54321)
        unlink(path + ".bak")
        writer.calls.changeOwner = { _, _, _ in
            errno = EPERM
            return -1
        }
        let error = try #require(throws: SourceError.self) { try writer.write(Data("newer".utf8), to: FilePath(path)) }
        #expect(error.reason == .ownerNotKept(owner: 12345, group: 54321) && error.reason.isRefusal)
        #expect(try folder.text("a") == "new" && names(folder) == ["a"])
    }

    @Test("has the contents on the disk before they take their place, and the folder after that")
    func synchronization() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        let log = Locked<[String]>([])
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.synchronize = { descriptor in
            let isFolder = FileStatus(descriptor: descriptor)?.isFolder == true
            let size = FileStatus(descriptor: descriptor)?.byteCount ?? 0
            log.withLock { $0.append(isFolder ? "folder" : "file of \(size)") }
            return fsync(descriptor)
        }
        writer.calls.link = { old, new in
            log.withLock { $0.append("link") }
            return link(old.cString, new.cString)
        }
        writer.calls.rename = { old, new in
            log.withLock { $0.append("rename") }
            return rename(old.cString, new.cString)
        }
        try writer.write(Data("new one".utf8), to: FilePath(path))
        #expect(log.withLock { $0 } == ["file of 7", "link", "rename", "folder"])
    }

    @Test("takes its backup away when the file cannot take its place, and leaves no other file")
    func failures() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(try folder.write("old", to: "a"))
        func fail(_ change: (inout FileCalls) -> Void) throws -> SourceProblem {
            var writer = AtomicFileWriter(keepsBackup: true)
            change(&writer.calls)
            return try #require(throws: SourceError.self) { try writer.write(Data("new".utf8), to: path) }.reason
        }
        let failing = { @Sendable (code: Int32) -> Int32 in
            errno = code
            return -1
        }
        #expect(try fail { $0.rename = { _, _ in failing(EACCES) } } == .permissionDenied)
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.synchronize = { _ in failing(ENOSPC) } } == SourceProblem(errno: ENOSPC))
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.changePermissions = { _, _ in failing(EROFS) } } == SourceProblem(errno: EROFS))
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.link = { _, _ in failing(EIO) } } == SourceProblem(errno: EIO))
        #expect(try folder.text("a") == "old" && names(folder) == ["a"])
    }

    @Test("where a link cannot be had, the backup is a copy with the same rights, which replaces nothing")
    func copiedBackup() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chmod(path, 0o604)
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.link = { _, _ in
            errno = EPERM
            return -1
        }
        try writer.write(Data("new".utf8), to: FilePath(path))
        #expect(try folder.text("a.bak") == "old" && permissions(path + ".bak") == 0o604)
        let error = try #require(throws: SourceError.self) { try writer.write(Data("newer".utf8), to: FilePath(path)) }
        #expect(error.reason == .backupExists(path: path + ".bak"))
        #expect(try folder.text("a") == "new" && names(folder) == ["a", "a.bak"])
    }

    @Test("finishes what a run began that was ended after it had kept the old file", arguments: [true, false])
    func unfinished(isLinked: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        if isLinked {
            #expect(link(path, path + ".bak") == 0)
        } else {
            try folder.write("old", to: "a.bak")
        }
        // What the run was writing to is still there; what others write to is theirs.
        try folder.write("half", to: ".migration-inspector-1.tmp")
        let other = open(try folder.write("", to: ".migration-inspector-2.tmp"), O_RDONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let writer = AtomicFileWriter(keepsBackup: true)
        var failing = writer
        failing.calls.rename = { _, _ in
            errno = EIO
            return -1
        }
        #expect(throws: SourceError.self) { try failing.write(Data("new".utf8), to: FilePath(path)) }
        #expect(try folder.text("a") == "old" && folder.text("a.bak") == "old")
        let replaced = try writer.write(Data("new".utf8), to: FilePath(path))
        #expect(replaced == .init(backup: FilePath(path + ".bak"), otherNames: 0))
        #expect(try folder.text("a") == "new" && folder.text("a.bak") == "old")
        #expect(try names(folder) == [".migration-inspector-2.tmp", "a", "a.bak"])
    }

    @Test("a symbolic link to a name that is not UTF-8 writes to that file and no other")
    func linkToBytes() throws {
        let folder = try TemporaryFolder()
        let target = FilePath(Array("\(folder.path)/".utf8) + [0xE9])
        let other = try folder.write("other", to: "\u{FFFD}")
        try AtomicFileWriter(keepsBackup: false).write(Data("old".utf8), to: target)
        let link = FilePath(folder.path("link"))
        #expect(symlink(target.lastComponent.cString, link.cString) == 0)
        let replaced = try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: link)
        defer { for path in [target, target + ".bak"] { unlink(path.cString) } }
        #expect(replaced?.backup == target + ".bak")
        #expect(try OpenFile(path: target).bytes(DocumentReading()).data == Data("new".utf8))
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "other")
    }
}
