import Foundation

/// A note from a process that tries inputs to its parent: shared memory that outlasts a crash.
struct Note {
    private let memory: UnsafeMutableRawPointer
    private var words: UnsafeMutablePointer<UInt64> { memory.assumingMemoryBound(to: UInt64.self) }
    private static let variable = "FUZZING_NOTE"
    /// The size of the area for numbers, which the input follows.
    private static let beginning = 4096
    /// The longest input that is kept.
    private static let longestInput = 16 << 20

    /// The seed of the input that is being tried.
    var seed: UInt64 {
        get { words[0] }
        nonmutating set { words[0] = newValue }
    }

    /// The input that is being tried.
    var input: [UInt8] {
        get { Array(UnsafeRawBufferPointer(start: memory + Self.beginning, count: Int(words[4]))) }
        nonmutating set {
            let count = newValue.count <= Self.longestInput ? newValue.count : 0
            words[4] = UInt64(count)
            (memory + Self.beginning).copyMemory(from: newValue, byteCount: count)
        }
    }

    /// The number of inputs that got this far.
    subscript(_ depth: Depth) -> Int {
        get { Int(words[1 + depth.rawValue]) }
        nonmutating set { words[1 + depth.rawValue] = UInt64(newValue) }
    }

    /// The number of inputs that were tried.
    var count: Int { self[.refused] + self[.parsed] + self[.reached] }

    /// Makes a note in a new file.
    init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        let size = Self.beginning + Self.longestInput
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw Broken(description: "\(path): cannot be written") }
        memory.bindMemory(to: UInt64.self, capacity: Self.beginning / MemoryLayout<UInt64>.stride)
        self.memory = memory
    }

    /// The note of the parent process, or `nil` if a user started this process.
    static var ofParent: Note? {
        get throws { try ProcessInfo.processInfo.environment[variable].map { try Note(path: $0) } }
    }

    /// Returns the environment of a process that writes this file, with its other temporary files in `folder`. Sets and
    /// dictionaries have the same order in every run, and crashes have no backtrace unless the user enables it.
    static func environment(path: String, folder: String) -> [String: String] {
        ["SWIFT_BACKTRACE": "enable=no"].merging(ProcessInfo.processInfo.environment) { $1 }
            .merging([variable: path, "TMPDIR": folder, "SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 }
    }
}
