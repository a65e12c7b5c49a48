import DocumentModel
import Foundation
import MigrationCore

/// The gzip program, which is run with fixed arguments, and with nothing but what it is to pack or unpack.
public enum Gzip {
    /// Whether bytes begin as gzip writes them (RFC 1952, section 2.3.1).
    static func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Whether a document begins so.
    static func begins(_ bytes: SourceBytes) -> Bool {
        bytes.withBytes(in: 0..<min(2, bytes.count)) { begins($0) }
    }

    private static func start(_ arguments: [FilePath], as file: FilePath) throws(SourceError) -> ChildProgram {
        guard let program = ChildProgram.path(of: "gzip") else { throw SourceError(file, .gzip(.notInstalled)) }
        // It would take arguments from GZIP.
        let variables = ChildProgram.environment(without: ["GZIP", "LC_ALL", "LANGUAGE"])
        do throws(SystemFailure) {
            return try ChildProgram(program, arguments, environment: variables + ["LC_ALL=C"])
        } catch {
            throw SourceError(file, .shortage(message: "\(error)"))
        }
    }

    // MARK: - Unpacking

    /// What a stream holds, also that of a member of which the end shows that it is damaged.
    static func unpacking(_ packed: any ByteStream, as file: FilePath) throws(SourceError) -> any ByteStream {
        let child = try start(["-cdq"], as: file)
        let stream = UnpackingStream(child, file)
        try stream.feed(with: packed)
        return stream
    }

    /// What bytes hold, or the first of them.
    ///
    /// - Throws: ``SourceError``, with the end of the last good member where something else follows it.
    static func unpack(
        _ packed: SourceBytes, first count: Int? = nil, as file: FilePath, _ reading: DocumentReading
    ) throws(SourceError) -> SourceBytes {
        do throws(SourceError) {
            let stream = ResumedStream(packed, first: count ?? .max, then: nil)
            return try unpacking(stream, as: file).all(as: file, reading)
        } catch {
            if count != nil { throw error }
            throw try GzipMembers(packed, of: file, isCancelled: reading.isCancelled).located(error)
        }
    }

    /// How many bytes of a packed stream can be relied on, and why what follows them cannot. Only the end of a member shows
    /// whether what is unpacked of it is what was packed.
    ///
    /// - Parameter bytes: The bytes of the stream; asked for if not all of them can be relied on.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when `isCancelled` returned true.
    static func goodPart(
        of packed: any ByteStream, as file: FilePath, isCancelled: @escaping () -> Bool,
        bytes: () throws(SourceError) -> SourceBytes
    ) throws(SourceError) -> (byteCount: Int, problem: SourceError?) {
        do throws(SourceError) {
            try unpacking(packed, as: file).skip(as: file, isCancelled: isCancelled)
            return (.max, nil)
        } catch {
            guard case .gzip(.damaged) = error.reason else { throw error }
            let error = try GzipMembers(try bytes(), of: file, isCancelled: isCancelled).located(error)
            if case .gzip(.followed(let end, _)) = error.reason { return (end, error) }
            return (0, error)
        }
    }

    // MARK: - Packing

    /// Packs data: the same always in the same way, without a name or a time.
    ///
    /// - Parameter file: What to name in an error.
    /// - Throws: ``SourceError``.
    public static func pack(_ data: Data, as file: FilePath) throws(SourceError) -> Data {
        let child = try start(["-cnq"], as: file)
        let feeder = Feeder(child.inputWriter, ResumedStream(SourceBytes(data), then: nil))
        try feeder.start(as: file)
        let (output, status) = child.finish(endsInput: false)
        guard status == 0 else { throw SourceError(file, .gzip(.failed(message: child.firstComplaint))) }
        return Data(output)
    }
}

/// What gzip unpacks.
private final class UnpackingStream: ByteStream {
    private let child: ChildProgram
    private let file: FilePath
    private var feeder: Feeder?
    private var byteCount = 0
    var isUnpacked: Bool { true }

    init(_ child: ChildProgram, _ file: FilePath) {
        self.child = child
        self.file = file
    }

    /// Has gzip read from a stream, on a thread of its own.
    func feed(with packed: any ByteStream) throws(SourceError) {
        let feeder = Feeder(child.inputWriter, packed)
        self.feeder = feeder
        try feeder.start(as: file)
    }

    func read(into memory: UnsafeMutableRawBufferPointer, patience: Int32) throws(SourceError) -> Int? {
        guard let length = child.read(into: memory, patience: patience) else { return nil }
        byteCount += length
        if length > 0 { return length }
        let status = child.finish(endsInput: false).status
        if let error = feeder?.error { throw error }
        if status == 0 { return 0 }
        // It ends with 2 where something that is not packed follows, and calls that a warning (gzip(1)).
        throw SourceError(file, .gzip(.damaged(byteCount: byteCount, message: child.firstComplaint)))
    }
}

extension ChildProgram {
    /// What gzip says first went wrong, without its own name and that of its input.
    fileprivate var firstComplaint: String {
        let lines = String(decoding: complaint, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("gzip: ") } ?? lines.first ?? ""
        let words = line.split(separator: ": ", omittingEmptySubsequences: false)
        return String(words.last ?? "")
    }
}

/// Writes a stream to the standard input of a program, on a thread of its own.
///
/// ## Invariant
/// `stream` is read by that thread alone, and `failure` is locked.
private final class Feeder: @unchecked Sendable {
    private let writer: ChildProgram.InputWriter
    private let stream: any ByteStream
    private let failure = Locked<SourceError?>(nil)

    init(_ writer: ChildProgram.InputWriter, _ stream: any ByteStream) {
        self.writer = writer
        self.stream = stream
    }

    /// Why the stream could not be read to its end.
    var error: SourceError? { failure.withLock { $0 } }

    /// - Parameter file: What to name in an error.
    func start(as file: FilePath) throws(SourceError) {
        do throws(SystemFailure) {
            try WorkThread.start(name: "gzip", stackSize: 256 << 10) { [self] in write() }
        } catch {
            throw SourceError(file, .shortage(message: "\(error)"))
        }
    }

    private func write() {
        var memory = [UInt8](repeating: 0, count: 1 << 16)
        do throws(SourceError) {
            while true {
                var length: Int?
                var problem: SourceError?
                memory.withUnsafeMutableBytes { bytes in
                    do throws(SourceError) { length = try stream.read(into: bytes, patience: 1000) } catch {
                        problem = error
                    }
                }
                if let problem { throw problem }
                guard let length else {
                    if writer.isUnwanted { break }
                    continue
                }
                guard length > 0, writer.write(memory[..<length]) else { break }
            }
        } catch {
            failure.withLock { $0 = error }
        }
        writer.end()
    }
}
