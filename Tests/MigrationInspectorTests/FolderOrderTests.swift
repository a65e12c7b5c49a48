import Foundation
import TestSupport
import Testing

@Suite("The order of folders")
struct FolderOrderTests {
    /// The folders of each room that has several, in the order of the guide's table.
    private static let rows: [(room: String, folders: [String])] = {
        let page = "Sources/MigrationInspector/MigrationInspector.docc/FolderOrder.md"
        let lines = (try? Project.text(page).split(separator: "\n")) ?? []
        return lines.filter { $0.hasPrefix("| `") }.map { line in
            let names = line.components(separatedBy: "`").enumerated().filter { !$0.offset.isMultiple(of: 2) }
            return (names[0].element, names.dropFirst().map(\.element))
        }
    }()

    @Test("every folder of a room is in its row of the guide's table")
    func rooms() throws {
        #expect(!Self.rows.isEmpty)
        for (room, folders) in Self.rows {
            let found = try Set(Self.files(of: room).keys.compactMap { Self.folder(of: $0) })
            #expect(found == Set(folders), "\(room)")
        }
    }

    @Test("a folder uses only folders before it in the table", arguments: rows.map(\.room))
    func order(room: String) throws {
        let folders = try #require(Self.rows.first { $0.room == room }).folders
        let uses = try Self.uses(in: room)
        #expect(!uses.isEmpty)
        for (pair, example) in uses {
            let (from, to) = (folders.firstIndex(of: pair.from) ?? -1, folders.firstIndex(of: pair.to) ?? -1)
            #expect(to < from, "\(pair.from) uses \(pair.to): \(example)")
        }
    }

    @Test(
        "an extension's members are used only in its own folder and in folders after it",
        arguments: ["InspectorUI", "MigrationCore"])
    func extensions(room: String) throws {
        let folders = try #require(Self.rows.first { $0.room == room }).folders
        let files = try Self.files(of: room).compactMap { path, text in
            Self.folder(of: path).flatMap(folders.firstIndex).map { (path: path, folder: $0, text: text) }
        }
        // A name that an earlier folder declares as well is not told apart.
        var first: [String: Int] = [:]
        for file in files {
            for name in try Self.names(in: file.text) { first[name] = min(first[name] ?? .max, file.folder) }
        }
        var homes: [String: Int] = [:]
        for file in files {
            for name in try Self.extensionMembers(in: file.text) where first[name] == file.folder {
                homes[name] = file.folder
            }
        }
        #expect(!homes.isEmpty)
        for file in files {
            for word in Set(file.text.matches(of: /\b[a-z]\w*/).map { String($0.output) }) {
                guard let home = homes[word] else { continue }
                #expect(home <= file.folder, "\(file.path) uses \(word) of \(folders[home])")
            }
        }
    }

    /// Returns the members of extensions, unless they are only for their file.
    private static func extensionMembers(in text: String) throws -> [String] {
        let member = /^    (?:(?:public|package|static|mutating|final|@\w+) )*(?:func|var|let) (\w+)/
        var (names, isInside) = ([String](), false)
        for line in text.split(separator: "\n") {
            if line.contains(/^(?:(?:public|package) )?extension\b/) {
                isInside = true
            } else if line.hasPrefix("}") {
                isInside = false
            } else if isInside, let match = line.firstMatch(of: member) {
                names.append(String(match.output.1))
            }
        }
        return names
    }

    /// Returns the names of members, cases, parameters and variables of any scope.
    private static func names(in text: String) throws -> Set<String> {
        let declared = text.matches(of: /\b(?:let|var|func|case) \(?(\w+)/).map { String($0.output.1) }
        return Set(declared + text.matches(of: /\b(\w+):/).map { String($0.output.1) })
    }

    private struct Pair: Hashable {
        let from: String
        let to: String
    }

    /// Returns which folders name a type of another one, with an example of each.
    private static func uses(in room: String) throws -> [Pair: String] {
        let files = try files(of: room)
        var homes: [String: Set<String>] = [:]
        for (path, text) in files { for name in try declared(in: text) { homes[name, default: []].insert(path) } }
        var uses: [Pair: String] = [:]
        for (path, text) in files {
            for word in Set(text.matches(of: /\b[A-Z]\w*/).map { String($0.output) }) {
                guard let home = homes[word], home.count == 1, let file = home.first, let from = folder(of: path),
                    let to = folder(of: file), from != to
                else { continue }
                uses[Pair(from: from, to: to)] = "\(path) names \(word)"
            }
        }
        return uses
    }

    /// Returns the names of the types that are declared outside of other types, and not only for their file.
    private static func declared(in text: String) throws -> [String] {
        let declaration =
            /^(?:(?:public|package|final|indirect|@\w+) )*(?:struct|class|enum|protocol|actor|typealias) (\w+)/
        return text.matches(of: declaration.anchorsMatchLineEndings()).map { String($0.output.1) }
    }

    /// Returns the Swift files of a room by their paths in it, without comments and texts.
    private static func files(of room: String) throws -> [String: String] {
        let root = Project.path("Sources/\(room)")
        let paths = (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).compactMap { $0 as? String }
        return try Dictionary(
            uniqueKeysWithValues: paths.filter { $0.hasSuffix(".swift") }.map { path in
                let text = try Project.text("Sources/\(room)/\(path)")
                return (path, text.replacing(/\/\/.*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\""))
            })
    }

    /// Returns the folder of a file in its room; nil for a file at the root.
    private static func folder(of path: String) -> String? {
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : nil
    }
}
