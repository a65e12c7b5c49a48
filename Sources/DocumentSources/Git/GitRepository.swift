import DocumentModel
import Foundation
import MigrationCore

/// A git repository whose commits are read. One process reads all objects.
///
/// ## Invariant
/// The process that reads objects is used only while `objects` is locked; everything else never changes.
final class GitRepository: Sendable {
    /// The root of the work tree, or the repository itself if it is bare.
    let root: FilePath
    /// The repository's own folder, which identifies it.
    let gitFolder: FilePath
    /// Whether older commits are missing because the clone is shallow.
    let isShallow: Bool
    /// Whether contents were left out when the repository was cloned (`git clone --filter`).
    let isPartial: Bool
    private let objects = Locked(Objects())

    /// The process that reads objects, if it is running.
    ///
    /// ## Invariant
    /// It is used only by the owner of this value.
    private struct Objects: @unchecked Sendable {
        var program: ChildProgram?
    }

    /// The repositories found so far. Each has only one process, no matter how many files are requested.
    private static let known = Locked<[FilePath: GitRepository]>([:])

    private init(root: FilePath, gitFolder: FilePath, isShallow: Bool, isPartial: Bool) {
        (self.root, self.gitFolder, self.isShallow, self.isPartial) = (root, gitFolder, isShallow, isPartial)
    }

    /// Returns the repository that contains a folder.
    static func containing(_ folder: FilePath) throws(GitProblem) -> GitRepository {
        try GitFiles.check(above: folder)
        let answer = try Git.run(
            in: .folder(folder),
            [
                "rev-parse", "--absolute-git-dir", "--is-shallow-repository", "--is-inside-work-tree",
                "--is-bare-repository",
            ])
        // A name may contain newlines; the three words after it don't.
        let lines = answer.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
        guard lines.count >= 4 else { throw .failed(message: String(decoding: answer, as: UTF8.self)) }
        let isYes = { (line: ArraySlice<UInt8>) in line.elementsEqual("true".utf8) }
        let gitFolder = FilePath(lines.dropLast(3).joined(separator: [0x0A]))
        if let repository = known.withLock({ $0[gitFolder] }) { return repository }
        let root: FilePath
        if isYes(lines[lines.endIndex - 2]) {
            root = FilePath(try Git.run(in: .folder(folder), ["rev-parse", "--show-toplevel"]).dropLast())
        } else if isYes(lines[lines.endIndex - 1]) {
            root = gitFolder
        } else {
            throw .noRepository
        }
        let isShallow = isYes(lines[lines.endIndex - 3])
        // git fails if no setting has such a name.
        let promisors = try? Git.run(
            in: .repository(gitFolder), ["config", "--type=bool", "--get-regexp", #"^remote\..*\.promisor$"#])
        let isPartial = promisors?.split(separator: 0x0A).contains { $0.suffix(4).elementsEqual("true".utf8) } ?? false
        return known.withLock { known in
            let repository =
                known[gitFolder]
                ?? GitRepository(root: root, gitFolder: gitFolder, isShallow: isShallow, isPartial: isPartial)
            known[gitFolder] = repository
            return repository
        }
    }

    private var place: Git.Place { .repository(gitFolder) }

    /// Runs git; see ``Git/run(in:_:input:isCancelled:)``.
    func run(
        _ arguments: [FilePath], input: [UInt8] = [], isCancelled: () -> Bool = { false }
    ) throws(GitProblem) -> [UInt8] {
        try Git.run(in: place, arguments, input: input, isCancelled: isCancelled)
    }

    /// Returns the path of a file from the root, or nil if the file isn't in the repository.
    ///
    /// - Parameter file: An absolute path without links in its folders.
    func path(of file: FilePath) -> FilePath? {
        let (file, root) = (file.bytes, root.bytes)
        let folder = root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")]
        return file.starts(with: folder) && file.count > folder.count ? FilePath(file.dropFirst(folder.count)) : nil
    }

    // MARK: - Objects

    /// The hash of an object.
    struct ObjectID: Hashable, Sendable {
        let hash: [UInt8]

        init(hash: [UInt8]) { self.hash = hash }

        /// Reads a hash in the form that git prints.
        init?(text: some Collection<UInt8>) {
            let digits = text.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard digits.count == text.count, digits.count.isMultiple(of: 2), !digits.isEmpty else { return nil }
            hash = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }

        /// The hash in the form that git prints.
        var text: String { hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    }

    /// Returns the type and content of an object, or nil if there is no such object.
    ///
    /// - Parameter name: The object's hash, or an expression that leads to it. Must not contain a newline.
    private func object(named name: String) throws(GitProblem) -> (kind: String, bytes: SourceBytes)? {
        try objects.withLock { (objects) throws(GitProblem) in
            let program: ChildProgram
            if let running = objects.program {
                program = running
            } else {
                program = try Git.start(in: place, ["cat-file", "--batch"])
            }
            // Forget the process until its answer is read completely, so that a remainder is never taken for the next
            // answer.
            objects.program = nil
            guard program.write(Array(name.utf8) + [0x0A]), let header = program.line() else {
                _ = program.finish()
                throw Git.problem(of: program, in: place)
            }
            let words = String(decoding: header, as: UTF8.self).split(separator: " ")
            if words.count >= 2, ["missing", "ambiguous"].contains(words[words.count - 1]) {
                objects.program = program
                return nil
            }
            // Only the header is read. The program is killed when the value is destroyed.
            if words.count == 3, words[1] == "blob", let length = Int(words[2]), length > SizeLimit.bytes {
                throw .tooLarge(limit: SizeLimit.bytes)
            }
            guard words.count == 3, let length = Int(words[2]), length >= 0, length < Document.largestSourceLength,
                let bytes = program.bytes(length), program.bytes(1) != nil
            else {
                if program.wasIdle { throw Git.problem(of: program, in: place) }
                throw .failed(message: String(decoding: header.prefix(300), as: UTF8.self))
            }
            objects.program = program
            return (String(words[1]), bytes)
        }
    }

    /// Returns the content of a file.
    func content(of blob: ObjectID) throws(GitProblem) -> SourceBytes {
        guard let object = try object(named: blob.text) else { throw .notHere }
        return object.bytes
    }

    /// Returns the direct parents of a commit, whatever they changed: those on the lines that begin with `parent` in
    /// its header.
    func parents(of commit: String) throws(GitProblem) -> [String] {
        guard let object = try object(named: commit) else { throw .notHere }
        return object.bytes.data.split(separator: 0x0A, omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("parent ") }.map {
                String($0.dropFirst(7))
            }
    }

    /// Returns whether a commit is in this clone.
    func hasCommit(_ name: String) -> Bool { (try? object(named: name)) != nil }

    /// The object at a path in a commit.
    enum Entry: Equatable {
        case file(ObjectID)
        /// A link, a folder or another repository.
        case other(GitProblem.Absence)

        /// Creates the entry for a mode in a tree object.
        init(mode: [UInt8], _ id: ObjectID) {
            switch mode {
            case Array("120000".utf8): self = .other(.link)
            case Array("160000".utf8): self = .other(.submodule)
            case Array("40000".utf8): self = .other(.folder)
            default: self = .file(id)
            }
        }
    }

    /// Returns the entry at a path in a commit, or nil if there is none.
    func entry(at path: FilePath, in commit: String) throws(GitProblem) -> Entry? {
        try find(path, in: commit).map { $0.entry }
    }

    /// Returns the entries of the folder at a path in a commit, in the natural order of their names.
    func entries(ofFolder path: FilePath, in commit: String) throws(GitProblem) -> [(name: FilePath, entry: Entry)] {
        guard let found = try find(path, in: commit), case .other(.folder) = found.entry else {
            throw .notInCommit(path: path.description, commit: commit)
        }
        guard let tree = try object(named: found.name) else { throw .notHere }
        var entries: [(name: FilePath, entry: Entry)] = []
        Self.forEachEntry(of: tree.bytes, idLength: commit.utf8.count / 2) { name, mode, id in
            entries.append((FilePath(name), Entry(mode: Array(mode), id)))
            return true
        }
        return entries.sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    /// Returns the entry at a path in a commit and a name for its object, or nil if there is none.
    private func find(_ path: FilePath, in commit: String) throws(GitProblem) -> (entry: Entry, name: String)? {
        var found = (entry: Entry.other(.folder), name: "\(commit)^{tree}")
        for name in path.bytes.split(separator: UInt8(ascii: "/")) {
            guard case .other(.folder) = found.entry else { return nil }
            guard let tree = try object(named: found.name) else { throw .notHere }
            var inside: (entry: Entry, name: String)?
            Self.forEachEntry(of: tree.bytes, idLength: commit.utf8.count / 2) { other, mode, id in
                guard other.elementsEqual(name) else { return true }
                inside = (Entry(mode: Array(mode), id), id.text)
                return false
            }
            guard let inside else { return nil }
            found = inside
        }
        return found
    }

    /// Calls `body` with the name, the mode and the object of every entry of a tree object, until it returns false.
    /// Entries are stored in sequence as `MODE NAME`, a zero byte, and the hash (git's Documentation/gitformat-index and
    /// gitcore-tutorial).
    private static func forEachEntry(
        of tree: SourceBytes, idLength: Int,
        _ body: (Slice<UnsafeRawBufferPointer>, Slice<UnsafeRawBufferPointer>, ObjectID) -> Bool
    ) {
        tree.withBytes(in: 0..<tree.count) { bytes in
            var rest = bytes[...]
            while let space = rest.firstIndex(of: 0x20), let end = rest[space...].firstIndex(of: 0),
                end + idLength < rest.endIndex
            {
                let id = ObjectID(hash: Array(rest[(end + 1)...(end + idLength)]))
                guard body(rest[(space + 1)..<end], rest[..<space], id) else { return }
                rest = rest[(end + 1 + idLength)...]
            }
        }
    }

    /// Returns the full hash of the commit that a name leads to.
    func commit(named name: String) throws(GitProblem) -> String {
        let answer: (output: [UInt8], complaint: [UInt8])
        do {
            answer = try Git.runWithComplaint(
                in: place, ["rev-parse", "--verify", "--end-of-options", FilePath("\(name)^{commit}")])
        } catch {
            if case .failed = error { throw .noSuchCommit(name) }
            throw error
        }
        // git takes the oldest entry of a reflog for any time before it, with a warning.
        let complaint = String(decoding: answer.complaint, as: UTF8.self)
        if let line = complaint.split(separator: "\n").first(where: { $0.contains(" only goes back to ") }) {
            throw .failed(message: line.hasPrefix("warning: ") ? String(line.dropFirst(9)) : String(line))
        }
        return String(decoding: answer.output.dropLast(), as: UTF8.self)
    }

    /// Returns the contents at a path, in all commits that lead to `start`, that were left out when the repository was
    /// cloned.
    func missingContents(at path: FilePath, from start: String) throws(GitProblem) -> Set<ObjectID> {
        guard isPartial else { return [] }
        let answer = try run([
            "rev-list", "--objects", "--no-object-names", "--missing=print", "--full-history", "--end-of-options",
            FilePath(start), "--", path,
        ])
        let lines = answer.split(separator: 0x0A).filter { $0.first == UInt8(ascii: "?") }
        return Set(lines.compactMap { ObjectID(text: $0.dropFirst()) })
    }

    /// Returns the hash that git would store a file under, without running any filter.
    ///
    /// - Parameter file: An absolute path.
    func contentID(of file: FilePath) throws(GitProblem) -> ObjectID? {
        ObjectID(text: try run(["hash-object", "--no-filters", "--", file]).dropLast())
    }
}
