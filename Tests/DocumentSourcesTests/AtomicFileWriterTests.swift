import DocumentModel
import Foundation
import MigrationCore
import TestSupport
import Testing

@testable import DocumentSources

/// Whether the files and folders of tests can have the attribute.
private func canSet(_ name: FilePath, to value: [UInt8]) -> Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    let descriptor = open(folder.path, O_RDONLY)
    defer { close(descriptor) }
    return FileCalls().setAttribute(descriptor, name, value) == 0
}

/// Version 2, then entries of a tag, permissions and an ID: owner, user 12345, group, mask, others (acl_ea.h).
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

    @Test("a file that does not exist is created")
    func creation() throws {
        let folder = try TemporaryFolder()
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(folder.path("a"))) == nil)
        #expect(try folder.text("a") == "new")
        #expect(try names(folder) == ["a"])
    }

    @Test("a replaced file keeps its permissions, and the old file is kept as .bak")
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

    @Test("an existing backup is not overwritten, and everything stays as it was")
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

    @Test("the file that a symbolic link leads to is replaced, not the link")
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

    @Test("folders, circular links and paths in missing folders are refused")
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

    @Test("a device is written to directly")
    func devices() throws {
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: "/dev/null") == nil)
        #expect(FileStatus(path: "/dev/null")?.isRegular == false)
    }

    // MARK: - Permissions

    @Test("a file that replaces another gets no rights that its document does not have")
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

    @Test("a name that looks like an escaped one is printed differently, and both are found again")
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

    @Test("permissions are kept whatever the umask is", arguments: [0o666, 0o600, 0o604, 0o777] as [mode_t])
    func umask(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chmod(path, mode)
        try AtomicFileWriter(keepsBackup: false).write(Data("new".utf8), to: FilePath(path))
        #expect(permissions(path) == mode)
    }

    @Test(
        "a new file gets no more rights than the document that it was made from",
        arguments: [(0o600, 0o600), (0o640, 0o640), (0o400, 0o400), (0o666, 0o644)] as [(mode_t, mode_t)])
    func model(mode: mode_t, expected: mode_t) throws {
        let folder = try TemporaryFolder()
        let document = try folder.write("old", to: "a")
        chmod(document, mode)
        let (new, free) = (folder.path("b"), folder.path("c"))
        try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(new), like: FilePath(document))
        try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(free))
        // A file without a model shows what the umask removes.
        let allowed = try #require(permissions(free))
        #expect(permissions(new) == mode & allowed)
        if allowed == 0o644 { #expect(permissions(new) == expected) }
    }

    @Test("a new file that is made from a document is never readable by other users")
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
        "extended attributes are kept by the new file and by the backup",
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
        "an access control list is kept by the file, and is not inherited from the folder",
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

    @Test("the number of other names that keep the old contents is reported")
    func hardLinks() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        #expect(link(path, folder.path("b")) == 0 && link(path, folder.path("c")) == 0)
        #expect(try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(path))?.otherNames == 2)
        #expect(try folder.text("b") == "old" && folder.text("a") == "new")
        #expect(try AtomicFileWriter(keepsBackup: false).write(Data("newer".utf8), to: FilePath(path))?.otherNames == 0)
    }

    // MARK: - Failures

    @Test(
        "owner and group are kept, or else nothing is replaced",
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

    @Test("the contents are on disk before they replace the file, and the folder is after that")
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
        let rename = writer.calls.rename
        writer.calls.rename = { old, new, kind in
            log.withLock { $0.append("rename") }
            return rename(old, new, kind)
        }
        try writer.write(Data("new one".utf8), to: FilePath(path))
        #expect(log.withLock { $0 } == ["file of 7", "link", "rename", "folder"])
    }

    @Test("a backup is removed if the file cannot be replaced, and no other file is left")
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
        #expect(try fail { $0.rename = { _, _, _ in failing(EACCES) } } == .permissionDenied)
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.synchronize = { _ in failing(ENOSPC) } } == SourceProblem(errno: ENOSPC))
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.changePermissions = { _, _ in failing(EROFS) } } == SourceProblem(errno: EROFS))
        #expect(try names(folder) == ["a"])
        #expect(try fail { $0.link = { _, _ in failing(EIO) } } == SourceProblem(errno: EIO))
        #expect(try folder.text("a") == "old" && names(folder) == ["a"])
    }

    @Test("a backup is a copy with the same rights if no link can be made, and replaces nothing")
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

    @Test(
        "a replacement that was interrupted after keeping the old file is completed by the next run",
        arguments: [true, false])
    func unfinished(isLinked: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        if isLinked {
            #expect(link(path, path + ".bak") == 0)
        } else {
            try folder.write("old", to: "a.bak")
        }
        // The temporary file of the interrupted run is still there. One that is locked belongs to another run.
        try folder.write("half", to: ".migration-inspector-1.tmp")
        let other = open(try folder.write("", to: ".migration-inspector-2.tmp"), O_RDONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let writer = AtomicFileWriter(keepsBackup: true)
        var failing = writer
        failing.calls.rename = { _, _, _ in
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

    @Test("writing through a symbolic link to a name that is not UTF-8 changes that file and no other")
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

    // MARK: - The order of system calls

    /// A writer that logs its system calls.
    private func noting(_ log: Locked<[String]>, keepsBackup: Bool = false) -> AtomicFileWriter {
        var writer = AtomicFileWriter(keepsBackup: keepsBackup)
        writer.calls.synchronize = { descriptor in
            let status = FileStatus(descriptor: descriptor)
            let permissions = String(status?.permissions ?? 0, radix: 8)
            log.withLock {
                $0.append(status?.isFolder == true ? "folder" : "\(status?.byteCount ?? 0) bytes, \(permissions)")
            }
            return fsync(descriptor)
        }
        let rename = writer.calls.rename
        writer.calls.rename = { old, new, kind in
            log.withLock { $0.append("rename") }
            return rename(old, new, kind)
        }
        return writer
    }

    @Test("a new file is on disk with its rights before it gets its name, and the folder is after that")
    func newFile() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write("old", to: "model")
        chmod(model, 0o600)
        let log = Locked<[String]>([])
        try noting(log).write(Data("new".utf8), to: FilePath(folder.path("a")), like: FilePath(model))
        #expect(log.withLock { $0 } == ["3 bytes, 600", "rename", "folder"])
    }

    @Test("a copied backup is on disk before anything replaces the file")
    func copiedFirst() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("older", to: "a")
        chmod(path, 0o640)
        let log = Locked<[String]>([])
        var writer = noting(log, keepsBackup: true)
        writer.calls.link = { _, _ in
            errno = EPERM
            return -1
        }
        #expect(try writer.write(Data("new".utf8), to: FilePath(path))?.backup == FilePath(path + ".bak"))
        #expect(
            log.withLock { $0 } == ["3 bytes, 640", "5 bytes, 640", "rename", "folder", "rename", "rename", "folder"])
    }

    @Test(
        "a backup is a copy if the file system cannot give a file a second name",
        arguments: [EPERM, ENOTSUP, EMLINK, EXDEV])
    func noLinks(code: Int32) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.link = { _, _ in
            errno = code
            return -1
        }
        #expect(
            try writer.write(Data("new".utf8), to: FilePath(path))
                == .init(backup: FilePath(path + ".bak"), otherNames: 0))
        #expect(try folder.text("a") == "new" && folder.text("a.bak") == "old")
    }

    @Test("a file is readable only by its owner while it is written, whatever rights it gets in the end")
    func replacementInTheMaking() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        chmod(path, 0o666)
        let before = Locked<[mode_t?]>([])
        var writer = AtomicFileWriter(keepsBackup: false)
        writer.calls.changePermissions = { file, permissions in
            before.withLock { $0.append(FileStatus(descriptor: file)?.permissions) }
            return fchmod(file, permissions)
        }
        try writer.write(Data("new".utf8), to: FilePath(path))
        #expect(before.withLock { $0 } == [0o600] && permissions(path) == 0o666)
    }

    // MARK: - Saves by other programs

    /// The ways in which another program saves or removes a file.
    enum OtherProgram: String, CaseIterable {
        case writesInPlace, renames, removes, makesBackup

        func act(on path: String) {
            switch self {
            case .writesInPlace:
                let file = open(path, O_WRONLY | O_TRUNC)
                _ = write(file, "saved", 5)
                close(file)
            case .renames:
                try? Data("saved".utf8).write(to: URL(filePath: path + ".new"))
                rename(path + ".new", path)
            case .removes: unlink(path)
            case .makesBackup:
                let file = open(path + ".bak", O_WRONLY | O_CREAT | O_EXCL, 0o600)
                if file >= 0 { _ = write(file, "saved", 5) }
                close(file)
            }
        }
    }

    /// Returns a writer that runs an action at one moment. Moments are counted from 0, two for each system call:
    /// before and after it.
    private func interrupting(
        _ writer: AtomicFileWriter, at number: Int, _ count: Locked<Int>, _ action: @escaping @Sendable () -> Void
    ) -> AtomicFileWriter {
        let calls = writer.calls
        let around = { @Sendable (call: () -> Int32) in
            let moment = {
                count.withLock { count in
                    if count == number { action() }
                    count += 1
                }
            }
            moment()
            let (result, code) = (call(), errno)
            moment()
            errno = code
            return result
        }
        var writer = writer
        writer.calls.changeOwner = { file, owner, group in around { calls.changeOwner(file, owner, group) } }
        writer.calls.changePermissions = { file, rights in around { calls.changePermissions(file, rights) } }
        writer.calls.synchronize = { file in around { calls.synchronize(file) } }
        writer.calls.link = { old, new in around { calls.link(old, new) } }
        writer.calls.rename = { old, new, kind in around { calls.rename(old, new, kind) } }
        return writer
    }

    @Test(
        "a save by another program at any system call of a replacement is kept, and nothing else is left",
        arguments: OtherProgram.allCases, [true, false])
    func savesMeanwhile(other: OtherProgram, canExchange: Bool) throws {
        var (number, last) = (-1, 0)
        var failures = 0
        // The first round runs no action, to count the calls.
        while number < last {
            let folder = try TemporaryFolder()
            let path = try folder.write("old", to: "a")
            let count = Locked(0)
            var plain = AtomicFileWriter(keepsBackup: true)
            if !canExchange {
                let rename = plain.calls.rename
                plain.calls.rename = { old, new, kind in
                    guard kind == .replacing else {
                        errno = EINVAL
                        return -1
                    }
                    // A file system that cannot exchange files leaves this moment unprotected.
                    return rename(old, new, kind)
                }
            }
            let writer = interrupting(plain, at: number, count) { other.act(on: path) }
            let state = try FileState(reading: FilePath(path))
            let result = Result { try writer.write(Data("new".utf8), to: FilePath(path), replacing: state) }
            if number < 0 { last = count.withLock { $0 } }
            let names = try names(folder)
            let place = "\(other) at \(number) of \(last): \(result), \(names)"
            switch result {
            case .success where number < 0: break
            case .success:
                // The save came later, or in the moment that a file system without exchange leaves unprotected.
                let isLate = canExchange || number >= last - 3
                if !isLate { break }
                if other == .removes { #expect(names == ["a.bak"], "\(place)") }
                if other == .renames || other == .writesInPlace {
                    #expect(try folder.text("a") == "saved" && folder.text("a.bak") == "old", "\(place)")
                }
            case .failure(let error):
                failures += 1
                let reason = (error as? SourceError)?.reason
                if other == .makesBackup {
                    #expect(reason == .backupExists(path: path + ".bak"), "\(place)")
                    #expect(try folder.text("a") == "old" && folder.text("a.bak") == "saved", "\(place)")
                } else {
                    #expect(reason == .changedMeanwhile, "\(place)")
                    #expect(names == (other == .removes ? [] : ["a"]), "\(place)")
                    #expect(try other == .removes || folder.text("a") == "saved", "\(place)")
                }
            }
            #expect(names.allSatisfy { ["a", "a.bak"].contains($0) }, "\(place)")
            number += 1
        }
        #expect(failures > 0 && failures < last)
    }

    /// What another program does during a replacement: to the backup, or to the old file, which it has open.
    enum Meddler: String, CaseIterable { case removesBackup, replacesBackup, writesToOpenFile }

    @Test(
        "the old document and anything written to it survive whatever another program does to the backup",
        arguments: Meddler.allCases, [true, false])
    func backupMeanwhile(meddler: Meddler, hasCopy: Bool) throws {
        var (number, last) = (-1, 0)
        while number < last {
            let folder = try TemporaryFolder()
            let path = try folder.write("old", to: "a")
            if hasCopy { try folder.write("old", to: "a.bak") }
            let file = open(path, O_RDWR)
            defer { close(file) }
            let count = Locked(0)
            let writer = interrupting(AtomicFileWriter(keepsBackup: true), at: number, count) {
                switch meddler {
                case .removesBackup: unlink(path + ".bak")
                case .replacesBackup:
                    try? Data("theirs".utf8).write(to: URL(filePath: path + ".own"))
                    rename(path + ".own", path + ".bak")
                case .writesToOpenFile: pwrite(file, "late", 4, 0)
                }
            }
            let result = Result { try writer.write(Data("new".utf8), to: FilePath(path)) }
            if number < 0 { last = count.withLock { $0 } }
            let texts = try names(folder).map { try folder.text($0) }
            let place = "\(meddler) at \(number) of \(last): \(result), \(try names(folder)) \(texts)"
            switch meddler {
            case .writesToOpenFile: #expect(texts.contains(number < 0 || number == last ? "old" : "late"), "\(place)")
            // At the end, the other program removes the old document itself.
            case .removesBackup, .replacesBackup: #expect(number > last - 4 || texts.contains("old"), "\(place)")
            }
            if meddler == .replacesBackup, 0..<last ~= number { #expect(texts.contains("theirs"), "\(place)") }
            if case .success(let replaced) = result, let backup = replaced?.backup, number < last - 4 {
                #expect(try String(contentsOfFile: "\(backup)", encoding: .utf8) != "theirs", "\(place)")
            }
            number += 1
        }
    }

    @Test("a backup that another program puts in place of a new link is kept")
    func linkedMeanwhile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.link = { old, new in
            // Another program saves right before the link is made, and makes its own backup right after it.
            try? Data("saved".utf8).write(to: URL(filePath: path), options: .atomic)
            let result = Foundation.link(old.cString, new.cString)
            try? Data("theirs".utf8).write(to: URL(filePath: path + ".bak"), options: .atomic)
            return result
        }
        #expect(throws: SourceError(source: path, reason: .changedMeanwhile)) {
            try writer.write(Data("new".utf8), to: FilePath(path))
        }
        #expect(try folder.text("a") == "saved" && folder.text("a.bak") == "theirs")
    }

    @Test(
        "a backup is removed under a name that is cleaned up later, and a file that appeared meanwhile keeps its name")
    func removedName() throws {
        let folder = try TemporaryFolder()
        let path = FilePath(try folder.write("ours", to: "a.bak"))
        let identity = try #require(FileStatus(path: path)?.identity)
        let asides = Locked<[FilePath]>([])
        var calls = FileCalls()
        let rename = calls.rename
        calls.rename = { old, new, kind in
            if old == path {
                asides.withLock { $0.append(new) }
                try? Data("theirs".utf8).write(to: URL(filePath: "\(path)"), options: .atomic)
            }
            return rename(old, new, kind)
        }
        calls.removeName(path, of: identity)
        #expect(try folder.text("a.bak") == "theirs" && names(folder) == ["a.bak"])
        // A run that is killed leaves a second name of a document there.
        let aside = try #require(asides.withLock { $0.first })
        try folder.write("old", to: "b")
        try #require(link(folder.path("b"), "\(aside)") == 0)
        try AtomicFileWriter(keepsBackup: false).write(Data("new".utf8), to: FilePath(folder.path("c")))
        #expect(try names(folder) == ["a.bak", "b", "c"])
    }

    @Test("a replaced file has the time at which it was written at every moment")
    func timeInTheMaking() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        let times = Locked<[Date?]>([])
        var writer = AtomicFileWriter(keepsBackup: true)
        let rename = writer.calls.rename
        writer.calls.rename = { old, new, kind in
            let result = rename(old, new, kind)
            let date = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
            times.withLock { $0.append(date) }
            return result
        }
        try writer.write(Data("new".utf8), to: FilePath(path))
        let all = times.withLock { $0 }
        #expect(!all.isEmpty && all.allSatisfy { $0.map { abs($0.timeIntervalSinceNow) < 3600 } == true })
    }

    @Test("a folder that other users may rename, or that no run made, is not removed")
    func renamedFolders() throws {
        let folder = try TemporaryFolder()
        try folder.write("x", to: ".migration-inspector-1.tmp/store")
        try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(folder.path("a")))
        let shared = try TemporaryFolder()
        try shared.write("x", to: ".migration-inspector-1.tmp/store")
        chmod(shared.path(".migration-inspector-1.tmp"), 0o700)
        chmod(shared.path, 0o777)
        try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(shared.path("a")))
        for folder in [folder, shared] { #expect(try names(folder) == [".migration-inspector-1.tmp", "a"]) }
    }

    @Test("a file left by a run killed during an exchange is removed only if its contents are known to be elsewhere")
    func abandonedExchange() throws {
        let folder = try TemporaryFolder()
        // A save by another program, an old document that also has a backup, and a file that was not exchanged yet.
        try folder.write("save", to: ".migration-inspector-1.old")
        try folder.write("old", to: ".migration-inspector-2.old")
        try #require(link(folder.path(".migration-inspector-2.old"), folder.path("b.bak")) == 0)
        do {
            let item = try TemporaryItem(.file(permissions: 0o600), in: FilePath(folder.path + "/"), as: "x")
            let name = try item.keepName(beside: try OpenFile(path: FilePath(folder.path("b.bak"))))
            #expect(name.bytes.suffix(4).elementsEqual(".old".utf8))
        }
        let other = try TemporaryFolder()
        for name in try names(folder) { rename(folder.path(name), other.path(name)) }
        try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(other.path("a")))
        #expect(try names(other) == [".migration-inspector-1.old", "a", "b.bak"])
    }

    @Test("two saves during an exchange and its reversal are both kept")
    func twoSaves() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        var writer = AtomicFileWriter(keepsBackup: true)
        let rename = writer.calls.rename
        let count = Locked(0)
        writer.calls.rename = { old, new, kind in
            guard kind == .exchanging else { return rename(old, new, kind) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            // The first comes right before the exchange of the two files, the second right before its reversal.
            if number <= 2, let file = fopen(path, "w") {
                fputs("save \(number)", file)
                fclose(file)
            }
            return rename(old, new, kind)
        }
        #expect(throws: SourceError(source: path, reason: .notPutBack(path: path + ".saved"))) {
            try writer.write(Data("new".utf8), to: FilePath(path))
        }
        #expect(try folder.text("a") == "save 2" && folder.text("a.saved") == "save 1")
        #expect(try names(folder) == ["a", "a.saved"])
    }

    @Test("a pipe is not opened to find out whether it is a terminal, because its reader would notice")
    func pipeIsNoTerminal() throws {
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        let reader = open(folder.path("pipe"), O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(!AtomicFileWriter.isTerminal(FilePath(folder.path("pipe"))))
        var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&request, 1, 0) == 0)
        #expect(!AtomicFileWriter.isTerminal("/dev/null") && !AtomicFileWriter.isTerminal(FilePath(folder.path("new"))))
    }

    @Test("a descriptor that the program was not given is refused")
    func ownDescriptor() throws {
        let folder = try TemporaryFolder()
        let own = open(try folder.write("own", to: "own"), O_RDWR | O_CLOEXEC)
        defer { close(own) }
        for name in ["/dev/fd/\(own)", "/dev/fd/+\(own)", "/dev/fd/0\(own)"] {
            #expect(throws: SourceError.self, "\(name)") {
                try AtomicFileWriter(keepsBackup: true).write(Data("x".utf8), to: FilePath(name))
            }
        }
        #expect(try folder.text("own") == "own")
    }

    @Test("a new file does not replace one that another program has created meanwhile")
    func madeMeanwhile() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        var writer = AtomicFileWriter(keepsBackup: true)
        writer.calls.synchronize = { _ in
            try? Data("saved".utf8).write(to: URL(filePath: path))
            return 0
        }
        #expect(throws: SourceError(source: path, reason: .changedMeanwhile)) {
            try writer.write(Data("new".utf8), to: FilePath(path))
        }
        #expect(try folder.text("a") == "saved" && names(folder) == ["a"])
    }

    @Test("an open file is written to through its descriptor, and stays the same file")
    func openDescriptor() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("begun ", to: "log")
        let log = open(path, O_WRONLY | O_APPEND)
        defer { close(log) }
        try folder.link("link", to: "/dev/fd/\(log)")
        for name in ["/dev/fd/\(log)", "/proc/self/fd/\(log)", folder.path("link")] {
            try AtomicFileWriter(keepsBackup: true).write(Data("x".utf8), to: FilePath(name))
        }
        #expect(try folder.text("log") == "begun xxx" && names(folder) == ["link", "log"])
    }

    @Test("a name too long for that of its backup is refused before anything is written")
    func longName() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: String(repeating: "a", count: 253))
        let writer = AtomicFileWriter(keepsBackup: true)
        let check = #expect(throws: SourceError.self) { try writer.checkWriting(to: FilePath(path)) }
        let write = #expect(throws: SourceError.self) { try writer.write(Data(), to: FilePath(path)) }
        #expect(check == write && check?.source == path + ".bak")
        #expect(try names(folder).count == 1)
    }

    // MARK: - Backups and links

    @Test("a backup is not made unless requested, and other names are counted")
    func noBackup() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        try folder.write("mine", to: "a.bak")
        #expect(link(path, folder.path("b")) == 0)
        let replaced = try AtomicFileWriter(keepsBackup: false).write(Data("new".utf8), to: FilePath(path))
        #expect(replaced == .init(backup: nil, otherNames: 1))
        #expect(
            try folder.text("a.bak") == "mine" && folder.text("b") == "old" && names(folder) == ["a", "a.bak", "b"])
    }

    @Test(
        "a folder, link or pipe is not accepted as a backup", arguments: ["folder", "link", "link to nothing", "pipe"])
    func otherBackups(kind: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("old", to: "a")
        switch kind {
        case "folder": try folder.write("old", to: "a.bak/x")
        case "link": try folder.link("a.bak", to: "a")
        case "pipe": #expect(mkfifo(folder.path("a.bak"), 0o600) == 0)
        default: try folder.link("a.bak", to: "nothing")
        }
        let error = try #require(throws: SourceError.self) {
            try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(path))
        }
        #expect(
            error == SourceError(source: path, reason: .backupExists(path: path + ".bak")) && error.reason.isRefusal)
        #expect(try folder.text("a") == "old" && names(folder) == ["a", "a.bak"])
    }

    @Test("links are followed as far as the system does, and then refused")
    func manyLinks() throws {
        let folder = try TemporaryFolder()
        for number in 1...41 { try folder.link("\(number)", to: "\(number - 1)") }
        let writer = AtomicFileWriter(keepsBackup: false)
        #expect(throws: SourceError(source: folder.path("41"), reason: .brokenLink)) {
            try writer.write(Data("new".utf8), to: FilePath(folder.path("41")))
        }
        try writer.write(Data("new".utf8), to: FilePath(folder.path("39")))
        #expect(try folder.text("0") == "new" && FileStatus.isLink(FilePath(folder.path("1"))))
    }

    @Test("a file that is reached through links is replaced where they lead")
    func linkToFolder() throws {
        let (folder, other) = (try TemporaryFolder(), try TemporaryFolder())
        try folder.write("old", to: "deep/a")
        try other.link("folder", to: folder.path("deep"))
        try folder.link("deep/b", to: "a")
        try other.link("c", to: folder.path("deep/b"))
        let writer = AtomicFileWriter(keepsBackup: true)
        #expect(
            try writer.write(Data("1".utf8), to: FilePath(other.path("c")))?.backup
                == FilePath(folder.path("deep/a.bak")))
        #expect(try other.names() == ["c", "folder"] && folder.text("deep/a.bak") == "old")
        unlink(folder.path("deep/a.bak"))
        #expect(
            try writer.write(Data("2".utf8), to: FilePath(other.path("folder/a")))?.backup
                == FilePath(other.path("folder/a.bak")))
        #expect(try folder.text("deep/a") == "2" && folder.text("deep/a.bak") == "1")
    }

    @Test("a pipe is written to directly, even through a link", .timeLimit(.minutes(30)))
    func pipes() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        try folder.link("link", to: "pipe")
        for name in ["pipe", "link"] {
            // Opened for reading and writing, so that neither side waits for the other.
            let reader = open(folder.path("pipe"), O_RDWR)
            defer { close(reader) }
            #expect(
                try AtomicFileWriter(keepsBackup: true).write(Data("new".utf8), to: FilePath(folder.path(name))) == nil)
            var bytes = [UInt8](repeating: 0, count: 8)
            #expect(read(reader, &bytes, 8) == 3 && bytes.prefix(3).elementsEqual("new".utf8))
        }
        #expect(try names(folder) == ["link", "pipe"])
    }

    // MARK: - Rights of a new file

    @Test(
        "the group of a new file may do only what everyone may, if it is not the group of the document",
        .enabled(if: geteuid() == 0, "only the superuser has files of other groups"),
        arguments: [(0o640, 0o600), (0o664, 0o644), (0o644, 0o644), (0o606, 0o604), (0o604, 0o604)]
            as [(mode_t, mode_t)])
    func otherGroup(mode: mode_t, expected: mode_t) throws {
        let folder = try TemporaryFolder()
        let (document, free) = (try folder.write("old", to: "a"), folder.path("free"))
        chown(document, 0, 54321)
        chmod(document, mode)
        var writer = AtomicFileWriter(keepsBackup: false)
        try writer.write(Data(), to: FilePath(free))
        try writer.write(Data("new".utf8), to: FilePath(folder.path("b")), like: FilePath(document))
        let same = try #require(FileStatus(path: FilePath(folder.path("b"))))
        #expect(same.group == 54321 && same.owner == 0)
        writer.calls.changeOwner = { _, _, _ in
            errno = EPERM
            return -1
        }
        try writer.write(Data("new".utf8), to: FilePath(folder.path("c")), like: FilePath(document))
        let allowed = try #require(permissions(free))
        #expect(permissions(folder.path("b")) == mode & allowed)
        #expect(permissions(folder.path("c")) == expected & allowed)
    }

    @Test("a new file made from standard input, or from a file that is gone, gets the default rights")
    func modelsWithoutRights() throws {
        let folder = try TemporaryFolder()
        let writer = AtomicFileWriter(keepsBackup: false)
        try writer.write(Data(), to: FilePath(folder.path("free")))
        for (number, model) in (["-", "/dev/null", FilePath(folder.path("gone"))] as [FilePath]).enumerated() {
            try writer.write(Data(), to: FilePath(folder.path("\(number)")), like: model)
            #expect(permissions(folder.path("\(number)")) == permissions(folder.path("free")))
            // A replaced file keeps its own rights.
            chmod(folder.path("\(number)"), 0o640)
            try writer.write(Data(), to: FilePath(folder.path("\(number)")), like: model)
            #expect(permissions(folder.path("\(number)")) == 0o640)
        }
        // Later files have no fewer rights because of that.
        try writer.write(Data(), to: FilePath(folder.path("later")))
        #expect(permissions(folder.path("later")) == permissions(folder.path("free")))
    }

    @Test(
        "a new file has the access control list of the document, and none of its other attributes",
        .enabled(
            if: canSet("system.posix_acl_default", to: accessListBytes(6)) && canSet("user.tag", to: [1]),
            "the file system has no access control lists"))
    func modelAttributes() throws {
        let folder = try TemporaryFolder()
        let document = FilePath(try folder.write("old", to: "a"))
        let descriptor = open(document.cString, O_RDWR)
        defer { close(descriptor) }
        let calls = FileCalls()
        try #require(calls.setAttribute(descriptor, "user.tag", [1]) == 0)
        try #require(calls.setAttribute(descriptor, "system.posix_acl_access", accessListBytes(4)) == 0)
        var writer = AtomicFileWriter(keepsBackup: false)
        try writer.write(Data("new".utf8), to: FilePath(folder.path("b")), like: document)
        #expect(FileAttributes(path: FilePath(folder.path("b"))).names == ["system.posix_acl_access"])
        writer.calls.setAttribute = { _, _, _ in
            errno = ENOTSUP
            return -1
        }
        try writer.write(Data("new".utf8), to: FilePath(folder.path("c")), like: document)
        #expect(
            FileAttributes(path: FilePath(folder.path("c"))).names.isEmpty && permissions(folder.path("c")) == 0o600)
    }

    // MARK: - Leftovers

    @Test("leftovers of a killed run are removed from the folder, and nothing else is")
    func abandoned() throws {
        let folder = try TemporaryFolder()
        for name in [
            ".migration-inspector-1.tmp", ".migration-inspector-2.tmp/store",
            ".migration-inspector-2.tmp/store-journal",
            ".migration-inspector-3.tmp/mine", ".migration-inspector-3.tmp/store", ".migration-inspector-4.txt",
            ".other-5.tmp", "migration-inspector-6.tmp", "x/.migration-inspector-7.tmp",
        ] { try folder.write("x", to: name) }
        for number in [2, 3] { chmod(folder.path(".migration-inspector-\(number).tmp"), 0o700) }
        try folder.link(".migration-inspector-8.tmp", to: "migration-inspector-6.tmp")
        try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(folder.path("a")))
        #expect(
            try names(folder) == [
                ".migration-inspector-3.tmp", ".migration-inspector-4.txt", ".migration-inspector-8.tmp",
                ".other-5.tmp",
                "a", "migration-inspector-6.tmp", "x",
            ])
        #expect(FileManager.default.fileExists(atPath: folder.path("x/.migration-inspector-7.tmp")))
        #expect(FileManager.default.fileExists(atPath: folder.path(".migration-inspector-3.tmp/mine")))
    }

    @Test("leftovers of another user, or those that a link leads to, are not removed", .enabled(if: geteuid() == 0))
    func abandonedByOthers() throws {
        let folder = try TemporaryFolder()
        let precious = try TemporaryFolder()
        try precious.write("x", to: "store")
        try folder.write("x", to: ".migration-inspector-1.tmp")
        try folder.write("x", to: ".migration-inspector-2.tmp/store")
        for name in ["1.tmp", "2.tmp", "2.tmp/store"] {
            #expect(lchown(folder.path(".migration-inspector-\(name)"), 65534, 65534) == 0)
        }
        try folder.link(".migration-inspector-3.tmp", to: precious.path)
        #expect(mkdir(folder.path(".migration-inspector-4.tmp"), 0o700) == 0)
        try folder.link(".migration-inspector-4.tmp/store", to: precious.path)
        chmod(folder.path(".migration-inspector-4.tmp"), 0o700)
        try AtomicFileWriter(keepsBackup: false).write(Data(), to: FilePath(folder.path("a")))
        #expect(
            try names(folder) == [
                ".migration-inspector-1.tmp", ".migration-inspector-2.tmp", ".migration-inspector-3.tmp", "a",
            ])
        #expect(FileManager.default.fileExists(atPath: folder.path(".migration-inspector-2.tmp/store")))
        #expect(try precious.text("store") == "x")
    }

    @Test("a temporary item is gone when it is removed or its value ends, and stays if it was given another name")
    func temporaryItems() throws {
        let folder = try TemporaryFolder()
        let place = FilePath(folder.path + "/")
        do {
            let store = try TemporaryItem(.folder, in: place, as: "x")
            for suffix in ["", "-wal", "-shm", "-journal"] {
                try folder.write("", to: "\(store.path.lastComponent)/store\(suffix)")
            }
            #expect(FileStatus(path: store.path)?.permissions == 0o700)
            let file = try TemporaryItem(.file(permissions: 0o640), in: place, as: "x")
            #expect(try names(folder).count == 2 && FileStatus(path: file.path)?.permissions == 0o640)
            file.remove()
            #expect(try names(folder).count == 1)
        }
        #expect(try names(folder) == [])
        do {
            let file = try TemporaryItem(.file(permissions: 0o600), in: place, as: "x")
            #expect(rename(file.path.cString, folder.path("kept")) == 0)
            file.leave()
            // Its old name may belong to another file by now.
            try folder.write("other", to: file.path.lastComponent.description)
        }
        #expect(try names(folder).count == 2 && names(folder).contains("kept"))
        #expect(throws: SourceError(source: "x", reason: .noSuchFile)) {
            _ = try TemporaryItem(.folder, in: FilePath(folder.path("nothing/")), as: "x")
        }
    }
}
