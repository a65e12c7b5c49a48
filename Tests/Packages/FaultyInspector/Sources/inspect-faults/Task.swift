import Foundation
import MigrationInspector

/// The fault that a document asks for.
enum Fault: String, Codable {
    case none, fatalError, index, overflow, precondition, unwrap, recursion, loop, sleep, exit, abort, memory, megabyte
    case folder, signal, quiet, garble, environment
}

struct TaskV1: VersionedCodable, Codable {
    static let version: Int? = 1
    typealias PreviousVersion = NothingEarlier

    var name: String
    var fault: Fault
    /// The fault to cause while the document is decoded.
    var decoding: Fault?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        fault = try container.decode(Fault.self, forKey: .fault)
        decoding = try container.decodeIfPresent(Fault.self, forKey: .decoding)
        if let decoding { happen(decoding, name) }
    }
}

struct TaskV2: VersionedCodable {
    static let version: Int? = 2
    typealias PreviousVersion = TaskV1

    var title: String
    var fault: Fault

    init(from old: TaskV1) throws {
        title = old.name
        fault = old.fault
        noteStep()
    }
}

struct Task: VersionedCodable {
    static let version: Int? = 3
    typealias PreviousVersion = TaskV2

    var title: String
    var words: [String]

    init(from old: TaskV2) throws {
        title = old.title
        words = old.title.split(separator: " ").map(String.init)
        happen(old.fault, old.title)
    }
}

/// A counter, because the optimizer may assume that a loop without side effects ends.
nonisolated(unsafe) var turns = 0

/// Hides a value from the optimizer.
@inline(never)
func opaque<Value>(_ value: Value) -> Value { value }

@inline(never)
func recurse(_ depth: Int) -> Int { depth < 0 ? 0 : recurse(opaque(depth + 1)) + opaque(1) }

@inline(never)
func happen(_ fault: Fault, _ text: String) {
    switch fault {
    case .none: break
    case .fatalError: Swift.fatalError("unknown workout type \(text)")
    case .index: print(opaque([1, 2, 3])[opaque(7)])
    case .overflow: print(opaque(Int.max) + opaque(1))
    case .precondition: Swift.precondition(opaque(false), "a title has no commas")
    case .unwrap: print(opaque(Int?.none)!)
    case .recursion: print(recurse(opaque(0)))
    case .loop: while opaque(true) { turns &+= 1 }
    case .sleep: Thread.sleep(forTimeInterval: 3600)
    case .exit: Foundation.exit(3)
    case .abort: Foundation.abort()
    case .memory:
        var kept: [[UInt8]] = []
        while opaque(true) { kept.append([UInt8](repeating: 1, count: 64 << 20)) }
        print(kept.count)
    case .megabyte:
        for _ in 0..<16_384 { print(String(repeating: "x", count: 63)) }
    case .folder: _ = FileManager.default.changeCurrentDirectoryPath("/")
    case .signal: kill(getpid(), SIGTERM)
    case .garble: for descriptor in Int32(3)..<300 { _ = write(descriptor, "garbled", 7) }
    case .environment: print("\(getenv("FAULTY_BYTES").map { strlen($0) } ?? 0) bytes")
    case .quiet:
        signal(SIGSEGV, SIG_DFL)
        UnsafeMutablePointer<Int>(bitPattern: opaque(8))!.pointee = 1
    }
}
