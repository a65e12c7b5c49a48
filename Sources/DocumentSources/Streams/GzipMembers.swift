import DocumentModel
import MigrationCore

/// Where the good part of what gzip has packed ends: gzip says that something is wrong behind it, and not where.
///
/// Packed bytes are a sequence of members (RFC 1952, section 2.2). The gzip program tests beginnings of them: one that
/// ends with a member is good, one that ends inside a member is cut short, and one that has something else behind its
/// last member makes it warn. It tests up to a hundred of them; only of damaged bytes.
struct GzipMembers {
    private let bytes: SourceBytes
    private let file: FilePath
    private let isCancelled: () -> Bool

    /// - Parameters:
    ///   - file: What to name in an error.
    ///   - isCancelled: Asked now and then; when it returns true, testing ends.
    init(_ bytes: SourceBytes, of file: FilePath, isCancelled: @escaping () -> Bool) {
        self.bytes = bytes
        self.file = file
        self.isCancelled = isCancelled
    }

    /// The same error, with where the last good member ends if something else follows it.
    ///
    /// - Throws: ``SourceError``, with the reason ``SourceProblem/cancelled`` when `isCancelled` returned true.
    func located(_ error: SourceError) throws(SourceError) -> SourceError {
        guard case .gzip(let problem) = error.reason, let byteCount = problem.byteCount, let end = try goodEnd() else {
            return error
        }
        return SourceError(file, .gzip(.followed(offset: end, byteCount: byteCount)))
    }

    /// How many places are tried at which a member may begin: damaged bytes can be full of them.
    private static let mostStarts = 32

    /// The number of bytes up to the end of the last good member, and of zeros behind it; nil if no member is good, or if
    /// its end was not found.
    private func goodEnd() throws(SourceError) -> Int? {
        switch try test(bytes.count) {
        case .good: return bytes.count
        case .followed: return try endBeforeOtherBytes()
        case .damaged:
            // A few bytes behind the last member look like the beginning of another.
            for end in (1...3).map({ bytes.count - $0 }) where end > 0 {
                if try test(end) == .good { return end }
            }
            let starts = memberStarts.suffix(Self.mostStarts) + otherStarts.suffix(Self.mostStarts)
            for start in starts.sorted(by: >) where try test(start) == .good { return start }
            return nil
        }
    }

    private func endBeforeOtherBytes() throws(SourceError) -> Int? {
        var (inside, outside, step) = (bytes.count - 1, bytes.count, 1)
        while inside > 0, try test(inside) == .followed {
            step *= 2
            (inside, outside) = (max(0, inside - step), inside)
        }
        while outside - inside > 1 {
            let middle = (inside + outside) / 2
            if try test(middle) == .followed { outside = middle } else { inside = middle }
        }
        // gzip takes two bytes to see that they begin no member, or one behind zeros.
        for end in [outside - 1, outside - 2] where end > 0 {
            if try test(end) == .good { return end }
        }
        return nil
    }

    /// Where bytes stand with which a member begins: the magic number, the one method, and no flag that is unknown.
    private var memberStarts: [Int] {
        bytes.withBytes(in: 0..<bytes.count) { bytes in
            bytes.indices.dropLast(3).filter {
                $0 > 0 && bytes[$0] == 0x1F && bytes[$0 + 1] == 0x8B && bytes[$0 + 2] == 8 && bytes[$0 + 3] & 0xE0 == 0
            }
        }
    }

    /// Where bytes stand that gzip takes for the beginning of something packed, and that begin no member of today's: those
    /// of other methods and flags, and of older programs (compress, pack, lzh).
    private var otherStarts: [Int] {
        let members = Set(memberStarts)
        return bytes.withBytes(in: 0..<bytes.count) { bytes in
            bytes.indices.dropLast().filter {
                $0 > 0 && bytes[$0] == 0x1F && [0x8B, 0x9D, 0x9E, 0x1E, 0xA0].contains(bytes[$0 + 1])
                    && !members.contains($0)
            }
        }
    }

    private func test(_ length: Int) throws(SourceError) -> Gzip.Verdict {
        try Gzip.test(ResumedStream(bytes, first: length, then: nil), as: file, isCancelled: isCancelled)
    }
}
