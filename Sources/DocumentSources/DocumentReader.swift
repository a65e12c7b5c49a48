import DocumentModel
import Foundation

/// Reads the bytes of documents: of files, of their lines, of the cells of stores, and of standard input.
///
///     let bytes = try DocumentReader().read(reference)
///     let document = try Document(parsing: bytes)
///
/// The source locations of a line of a JSON Lines file count within the line: line 1, column 1 is its first character.
public struct DocumentReader: Sendable {
    private let standardInput: StandardInput

    /// A reader. All readers share one standard input, which is read once and kept.
    public init() { self.init(standardInput: .shared) }

    init(standardInput: StandardInput) { self.standardInput = standardInput }

    /// How many bytes are read between two calls of `progress`.
    private static let chunkLength = 1 << 20

    /// Reads the bytes of one document. Files that are no regular files are never opened.
    ///
    /// - Parameters:
    ///   - progress: Called now and then with the number of bytes read and, where it is known, of those to read.
    ///   - isCancelled: Asked now and then; when it returns true, reading stops.
    /// - Throws: ``SourceError``, with the reason ``SourceError/Reason/cancelled`` when `isCancelled` returned true.
    public func read(
        _ reference: DocumentReference, progress: ((_ bytesRead: Int, _ total: Int?) -> Void)? = nil,
        isCancelled: () -> Bool = { false }
    ) throws(SourceError) -> SourceBytes {
        if reference.isStandardInput {
            let bytes = try standardInput.read(progress: progress, isCancelled: isCancelled)
            guard DocumentFile(head: bytes) != .store else {
                throw SourceError(source: reference.name, reason: .store(.wholeStore))
            }
            return bytes
        }
        do throws(SourceError) {
            if case .cell = reference.part { return try DocumentStore(path: reference.file).read(reference) }
            guard !OpenStores.shared.contains(reference.file) else {
                throw SourceError(source: reference.name, reason: .store(.wholeStore))
            }
            let file = try OpenFile(path: reference.file)
            if reference.part == .whole, let problem = try DocumentFile.storeProblem(of: file, path: reference.file) {
                throw SourceError(source: reference.name, reason: .store(problem))
            }
            let range =
                switch reference.part {
                case .whole, .cell: 0..<file.status.byteCount
                case .line(let number):
                    try Self.extent(of: number, in: file, as: reference, isCancelled: isCancelled)
                }
            let bytes = try Self.read(range, of: file, as: reference, progress: progress, isCancelled: isCancelled)
            guard reference.part == .whole, bytes.count == range.count else { return bytes }
            return try Self.readGrowth(behind: bytes, of: file, as: reference, isCancelled: isCancelled)
        } catch {
            throw SourceError(source: reference.name, reason: error.reason)
        }
    }

    /// How many documents a JSON Lines file holds, and the first of them; nil for what is no JSON Lines file, cannot be read as one or holds
    /// none.
    public func lines(of reference: DocumentReference) -> (first: DocumentReference, count: Int)? {
        guard reference.part == .whole, DocumentFile(name: reference.file) == .lines,
            let file = try? OpenFile(path: reference.file)
        else { return nil }
        var first: Int?
        var count = 0
        let lineCount = try? DocumentLines.forEach(in: file, path: reference.file) { number, _ in
            first = first ?? number
            count += 1
            return true
        }
        guard lineCount != nil, let first else { return nil }
        return (DocumentReference(file: reference.file, part: .line(first)), count)
    }

    private static func read(
        _ range: Range<Int>, of file: borrowing OpenFile, as reference: DocumentReference,
        progress: ((Int, Int?) -> Void)?, isCancelled: () -> Bool
    ) throws(SourceError) -> SourceBytes {
        guard range.count < Document.largestSourceLength else {
            throw SourceError(source: reference.name, reason: .tooLarge(byteCount: range.count))
        }
        var failure: SourceError?
        let bytes = SourceBytes(capacity: range.count) { memory in
            var count = 0
            while count < memory.count {
                if isCancelled() {
                    failure = SourceError(source: reference.name, reason: .cancelled)
                    break
                }
                let chunk = memory[count..<min(count + chunkLength, memory.count)]
                let length = file.read(into: .init(rebasing: chunk), at: range.lowerBound + count)
                if length < 0 { failure = SourceError(source: reference.name, errno: errno) }
                guard length > 0 else { break }
                count += length
                progress?(count, range.count)
            }
            return count
        }
        if let failure { throw failure }
        return bytes
    }

    /// The whole of a file that has more bytes than its size said: one that is being written to, or one of a file system that makes its
    /// files up as they are read (/proc says 0).
    private static func readGrowth(
        behind bytes: SourceBytes, of file: borrowing OpenFile, as reference: DocumentReference, isCancelled: () -> Bool
    ) throws(SourceError) -> SourceBytes {
        var buffer = GrowingBuffer()
        while true {
            if isCancelled() { throw SourceError(source: reference.name, reason: .cancelled) }
            let offset = bytes.count + buffer.count
            let length = buffer.append { file.read(into: $0, at: offset) }
            guard length >= 0 else { throw SourceError(source: reference.name, errno: errno) }
            let total = bytes.count + buffer.count
            guard total < Document.largestSourceLength else {
                throw SourceError(source: reference.name, reason: .tooLarge(byteCount: total))
            }
            if length == 0 { break }
        }
        return buffer.count == 0 ? bytes : buffer.bytes(behind: bytes)
    }

    // MARK: - Lines

    /// Where a line stands: where it was found, if it still is a line there, else counted from the beginning of the file.
    private static func extent(
        of number: Int, in file: borrowing OpenFile, as reference: DocumentReference, isCancelled: () -> Bool
    ) throws(SourceError) -> Range<Int> {
        if let extent = reference.extent, isLine(extent, in: file) { return extent }
        var result: Range<Int>?
        let lineCount = try DocumentLines.forEach(in: file, path: reference.file, isCancelled: isCancelled) {
            if $0 == number { result = $1 }
            return $0 != number
        }
        guard let result else { throw SourceError(source: reference.name, reason: .noSuchLine(lineCount: lineCount)) }
        return result
    }

    private static func isLine(_ extent: Range<Int>, in file: borrowing OpenFile) -> Bool {
        let isEnd = extent.upperBound == file.status.byteCount || byte(at: extent.upperBound, of: file) == 0x0A
        return isEnd && (extent.lowerBound <= 3 || byte(at: extent.lowerBound - 1, of: file) == 0x0A)
    }

    private static func byte(at offset: Int, of file: borrowing OpenFile) -> UInt8? {
        var byte: UInt8 = 0
        let length = withUnsafeMutableBytes(of: &byte) { file.read(into: $0, at: offset) }
        return length == 1 ? byte : nil
    }
}
