import DocumentModel
import Foundation
import MigrationCore

/// Runs the gzip program with fixed arguments. It gets nothing but the data to pack or unpack.
public enum Gzip {
    /// Returns whether bytes begin like the output of gzip (RFC 1952, section 2.3.1).
    static func begins(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Returns whether a document begins like the output of gzip.
    static func begins(_ bytes: SourceBytes) -> Bool {
        bytes.withBytes(in: 0..<min(2, bytes.count)) { begins($0) }
    }

    private static func start(_ arguments: [FilePath], as file: FilePath) throws(SourceError) -> ChildProgram {
        guard let program = ChildProgram.path(of: "gzip") else { throw SourceError(file, .gzip(.notInstalled)) }
        // gzip takes arguments from the variable GZIP.
        let variables = ChildProgram.environment(without: ["GZIP", "LC_ALL", "LANGUAGE"])
        do throws(SystemFailure) {
            return try ChildProgram(program, arguments, environment: variables + ["LC_ALL=C"])
        } catch {
            throw SourceError(file, .shortage(message: "\(error)"))
        }
    }

    // MARK: - Unpacking

    /// Returns the unpacked content of a stream. A damaged member is included, because the damage only shows at its
    /// end.
    static func unpacking(_ packed: any ByteStream, as file: FilePath) throws(SourceError) -> any ByteStream {
        let child = try start(["-cdq"], as: file)
        let stream = UnpackingStream(child, file)
        try stream.feed(with: packed)
        return stream
    }

    /// Returns the unpacked content of bytes, or of the first of them.
    ///
    /// - Throws: ``SourceError``, with the end of the last intact member if something else follows it.
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

    /// Returns the number of bytes of a packed stream that are intact, and why the rest after them cannot be read. Only
    /// the end of a member shows whether its content is correct.
    ///
    /// - Parameter bytes: Returns the bytes of the stream; called if not all of them are intact.
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` if `isCancelled` returned true.
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

    /// Packs data. The result is always the same for the same data, because it contains no name or time.
    ///
    /// - Parameter file: The path for error messages.
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

/// The output of gzip as it unpacks a stream.
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

    /// Starts a thread that writes a stream to the input of gzip.
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
        // If something that is not packed follows, gzip exits with status 2, a warning (gzip(1)).
        throw SourceError(file, .gzip(.damaged(byteCount: byteCount, message: child.firstComplaint)))
    }
}

extension ChildProgram {
    /// The first error message of gzip, without the names of the program and its input.
    fileprivate var firstComplaint: String {
        let lines = String(decoding: complaint, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("gzip: ") } ?? lines.first ?? ""
        let words = line.split(separator: ": ", omittingEmptySubsequences: false)
        return String(words.last ?? "")
    }
}

/// Writes a stream to the standard input of a program, on a separate thread.
///
/// ## Invariant
/// Only that thread reads `stream`, and `failure` is locked.
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

    /// - Parameter file: The path for error messages.
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
