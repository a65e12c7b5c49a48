import DocumentModel
import Foundation
import MigrationCore

@testable import MigrationWorker

/// A version key that no other chain uses.
struct VisitNumber: VersionPathSpec {
    static let keyPathToVersion: KeyPath<Self, Int?> = \Self.visit
    var visit: Int?

    init(withVersion version: Int?) { visit = version }
}

/// A document that says what the app's code does with it and when, in lines of a word and its argument.
struct VisitV1: VersionedCodable {
    static let version: Int? = 1
    typealias VersionSpec = VisitNumber
    typealias PreviousVersion = NothingEarlier

    var name: String
    var second: [String]?
    var third: [String]?
    var encoding: [String]?

    private enum CodingKeys: CodingKey { case name, decoding, second, third, encoding }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        happen(try container.decodeIfPresent([String].self, forKey: .decoding))
        second = try container.decodeIfPresent([String].self, forKey: .second)
        third = try container.decodeIfPresent([String].self, forKey: .third)
        encoding = try container.decodeIfPresent([String].self, forKey: .encoding)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}

struct VisitV2: VersionedCodable {
    static let version: Int? = 2
    typealias VersionSpec = VisitNumber
    typealias PreviousVersion = VisitV1

    var title: String
    var third: [String]?
    var encoding: [String]?

    private enum CodingKeys: CodingKey { case title, third }

    init(from old: VisitV1) throws {
        (title, third, encoding) = (old.name, old.third, old.encoding)
        happen(old.second)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        third = try container.decodeIfPresent([String].self, forKey: .third)
    }

    func encode(to encoder: any Encoder) throws {
        happen(encoding)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
    }
}

struct Visit: VersionedCodable {
    static let version: Int? = 3
    typealias VersionSpec = VisitNumber
    typealias PreviousVersion = VisitV2

    var title: String

    init(from old: VisitV2) throws {
        title = old.title
        happen(old.third)
    }
}

/// Documents that no step migrates, of a chain that may be run repeatedly and of one that may not.
enum Refusal {
    struct Repeated: Codable { var repeated: String }
    struct Guarded: Codable { var guarded: String }
    struct Accepted: Codable { var accepted: String }
    struct Refused: Error {}

    static var chains: [MigrationChain] {
        [
            MigrationChain(
                named: "repeated",
                shapes: ShapeVersions(Repeated.self).then(Accepted.self) { _ in throw Refused() }),
            MigrationChain(
                named: "guarded", shapes: ShapeVersions(Guarded.self).then(Accepted.self) { _ in throw Refused() },
                isRepeatable: false),
        ]
    }
}

/// A document known by its shape, so that its code runs during detection.
struct Visitor: Codable {
    var visitor: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        visitor = try container.decode(String.self, forKey: .visitor)
        happen([visitor])
    }

    struct Seated: Codable {
        var visitor: String
        var seat: Int
    }

    static var chain: MigrationChain {
        MigrationChain(
            named: "Visitor",
            shapes: ShapeVersions(Visitor.self).then(Seated.self) { Seated(visitor: $0.visitor, seat: 0) })
    }
}

/// Whether this process has a thread that a document left running.
private let hasLeftThread = Locked(false)

@inline(never)
private func opaque<Value>(_ value: Value) -> Value { value }

@inline(never)
private func recurse(_ depth: Int) -> Int { depth < 0 ? 0 : recurse(opaque(depth + 1)) + opaque(1) }

@inline(never)
private func happen(_ lines: [String]?) {
    for line in lines ?? [] {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        happen(words.first ?? "", words.count > 1 ? words[1] : "")
    }
}

private func happen(_ word: String, _ rest: String) {
    switch word {
    case "print": print(rest)
    case "say": FileHandle.standardError.write(Data("\(rest)\n".utf8))
    case "sleep": Thread.sleep(forTimeInterval: Double(rest) ?? 0)
    case "wait": while access(rest, F_OK) != 0 { usleep(1000) }
    case "log":
        let file = open(rest, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        _ = write(file, "x", 1)
        close(file)
    case "variable": print(rest, getenv(rest).map { String(cString: $0) } ?? "none")
    case "go": _ = FileManager.default.changeCurrentDirectoryPath(rest)
    case "close": close(STDOUT_FILENO)
    case "facts": for fact in Fact.allCases { print(fact, fact.value) }
    case "start":
        var process: pid_t = 0
        let arguments = [strdup("/bin/sleep"), strdup("1000"), nil]
        _ = posix_spawn(&process, "/bin/sleep", nil, nil, arguments, environ)
        print("started \(process)")
        if !rest.isEmpty { try? "\(process)".write(toFile: rest, atomically: true, encoding: .utf8) }
    case "fatalError": fatalError(rest)
    case "overflow": print(opaque(Int.max) + opaque(1))
    case "access": UnsafeMutablePointer<Int>(bitPattern: opaque(8))!.pointee = 1
    case "recursion": print(recurse(opaque(0)))
    case "abort": abort()
    case "exit": exit(Int32(rest) ?? 0)
    case "_exit": _exit(Int32(rest) ?? 0)
    case "signal": kill(getpid(), Int32(rest) ?? 0)
    case "raise": raise(Int32(rest) ?? 0)
    case "memory":
        var kept: [UnsafeMutableRawPointer] = []
        while opaque(true) {
            // Memory that is never written to takes up only addresses.
            kept.append(.allocate(byteCount: 16 << 20, alignment: 16))
        }
        print(kept.count)
    case "leave":
        hasLeftThread.withLock { $0 = true }
        let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
        Thread.detachNewThread {
            while access(parts[0], F_OK) != 0 { usleep(1000) }
            happen([parts[1]])
        }
    case "meet":
        close(open(rest, O_WRONLY | O_CREAT, 0o600))
        while hasLeftThread.withLock({ $0 }) { usleep(1000) }
    case "spoil": for descriptor in Int32(200)..<300 { _ = write(descriptor, "no", 2) }
    case "answer":
        let outcome = MigrationOutcome(rawValue: rest) ?? .failed
        let result = SentReply(CheckResult(source: "", outcome: outcome))
        let bytes = OutgoingFrame(text: (try? result.encoded(MessageDocuments()).text) ?? []).bytes
        for descriptor in Int32(200)..<300 { _ = write(descriptor, bytes + bytes, 2 * bytes.count) }
    case "garble": for descriptor in Int32(3)..<300 { _ = write(descriptor, "garbled", 7) }
    case "loop": while opaque(true) {}
    default: break
    }
}

/// The facts that the app's code can find out about its process.
enum Fact: CaseIterable {
    case process, session, folder, isMainThread, arguments, input, descriptors, stack, core, memory, score
    case workerVariable, hashing, backtrace, files

    var value: String {
        switch self {
        case .process: "\(getpid())"
        case .session: "\(getsid(0))"
        case .folder: FileManager.default.currentDirectoryPath
        case .isMainThread: "\(Thread.isMainThread)"
        case .arguments: CommandLine.arguments.joined(separator: " ")
        case .input: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0")) ?? "-"
        case .descriptors:
            (0..<1024).filter { fcntl($0, F_GETFD) >= 0 }.map(String.init).joined(separator: " ")
        case .stack: Self.limit(__rlimit_resource_t(RLIMIT_STACK.rawValue))
        case .core: Self.limit(__rlimit_resource_t(RLIMIT_CORE.rawValue))
        case .memory: Self.limit(__rlimit_resource_t(RLIMIT_AS.rawValue))
        case .score:
            ((try? String(contentsOfFile: "/proc/self/oom_score_adj", encoding: .utf8)) ?? "-").filter { !$0.isNewline }
        case .workerVariable: Self.variable("MIGRATION_INSPECTOR_WORKER")
        case .hashing: Self.variable("SWIFT_DETERMINISTIC_HASHING")
        case .backtrace: Self.variable("SWIFT_BACKTRACE")
        case .files: Self.files(of: "self")
        }
    }

    /// The targets of a process's descriptors from 3 on, without the numbers of sockets and pipes.
    static func files(of process: String) -> String {
        let folder = "/proc/\(process)/fd"
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
        return numbers.sorted().filter { $0 > 2 }.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }.map { $0.hasPrefix("/") ? $0 : String($0.prefix { $0 != ":" }) }.filter {
            $0 != folder && !$0.hasSuffix("/fd")
        }.joined(separator: "|")
    }

    private static func limit(_ resource: __rlimit_resource_t) -> String {
        var limits = rlimit()
        getrlimit(resource, &limits)
        return limits.rlim_cur == ~0 ? "none" : "\(limits.rlim_cur)"
    }

    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "none" }
}
