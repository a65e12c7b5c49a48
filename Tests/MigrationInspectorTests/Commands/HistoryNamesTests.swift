import DocumentSources
import Foundation
import TestSupport
import Testing

@testable import MigrationInspector

/// The ways to name what was committed: up to a branch, at a date, in a folder, and inside a file.
@Suite("Naming what was committed")
struct HistoryNamesTests {
    private static func poem(_ rating: Int) -> String {
        #"{"version": 1, "author": "A", "poem": "x", "starRating": \#(rating)}"#
    }

    private func check(_ git: GitFolder, _ arguments: String...) throws -> JSONValue {
        try BuiltProgram.inspector.run(["check", "--format", "json"] + arguments, in: git.folder.path).json()
    }

    private func subjects(_ report: JSONValue) -> [String?] {
        report["results"].elements.map { $0["revision"]["subject"].text }
    }

    @Test("--history BRANCH:FILE has the states that lead to that branch, not those of the work tree")
    func branch() throws {
        let git = try GitFolder()
        try git.commit(Self.poem(1), to: "a.json", "one")
        try git.git("checkout", "--quiet", "-b", "side")
        try git.commit(Self.poem(2), to: "a.json", "on the side")
        try git.git("checkout", "--quiet", "main")
        try git.commit(Self.poem(9), to: "a.json", "on main")
        try git.folder.write(Self.poem(3), to: "a.json")
        #expect(subjects(try check(git, "--history", "side:a.json")) == ["on the side", "one"])
        #expect(subjects(try check(git, "--history", "main~1:a.json")) == ["one"])
        #expect(subjects(try check(git, "--history", "a.json")) == [nil, "on main", "one"])
        let missing = try BuiltProgram.inspector.run("check", "--history", "nowhere:a.json", in: git.folder.path)
        #expect(missing.status == 66 && missing.errors.contains("the repository has no commit nowhere"))
        let other = try BuiltProgram.inspector.run("check", "--history", "side:b.json", in: git.folder.path)
        #expect(other.status == 66)
        // A file of exactly that name wins.
        try git.commit(Self.poem(4), to: "side:a.json", "a file")
        #expect(subjects(try check(git, "--history", "side:a.json")) == ["a file"])
    }

    @Test("FILE@DATE is the last state at the end of that day, and an existing file of that name wins")
    func date() throws {
        let git = try GitFolder()
        func commit(_ rating: Int, _ date: String) throws {
            try git.folder.write(Self.poem(rating), to: "a.json")
            try git.git("add", "--all")
            try git.gitAt(date, "commit", "--quiet", "--message", "rating \(rating)")
        }
        try commit(1, "2024-02-28T12:00:00+00:00")
        // In UTC, this is the second of March.
        try commit(2, "2024-03-01T22:30:00-02:00")
        try commit(3, "2024-03-02T00:40:00+00:00")
        func rating(_ name: String) throws -> String {
            let run = try BuiltProgram.inspector.run("diff", name, "a.json", "--format", "json", in: git.folder.path)
            return run.output.filter { !$0.isWhitespace }
        }
        #expect(try rating("a.json@2024-03-02") == "[]")
        #expect(try rating("a.json@2030-01-01") == "[]")
        #expect(try rating("a.json@2024-03-01").contains(#""old":2"#))
        #expect(try rating("a.json@2024-02-29").contains(#""old":1"#))
        #expect(try rating("main:a.json@2024-02-28").contains(#""old":1"#))
        let before = try BuiltProgram.inspector.run("trace", "a.json@2024-02-27", in: git.folder.path)
        #expect(before.status == 66)
        #expect(
            before.errors.contains(
                "no commit of the main line up to 2024-02-27 has it; the first one that has it is of 2024-02-28"))
        let result = try check(git, "a.json@2024-03-01")["results"][0]
        let second = try git.git("rev-parse", "--short", "HEAD~1")
        #expect(result["source"] == .string("\(second):a.json") && result["revision"] == .null)
        try git.folder.write(Self.poem(5), to: "a.json@2024-03-01")
        #expect(try check(git, "a.json@2024-03-01")["results"][0]["source"] == "a.json@2024-03-01")
        for name in ["a.json@2024-3-1", "a.json@2024-02-30", "b.json@2024-03-01"] {
            #expect(try BuiltProgram.inspector.run("check", name, in: git.folder.path).status == 66, "\(name)")
        }
    }

    @Test("FILE@DATE is what the main line had on that day, not what a side had that was merged later")
    func dateBeforeMerge() throws {
        let git = try GitFolder()
        func commit(_ rating: Int, _ date: String) throws {
            try git.folder.write(Self.poem(rating), to: "a.json")
            try git.git("add", "--all")
            try git.gitAt(date + "T12:00:00+00:00", "commit", "--quiet", "--message", "rating \(rating)")
        }
        try commit(1, "2024-01-01")
        try git.git("checkout", "--quiet", "-b", "side")
        try commit(2, "2024-01-10")
        try git.git("checkout", "--quiet", "main")
        try git.gitAt("2024-02-01T12:00:00+00:00", "merge", "--quiet", "--no-ff", "side")
        try git.git("mv", "a.json", "b.json")
        try git.gitAt("2024-03-01T12:00:00+00:00", "commit", "--quiet", "--message", "moved")
        let (old, new) = (try git.git("rev-parse", "--short", "side~1"), try git.git("rev-parse", "--short", "side"))
        for (day, commit) in [("2024-01-09", old), ("2024-01-15", old), ("2024-02-01", new), ("2024-02-20", new)] {
            for name in ["b.json", "HEAD:b.json"] {
                let source = try check(git, "\(name)@\(day)")["results"][0]["source"]
                #expect(source == .string("\(commit):a.json"), "\(name) \(day)")
            }
        }
        // A side may have a file before the main line does.
        try git.git("checkout", "--quiet", "-b", "late")
        try git.folder.write(Self.poem(3), to: "c.json")
        try git.git("add", "--all")
        try git.gitAt("2024-03-10T12:00:00+00:00", "commit", "--quiet", "--message", "on a side")
        try git.git("checkout", "--quiet", "main")
        try git.gitAt("2024-04-01T12:00:00+00:00", "merge", "--quiet", "--no-ff", "late")
        let none = try BuiltProgram.inspector.run("check", "c.json@2024-03-20", in: git.folder.path)
        #expect(none.errors.contains("no commit of the main line up to 2024-03-20 has it"))
        #expect(none.errors.contains("; the first one that has it is of 2024-04-01"))
    }

    @Test("FOLDER@DATE is every document that the folder had at the end of that day, even if it is gone now")
    func folderAtDate() throws {
        let git = try GitFolder()
        func commit(_ date: String) throws {
            try git.git("add", "--all")
            try git.gitAt(date, "commit", "--quiet", "--message", date)
        }
        try git.folder.write(Self.poem(9), to: "data/a.json")
        try git.folder.write(Self.poem(1), to: "other.json")
        try commit("2024-01-10T12:00:00+00:00")
        let first = try String(git.git("rev-parse", "HEAD").prefix(12))
        try git.folder.write(Self.poem(1), to: "data/a.json")
        try git.folder.write(Self.poem(2), to: "data/b.json")
        try commit("2024-02-10T23:30:00+00:00")
        let second = try String(git.git("rev-parse", "HEAD").prefix(12))
        try git.git("mv", "data", "moved")
        try commit("2024-03-10T12:00:00+00:00")

        func results(_ name: String) throws -> [[JSONValue]] {
            try check(git, name)["results"].elements.map { [$0["source"], $0["outcome"]] }
        }
        #expect(try results("data@2024-01-10") == [[.string("\(first):data/a.json"), "failed"]])
        #expect(try results("data/@2024-02-09") == [[.string("\(first):data/a.json"), "failed"]])
        let both = ["a", "b"].map { [JSONValue.string("\(second):data/\($0).json"), "migrated"] }
        #expect(try results("data@2024-02-10") == both)
        #expect(try results("HEAD~1:data@2030-01-01") == both)
        #expect(try results(".@2024-01-31").count == 2)
        let source = try #require(results("moved@2024-03-10").first?.first)
        #expect("\(source)".contains(":moved/a.json"))
        // A name that a report gives is one to type.
        #expect(try BuiltProgram.inspector.run("trace", "\(second):data/b.json", in: git.folder.path).status == 0)

        let before = try BuiltProgram.inspector.run("check", "moved@2024-03-09", in: git.folder.path)
        #expect(before.status == 66)
        #expect(
            before.errors.contains(
                "no commit of the main line up to 2024-03-09 has it; the first one that has it is of 2024-03-10"))
        let clones = try TemporaryFolder()
        try git.git("clone", "--quiet", "--depth=1", "file://\(git.folder.path)", clones.path("c"))
        for name in ["moved", "moved/a.json"] {
            let run = try BuiltProgram.inspector.run("check", "\(name)@2024-03-09", in: clones.path("c"))
            #expect(run.status == 66 && !run.errors.contains("first one"), "\(name)")
            #expect(run.errors.contains("no commit up to 2024-03-09 in this clone has it"), "\(name)")
        }
    }

    @Test("FOLDER@DATE says what the commit of that day has in place of a folder that came later or came back")
    func notThen() throws {
        let git = try GitFolder()
        func commit(_ date: String) throws {
            try git.git("add", "--all")
            try git.gitAt(date + "T12:00:00+00:00", "commit", "--quiet", "--message", date)
        }
        try git.folder.write(Self.poem(1), to: "data/a.json")
        try git.folder.write(Self.poem(2), to: "later")
        try commit("2024-01-10")
        try git.git("rm", "--quiet", "-r", "data", "later")
        try git.folder.write(Self.poem(3), to: "other.json")
        try commit("2024-02-10")
        let second = try String(git.git("rev-parse", "HEAD").prefix(12))
        for folder in ["data", "later"] { try git.folder.write(Self.poem(4), to: "\(folder)/b.json") }
        try commit("2024-03-10")

        for name in ["data@2024-02-15", "HEAD:data@2024-02-15"] {
            let gone = try BuiltProgram.inspector.run("check", name, in: git.folder.path)
            #expect(gone.status == 66 && gone.errors.contains("the commit \(second) has no data"), "\(name)")
        }
        // A file had the name of the later folder.
        #expect(try check(git, "later@2024-01-31")["results"].elements.map { $0["outcome"] } == ["migrated"])
        for name in ["data@2024-01-05", "HEAD:data@2024-01-05"] {
            let before = try BuiltProgram.inspector.run("check", name, in: git.folder.path)
            #expect(before.errors.contains("; the first one that has it is of 2024-01-10"), "\(name)")
        }
    }

    @Test("COMMIT:FOLDER is every document that the folder had in that commit")
    func committedFolder() throws {
        let git = try GitFolder()
        try git.folder.write(Self.poem(1), to: "data/a.json")
        try git.folder.write(Self.poem(2) + "\n" + Self.poem(9) + "\n", to: "data/log.jsonl")
        try git.folder.write(Self.poem(3), to: "data/inside/without-ending")
        try git.folder.write("no document", to: "data/notes.txt")
        try git.folder.write(Self.poem(4), to: "data/.hidden.json")
        let first = try git.commit("first")
        try git.git("rm", "--quiet", "-r", "data")
        try git.commit(Self.poem(1), to: "b.json", "second")
        for folder in ["HEAD~1:data", "HEAD~1:data/", "HEAD~1:./data"] {
            let run = try BuiltProgram.inspector.run("check", folder, "--format", "json", in: git.folder.path)
            let name = String(folder.dropFirst(7).hasSuffix("/") ? folder.dropLast() : Substring(folder))
            #expect(
                try run.json()["results"].elements.map { $0["source"] }
                    == [
                        "\(name)/a.json", "\(name)/inside/without-ending", "\(name)/log.jsonl#L1",
                        "\(name)/log.jsonl#L2",
                    ].map { .string($0) })
            #expect(run.errors.contains("1 hidden file or folder") && run.errors.contains("1 file of another kind"))
        }
        #expect(try check(git, "\(first):")["results"].elements.count == 4)
        #expect(try check(git, "HEAD:.")["results"].elements.map { $0["source"] } == ["HEAD:./b.json"])
        // Each source can be opened again.
        let line = try BuiltProgram.inspector.run("trace", "HEAD~1:data/log.jsonl#L2", in: git.folder.path)
        #expect(line.status == 1 && line.output.contains("starRating"))
        let lines = try check(git, "HEAD~1:data/log.jsonl")["results"].elements
        #expect(lines.map { $0["outcome"] } == ["migrated", "failed"])
        #expect(try BuiltProgram.inspector.run("check", "HEAD:data", in: git.folder.path).status == 66)
    }

    @Test("--history FOLDER has the states of each document in it, and says since when for each")
    func folder() throws {
        let git = try GitFolder()
        try git.commit(Self.poem(1), to: "data/a.json", "a1")
        try git.commit(Self.poem(9), to: "data/b.json", "b1")
        try git.commit(Self.poem(9), to: "data/a.json", "a2")
        try git.commit(Self.poem(2), to: "data/b.json", "b2")
        let run = try BuiltProgram.inspector.run("check", "--history", "data", in: git.folder.path)
        let ending = try #require(run.lines.firstIndex(of: "Over time:"))
        #expect(run.lines[ending + 1] == " data/a.json:" && run.lines[ending + 3] == " data/b.json:")
        #expect(run.lines[ending + 2].contains("fails since") && run.lines[ending + 2].hasSuffix("a2"))
        #expect(run.lines[ending + 4].contains("opens since") && run.lines[ending + 4].hasSuffix("b2"))
        let report = try check(git, "--history", "data")
        #expect(subjects(report) == ["a2", "a1", "b2", "b1"])
        #expect(report["turns"].elements.map { $0["document"] } == ["data/a.json", "data/b.json", "data/b.json"])
        #expect(subjects(try check(git, "--history", "HEAD~1:data")) == ["a2", "a1", "b1"])
    }

    @Test("--history of a log, a store or their folder has the states of each line and row that is there now")
    func insideFiles() throws {
        let git = try GitFolder()
        func commit(_ rows: [Int: Int], _ subject: String) throws {
            let lines = rows.sorted { $0.key < $1.key }.map { id, rating in
                #"{"id": \#(id), "version": 1, "author": "A", "poem": "x", "starRating": \#(rating)}"#
            }
            try git.folder.write(lines.map { $0 + "\n" }.joined(), to: "data/log.jsonl")
            let writer = try StoreWriter(git.path("data/books.sqlite"))
            try writer.execute("CREATE TABLE IF NOT EXISTS POEM (id INTEGER PRIMARY KEY, TEXT TEXT)")
            try writer.execute("DELETE FROM POEM")
            for (line, id) in zip(lines, rows.keys.sorted()) {
                try writer.execute("INSERT INTO POEM VALUES (\(id), '\(line)')")
            }
            writer.quit()
            try git.commit(subject)
        }
        try commit([1: 1, 2: 2, 5: 3], "begins")
        try commit([1: 1, 2: 9, 5: 3], "fails")
        try commit([2: 9, 5: 3], "the first goes")
        try commit([2: 9, 5: 3, 7: 4], "another comes")
        let expected = ["2": ["fails", "begins"], "5": ["begins"], "7": ["another comes"]]
        for (name, part) in [
            ("data/log.jsonl", "#id="), ("data/books.sqlite", "#POEM/"), ("HEAD:data/log.jsonl", "#id="), ("data", ""),
        ] {
            let report = try check(git, "--history", name)
            var histories: [String: [String?]] = [:]
            for (result, subject) in zip(report["results"].elements, subjects(report)) {
                let source = result["source"].text ?? ""
                histories[String(source.drop { $0 != ":" }.dropFirst()), default: []].append(subject)
            }
            var right: [String: [String?]] = [:]
            for (id, subjects) in expected {
                if part != "#POEM/" { right["data/log.jsonl#id=\(id)"] = subjects }
                if part != "#id=" { right["data/books.sqlite#POEM/\(id)/TEXT"] = subjects }
            }
            #expect(histories == right, "\(name)")
            #expect(report["turns"].elements.count == (part.isEmpty ? 2 : 1), "\(name)")
        }
        // A name of several documents follows the value in each.
        let followed = try BuiltProgram.inspector.run(
            "check", "--history", "data", "--follow", "$.starRating", in: git.folder.path)
        #expect(followed.output.contains("$.starRating in 2 states of data/log.jsonl#id=2:"))
        #expect(followed.output.contains("$.starRating in 1 state of data/books.sqlite#POEM/7/TEXT:"))
        // Lines without an identity have their numbers.
        try git.folder.write("1\n[2]\n", to: "data/log.jsonl")
        let numbers = try check(git, "--history", "data/log.jsonl")["results"].elements.map { $0["source"] }
        #expect(numbers.first == "data/log.jsonl#L1" && numbers.contains("data/log.jsonl#L2"))
    }

    @Test("NAME@DATE of a log or a store is what it held then, and that of a row is the row")
    func severalAtDate() throws {
        let git = try GitFolder()
        func commit(_ rating: Int, _ day: String) throws {
            try git.folder.write("\(Self.poem(rating))\n\(Self.poem(1))\n", to: "log.jsonl")
            let writer = try StoreWriter(git.path("poems.sqlite"))
            try writer.execute("CREATE TABLE IF NOT EXISTS POEM (id INTEGER PRIMARY KEY, TEXT TEXT)")
            try writer.execute("INSERT OR REPLACE INTO POEM VALUES (1, '\(Self.poem(rating))')")
            writer.quit()
            try git.git("add", "--all")
            try git.gitAt("\(day)T12:00:00+00:00", "commit", "--quiet", "--message", day)
        }
        try commit(9, "2024-01-10")
        try commit(2, "2024-02-10")
        let first = try git.git("rev-parse", "--short", "HEAD~1")
        let lines = try check(git, "log.jsonl@2024-01-31")["results"].elements
        #expect(lines.map { $0["source"] } == [.string("\(first):log.jsonl#L1"), .string("\(first):log.jsonl#L2")])
        #expect(lines.map { $0["outcome"] } == ["failed", "migrated"])
        let row = "poems.sqlite#POEM/1/TEXT"
        #expect(try check(git, "\(row)@2024-01-31")["results"][0]["outcome"] == "failed")
        #expect(try check(git, "\(row)@2024-02-10")["results"][0]["outcome"] == "migrated")
        #expect(try check(git, "poems.sqlite@2024-01-10")["results"][0]["outcome"] == "failed")
    }

    @Test("--history FILE#L2 has the states in which the line differs, and the one on the disk")
    func lines() throws {
        let git = try GitFolder()
        let log = { (lines: String...) in lines.map { $0 + "\n" }.joined() }
        try git.commit(log(Self.poem(1)), to: "log.jsonl", "one line")
        try git.commit(log(Self.poem(1), Self.poem(2)), to: "log.jsonl", "the second begins")
        try git.commit(log(Self.poem(1), Self.poem(2), Self.poem(3)), to: "log.jsonl", "a third")
        try git.commit(log(Self.poem(1), Self.poem(9), Self.poem(3)), to: "log.jsonl", "the second fails")
        try git.commit(log(Self.poem(1)), to: "log.jsonl", "only one is left")
        try git.folder.write(log(Self.poem(1), Self.poem(4)), to: "log.jsonl")
        let report = try check(git, "--history", "log.jsonl#L2")
        #expect(subjects(report) == [nil, "only one is left", "the second fails", "the second begins"])
        #expect(report["results"].elements.map { $0["outcome"] } == ["migrated", "deleted", "failed", "migrated"])
        let parents = report["results"].elements.dropFirst().map { $0["revision"]["parents"].elements.count }
        #expect(parents == [1, 1, 0])
        guard case .string(let source) = report["results"][2]["source"] else { return }
        #expect(source.hasSuffix(":log.jsonl#L2"))
        #expect(try BuiltProgram.inspector.run("trace", source, in: git.folder.path).status == 1)
        let never = try BuiltProgram.inspector.run("check", "--history", "log.jsonl#L7", in: git.folder.path)
        #expect(never.status == 66 && never.errors.contains("log.jsonl#L7: no commit"))
    }

    @Test("a line is also named by a value, wherever it lies in each state, if only one line has that value")
    func linesByValue() throws {
        let git = try GitFolder()
        func line(_ id: Int, _ rating: Int) -> String {
            #"{"id": \#(id), "version": 1, "author": "A", "poem": "x", "starRating": \#(rating)}"# + "\n"
        }
        try git.commit(line(7, 1), to: "log.jsonl", "begins")
        try git.commit(line(3, 1) + line(7, 1), to: "log.jsonl", "moved down")
        try git.commit(line(3, 1) + line(5, 1) + line(7, 2), to: "log.jsonl", "changed")
        #expect(subjects(try check(git, "--history", "log.jsonl#id=7")) == ["changed", "begins"])
        let single = try check(git, "log.jsonl#id=7")["results"][0]
        #expect(single["source"] == "log.jsonl#id=7" && single["outcome"] == "migrated")
        let none = try BuiltProgram.inspector.run("trace", "log.jsonl#id=9", in: git.folder.path)
        #expect(none.status == 66 && none.errors.contains("no line has $.id = 9, of 3 lines"))
        let several = try BuiltProgram.inspector.run("trace", "log.jsonl#starRating=1", in: git.folder.path)
        #expect(several.status == 66 && several.errors.contains("2 lines have this value (L1, L2); name one of them"))
    }

    @Test("--history STORE#TABLE/KEY/COLUMN has the states in which the row differs")
    func rows() throws {
        let git = try GitFolder()
        func commit(_ statement: String, _ subject: String) throws {
            let writer = try StoreWriter(git.path("books.sqlite"))
            try writer.execute(statement)
            writer.quit()
            try git.commit(subject)
        }
        try commit("CREATE TABLE BOOK (id INTEGER PRIMARY KEY, META TEXT, TITLE TEXT)", "empty")
        try commit(#"INSERT INTO BOOK VALUES (1, '{"active": true}', 'one')"#, "a row")
        try commit(#"INSERT INTO BOOK VALUES (2, '{"active": 3}', 'two')"#, "another row")
        try commit("UPDATE BOOK SET TITLE = 'new' WHERE id = 1", "another column")
        try commit(#"UPDATE BOOK SET META = '{"active": false}' WHERE id = 1"#, "changed")
        try commit("DELETE FROM BOOK WHERE id = 1", "gone")
        let report = try check(git, "--history", "books.sqlite#BOOK/1/META")
        #expect(subjects(report) == ["gone", "changed", "a row"])
        #expect(report["results"].elements.map { $0["outcome"] } == ["deleted", "migrated", "migrated"])
        let row = try check(git, "HEAD~2:books.sqlite#BOOK/1/META")["results"][0]
        #expect(row["source"] == "HEAD~2:books.sqlite#BOOK/1/META" && row["chain"] == "Book metadata")
        let all = try check(git, "HEAD~1:books.sqlite")["results"].elements
        #expect(all.map { $0["source"] } == ["HEAD~1:books.sqlite#BOOK/1/META", "HEAD~1:books.sqlite#BOOK/2/META"])
        let missing = try BuiltProgram.inspector.run("trace", "HEAD:books.sqlite#BOOK/1/META", in: git.folder.path)
        #expect(missing.status == 66 && missing.errors.contains("HEAD:books.sqlite#BOOK/1/META"))
    }

    @Test("what was committed is never replaced: migrate refuses a folder of a commit, and one row of several stores")
    func migrateCommitted() throws {
        let git = try GitFolder()
        try git.commit(Self.poem(1), to: "data/a.json", "one")
        try git.folder.write(Self.poem(2), to: "data/a.json")
        for options in [["--in-place"], ["--output", "new/"]] {
            let run = try BuiltProgram.inspector.run(["migrate", "HEAD:data"] + options, in: git.folder.path)
            #expect(run.status == 64 && run.errors.contains("HEAD:data is not a file of its own"))
        }
        #expect(try String(contentsOfFile: git.path("data/a.json"), encoding: .utf8) == Self.poem(2))
    }

    @Test("FOLDER#TABLE/KEY/COLUMN is one row in every store of the folder, with what changed over the years")
    func backups() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.poem(1), to: "backups/notes.json")
        for (year, value) in [(2021, "true"), (2022, "true"), (2023, "3"), (2024, "false")] {
            let writer = try StoreWriter(folder.path("backups/\(year).sqlite"))
            try writer.execute("CREATE TABLE BOOK (id INTEGER PRIMARY KEY, META TEXT)")
            try writer.execute(#"INSERT INTO BOOK VALUES (1, '{"active": \#(value)}'), (2, '{"active": true}')"#)
            writer.quit()
        }
        let name = "backups#BOOK/1/META"
        let run = try BuiltProgram.inspector.run("check", name, in: folder.path)
        #expect(run.lines.filter { $0.hasPrefix("backups/20") }.count == 4 && !run.output.contains("BOOK/2"))
        #expect(
            run.output.contains(
                """

                Over time:
                  opens since backups/2024.sqlite#BOOK/1/META
                  fails since backups/2023.sqlite#BOOK/1/META

                """))
        let report = try BuiltProgram.inspector.run("check", name, "--format", "json", in: folder.path).json()
        #expect(
            report["turns"].elements.map { $0["document"] } == [
                "backups/2024.sqlite#BOOK/1/META", "backups/2023.sqlite#BOOK/1/META",
            ])
        #expect(report["results"].elements.map { $0["outcome"] } == ["migrated", "migrated", "failed", "migrated"])
    }

    @Test("a row that later files of the folder lack is deleted there, and files before its first one are no states")
    func backupsWithoutRow() throws {
        let folder = try TemporaryFolder()
        func line(_ id: Int) -> String {
            #"{"id": \#(id), "version": 1, "author": "A", "poem": "x", "starRating": 2}"# + "\n"
        }
        for (year, ids) in [(2020, [1]), (2021, [1, 7]), (2022, [1]), (2023, [1]), (2024, [7])] {
            try folder.write(ids.map(line).joined(), to: "backups/\(year).jsonl")
        }
        let run = try BuiltProgram.inspector.run("check", "backups#id=7", "--format", "json", in: folder.path)
        let results = try run.json()["results"].elements
        #expect(
            results.map { $0["source"] }
                == [2021, 2022, 2024].map { .string("backups/\($0).jsonl#id=7") })
        #expect(results.map { $0["outcome"] } == ["migrated", "deleted", "migrated"] && run.status == 0)
        let history = try BuiltProgram.inspector.run(
            "check", "--history", "backups#id=7", "--format", "json", in: folder.path)
        #expect(try history.json()["results"] == run.json()["results"])
        let followed = try BuiltProgram.inspector.run(
            "check", "backups#id=7", "--follow", "$.starRating", in: folder.path)
        #expect(followed.output.hasPrefix("$.starRating in 2 states:\n"))
        let never = try BuiltProgram.inspector.run("check", "backups#id=8", in: folder.path)
        #expect(never.status == 66 || never.status == 1)
        #expect(never.output.contains("no line has $.id = 8"))
    }

    @Test("check --order-by puts the documents of a place in the order of a value, and says since when")
    func orderBy() throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ rating: Int, _ number: String) throws {
            let text = #"{"version": 1, "author": "A", "poem": "x", "starRating": \#(rating), "made": "\#(number)"}"#
            try folder.write(text, to: "data/\(name).json")
        }
        try write("a", 9, "1.10.0")
        try write("b", 1, "1.9.0")
        try write("c", 2, "1.11.0")
        try folder.write(Self.poem(1), to: "data/d.json")
        let run = try BuiltProgram.inspector.run("check", "--order-by", "$.made", "data", in: folder.path)
        let names = run.lines.compactMap { $0.hasPrefix("data/") ? $0.dropFirst(5).prefix(6) : nil }
        #expect(names == ["b.json", "a.json", "c.json", "d.json"])
        #expect(run.output.contains("Over time:\n  opens since data/c.json\n  fails since data/a.json\n"))
        let none = try BuiltProgram.inspector.run("check", "--order-by", "$.nothing", "data", in: folder.path)
        #expect(
            none.errors.contains(
                "no document has a value at $.nothing, so they are in the order in which they were found"))
        #expect(try BuiltProgram.inspector.run("check", "--order-by", "$[", "data", in: folder.path).status == 64)
    }

    @Test("check --order-by COLUMN orders rows by a column of their table: numbers, texts, and empty ones last")
    func orderByColumn() throws {
        let folder = try TemporaryFolder()
        let writer = try StoreWriter(folder.path("books.sqlite"))
        try writer.execute("CREATE TABLE BOOK (id INTEGER PRIMARY KEY, META TEXT, MADE REAL, DAY TEXT)")
        try writer.execute(
            #"""
            INSERT INTO BOOK VALUES (1, '{"active": true}', NULL, '2024-03-01'), (2, '{"active": true}', 20.5, ''),
            (3, '{"active": 3}', 7, '2023-12-31')
            """#.replacing("\n", with: " "))
        writer.quit()
        func keys(_ column: String) throws -> [String] {
            let run = try BuiltProgram.inspector.run(
                "check", "--order-by", column, "books.sqlite", "--format", "json", in: folder.path)
            return try run.json()["results"].elements.compactMap {
                $0["source"].text?.split(separator: "/").dropFirst().first
            }
            .map(String.init)
        }
        #expect(try keys("MADE") == ["3", "2", "1"])
        #expect(try keys("DAY") == ["3", "1", "2"])
        let run = try BuiltProgram.inspector.run("check", "--order-by", "NOWHERE", "books.sqlite", in: folder.path)
        #expect(run.errors.contains("no document is in a row with a value in column NOWHERE"))
    }
}
