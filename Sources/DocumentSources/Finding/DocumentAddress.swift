/// What identifies a ``DocumentReference`` to another process on the same machine.
///
/// Paths are used as they were given, so both processes have to run in the same folder.
package struct DocumentAddress: Sendable, Equatable {
    /// The position in ``DocumentSources/kinds``.
    private let kind: Int
    private let isGiven: Bool
    private let file: FilePath
    /// The part of the name after `#`.
    private let part: String
    /// The number of the line at which the document begins, or nil if its lines don't map to lines of the file.
    private let firstLine: Int?
    /// The byte range of the line in the file when it was found.
    private let extent: Range<Int>?

    /// Creates the address of a document, or nil if the document is known to be unreadable.
    package init?(_ document: DocumentReference) {
        guard let source = document.source,
            let kind = DocumentSources.kinds.firstIndex(where: { $0 == type(of: source) })
        else { return nil }
        self.kind = kind
        (isGiven, file, part) = (document.isGiven, document.file, document.part)
        (firstLine, extent) = (document.firstLine, document.extent)
    }

    /// Returns the document at this address. If it no longer exists, reading it throws an error.
    ///
    /// - Parameter last: Another document whose source is reused if it is in the same file. Pass nil to look at the
    ///   file again and read the document as it is now.
    package func document(behind last: DocumentReference? = nil) -> DocumentReference {
        do throws(SourceError) {
            let kind = DocumentSources.kinds[kind]
            let source: any DocumentSource
            if let last, last.file == file, let same = last.source, type(of: same) == kind {
                source = same
            } else {
                source = try kind.source(at: file)
            }
            var document = DocumentReference(source, part: part, firstLine: firstLine, extent: extent)
            document.isGiven = isGiven
            return document
        } catch {
            return DocumentReference(file, problem: error, isGiven: isGiven)
        }
    }
}

extension DocumentAddress {
    private static let numberCount = 6

    /// The address for another process: six 64-bit numbers, -1 for none, and the path and the part of the file. The
    /// numbers are the kind, whether the document is given, the first line, the start and the end of the extent, and the
    /// length of the path.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.numberCount * MemoryLayout<Int64>.size + file.bytes.count + part.utf8.count)
        for number in [kind, isGiven ? 1 : 0, firstLine, extent?.lowerBound, extent?.upperBound, file.bytes.count] {
            withUnsafeBytes(of: Int64(number ?? -1)) { bytes.append(contentsOf: $0) }
        }
        return bytes + file.bytes + Array(part.utf8)
    }

    /// Reads an address; returns nil if another process wrote something else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        let size = MemoryLayout<Int64>.size
        guard bytes.count >= Self.numberCount * size else { return nil }
        let numbers = (0..<Self.numberCount).map { bytes.loadUnaligned(fromByteOffset: $0 * size, as: Int64.self) }
        let text = bytes[(Self.numberCount * size)...]
        guard numbers.allSatisfy({ $0 >= -1 }), DocumentSources.kinds.indices.contains(Int(numbers[0])),
            numbers[3] <= numbers[4], (numbers[3] < 0) == (numbers[4] < 0), (0...text.count).contains(Int(numbers[5]))
        else { return nil }
        kind = Int(numbers[0])
        isGiven = numbers[1] == 1
        file = FilePath(Array(text.prefix(Int(numbers[5]))))
        part = String(decoding: text.dropFirst(Int(numbers[5])), as: UTF8.self)
        firstLine = numbers[2] < 0 ? nil : Int(numbers[2])
        extent = numbers[3] < 0 ? nil : Int(numbers[3])..<Int(numbers[4])
    }
}
