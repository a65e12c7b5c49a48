import CProcess
import Foundation

/// The extended attributes of a file. They include its access control list, which is one of them on Linux (acl(5)).
struct FileAttributes: Equatable {
    private let path: FilePath
    private let values: [FilePath: [UInt8]]
    /// The first attribute that cannot be read.
    private let unreadable: FilePath?

    /// The access control list, which grants access beyond owner, group and others.
    private static let accessList: FilePath = "system.posix_acl_access"

    var names: Set<FilePath> { Set(values.keys) }

    /// Reads the attributes of the file at `path`.
    init(path: FilePath) {
        self.path = path
        var values: [FilePath: [UInt8]] = [:]
        var unreadable: FilePath?
        let names = Self.read { cprocess_attribute_names(path.cString, $0, $1) } ?? []
        for name in names.split(separator: 0).map({ FilePath($0) }) {
            values[name] = Self.read { cprocess_attribute(path.cString, name.cString, $0, $1) }
            if values[name] == nil { unreadable = unreadable ?? name }
        }
        (self.values, self.unreadable) = (values, unreadable)
    }

    /// Returns the result of a call that is first asked for the size of its result, or nil if it fails.
    private static func read(_ call: (UnsafeMutablePointer<CChar>?, UInt) -> Int) -> [UInt8]? {
        let size = call(nil, 0)
        guard size > 0 else { return size == 0 ? [] : nil }
        var bytes = [CChar](repeating: 0, count: size)
        let length = call(&bytes, UInt(size))
        return length < 0 ? nil : bytes.prefix(length).map(UInt8.init(bitPattern:))
    }

    /// Copies the attributes to a new open file, and removes an access control list that the new file inherited from
    /// its folder.
    ///
    /// - Parameters:
    ///   - other: The path of the new file, and a descriptor of it.
    ///   - onlyAccessList: Whether to copy only the access control list.
    /// - Returns: The name of the first attribute that could not be copied, or nil if all were copied.
    func copy(
        to other: (path: FilePath, descriptor: Int32), onlyAccessList: Bool = false, _ calls: FileCalls
    ) -> FilePath? {
        if let unreadable, !onlyAccessList || unreadable == Self.accessList { return unreadable }
        if cprocess_copy_access_list(path.cString, other.descriptor) != 0 { return Self.accessList }
        let present = FileAttributes(path: other.path).values
        for (name, value) in values where !onlyAccessList || name == Self.accessList {
            if present[name] == value { continue }
            guard calls.setAttribute(other.descriptor, name, value) == 0 else { return name }
        }
        guard values[Self.accessList] == nil, present[Self.accessList] != nil else { return nil }
        return cprocess_remove_attribute(other.descriptor, Self.accessList.cString) == 0 ? nil : Self.accessList
    }
}

extension FileAttributes {
    /// Lets users read and write a new open file if they may read and write the file at `model` and the umask allows
    /// it. If the group or the access control list cannot be copied, the users concerned lose access; no user gains
    /// any.
    static func restrict(
        _ new: (path: FilePath, descriptor: Int32), to model: FilePath, _ calls: FileCalls = FileCalls()
    ) {
        // The umask can be read only by setting it, so set a strict one for that moment.
        let mask = umask(0o077)
        umask(mask)
        var permissions = 0o666 & ~mask
        if let status = FileStatus(path: model), status.isRegular {
            permissions &= status.permissions
            if FileStatus(descriptor: new.descriptor)?.group != status.group,
                calls.changeOwner(new.descriptor, uid_t.max, status.group) != 0
            {
                permissions &= 0o707 | (permissions & 0o007) << 3
            }
            let attributes = FileAttributes(path: model)
            if attributes.copy(to: new, onlyAccessList: true, calls) != nil { permissions &= 0o600 }
        }
        _ = calls.changePermissions(new.descriptor, permissions)
    }
}

/// The system calls that replace a file. Tests substitute them to make them fail or to check their order.
struct FileCalls: Sendable {
    var changeOwner: @Sendable (Int32, uid_t, gid_t) -> Int32 = { fchown($0, $1, $2) }
    var changePermissions: @Sendable (Int32, mode_t) -> Int32 = { fchmod($0, $1) }
    var setAttribute: @Sendable (Int32, FilePath, [UInt8]) -> Int32 = {
        cprocess_set_attribute($0, $1.cString, $2, UInt($2.count))
    }
    var synchronize: @Sendable (Int32) -> Int32 = { fsync($0) }
    var link: @Sendable (FilePath, FilePath) -> Int32 = { Foundation.link($0.cString, $1.cString) }
    var rename: @Sendable (FilePath, FilePath, Renaming) -> Int32 = { old, new, kind in
        switch kind {
        case .replacing: Foundation.rename(old.cString, new.cString)
        case .toNew: cprocess_rename_to_new(old.cString, new.cString)
        case .exchanging: cprocess_exchange_files(old.cString, new.cString)
        }
    }

    /// The treatment of an existing file at the new name.
    enum Renaming {
        /// The existing file is replaced.
        case replacing
        /// The existing file is kept, and the call fails.
        case toNew
        /// The existing file gets the old name.
        case exchanging
    }

    /// Renames a file to a name that is not in use. If the file system cannot guarantee that, a file that gets the name
    /// at the last moment is replaced.
    ///
    /// - Returns: 0, or an error code: `EEXIST` if the name is in use.
    func renameToNew(_ old: FilePath, _ new: FilePath) -> Int32 {
        if rename(old, new, .toNew) == 0 { return 0 }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return errno }
        // A hard link cannot replace a file either.
        if link(old, new) == 0 {
            unlink(old.cString)
            return 0
        }
        guard [EPERM, ENOTSUP, EMLINK, ENOSYS].contains(errno) else { return errno }
        if FileStatus.exists(new) || FileStatus.isLink(new) { return EEXIST }
        return rename(old, new, .replacing) == 0 ? 0 : errno
    }

    /// Removes a name of a file, which other programs may replace at any moment. To be safe, renames the file to a name
    /// that only this process uses, checks it, and renames it back if it is a different file.
    func removeName(_ path: FilePath, of identity: FileStatus.Identity) {
        guard FileStatus(path: path)?.identity == identity else { return }
        let aside = TemporaryItem.exchangedName(beside: path, of: identity)
        // The temporary name is too long, or the file system doesn't support this, so rely on the check above.
        guard rename(path, aside, .toNew) == 0 else {
            unlink(path.cString)
            return
        }
        if FileStatus(path: aside)?.identity == identity {
            unlink(aside.cString)
        } else {
            _ = rename(aside, path, .toNew)
        }
    }

    /// Flushes the folder of a file to disk, so that the file's name is permanent, if the file system supports it.
    func synchronizeFolder(of file: FilePath) {
        let folder = file.folder == "" ? FilePath.currentFolder : file.folder
        let descriptor = open(folder.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = synchronize(descriptor)
        close(descriptor)
    }
}
