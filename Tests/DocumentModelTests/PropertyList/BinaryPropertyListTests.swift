import Foundation
import TestSupport
import Testing

@testable import DocumentModel

@Suite("Binary property lists")
struct BinaryPropertyListTests {
    private func binary(_ value: Any) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
    }

    private func parse(_ bytes: [UInt8]) throws -> Document { try Document(parsing: SourceBytes(Data(bytes))) }

    /// Returns a file with the given objects, of which the first is the root.
    ///
    /// - Parameters:
    ///   - sizes: The sizes of an offset and of a reference.
    ///   - gap: The bytes between the table and the trailer.
    ///   - change: Changes the offsets.
    private func file(
        _ objects: [[UInt8]], header: String = "bplist00", sizes: (offset: Int, reference: Int) = (1, 1),
        gap: [UInt8] = [], _ change: (inout [Int]) -> Void = { _ in }
    ) -> [UInt8] {
        var bytes = Array(header.utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object
        }
        let table = bytes.count
        change(&offsets)
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
        }
        bytes += offsets.flatMap { number($0, sizes.offset) } + gap
        return bytes + [0, 0, 0, 0, 0, 0, UInt8(sizes.offset), UInt8(sizes.reference)]
            + number(objects.count, 8) + number(0, 8) + number(table, 8)
    }

    @Test("unusual offsets, sizes and ends are accepted if Foundation accepts them")
    func oddities() throws {
        func dictionary(_ size: Int) -> [UInt8] {
            let zeros = [UInt8](repeating: 0, count: size - 1)
            return [0xD1] + zeros + [1] + zeros + [2]
        }
        let (root, key, value): ([UInt8], [UInt8], [UInt8]) = ([0xD1, 1, 2], [0x51, 0x61], [0x10, 7])
        var files = (1...17).flatMap { size in
            [
                file([root, key, value], sizes: (size, 1)),
                file([dictionary(size), key, value], sizes: (1, size)),
            ]
        }
        for header in ["bplist01", "bplist0x", "bplist10"] { files.append(file([root, key, value], header: header)) }
        files.append(file([root, key, value], gap: [0, 0]))
        // Unreferenced objects: one begins in the table, one in the header, and one is not an object.
        files.append(file([root, key, value, [0x08]]) { $0[3] = 200 })
        files.append(file([root, key, value, [0x08]]) { $0[3] = 0 })
        files.append(file([root, key, value, [0x0F]]))
        // An object that overlaps another, and one in the table.
        files.append(file([root, [0x52, 0x10, 0x07], [0x09]]) { $0[2] = $0[1] + 1 })
        files.append(file([root, key, value]) { $0[2] += 2 })
        // Objects that would continue in the table.
        for object: [UInt8] in [
            [0x13, 0], [0x10], [0x23, 0], [0x33, 0, 0], [0x43, 0x61], [0x53, 0x61], [0x62, 0], [0x81, 3], [0x5F, 0x10],
            [0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0xA2, 1],
        ] {
            files.append(file([root, key, object]))
        }
        // Identifiers of many bytes, and kinds that do not exist.
        for object: [UInt8] in [
            [0x88] + [UInt8](repeating: 0, count: 8) + [3], [0x87] + [UInt8](repeating: 1, count: 8),
            [0x72, 0x61, 0x62],
            [0x15], [0x21, 0, 0], [0x32, 0, 0, 0, 0],
        ] {
            files.append(file([root, key, object]))
        }
        // As many objects as a reference can count, and one less; a table as far as an offset can reach, and one less.
        for count in [252, 253] {
            files.append(file([root, key, value] + Array(repeating: [0x08], count: count), sizes: (2, 1)))
        }
        for count in [239, 240] {
            files.append(file([root, key, [0x4F, 0x10, UInt8(count)] + [UInt8](repeating: 0, count: count)]))
        }
        for bytes in files {
            let isRead = (try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)) != nil
            #expect(((try? parse(bytes)) != nil) == isRead, "\(bytes)")
        }
    }

    @Test("a binary property list keeps all kinds of values")
    func values() throws {
        let document = try parse(
            binary(
                [
                    1, -1, UInt64.max, 1.0, Float(0.5), true, "é😀", String(repeating: "x", count: 300),
                    Date(timeIntervalSinceReferenceDate: 0.25), Data([1, 2, 3]), Double.nan, 70_000, Int64.max,
                ] as [Any]))
        let text = String(repeating: "x", count: 300)
        let expected =
            #"[1,-1,18446744073709551615,1.0,0.5,true,"é😀","\#(text)",{"$date":"2001-01-01T00:00:00.25Z"},"#
            + #"{"$data":"AQID"},{"$real":"nan"},70000,9223372036854775807]"#
        #expect(JSONWriter().string(document.root) == expected)
        #expect(document.format == .plistBinary)
        #expect(document.root.location == nil)
    }

    @Test("an integer of sixteen bytes is read if 64 bits can hold it, with a sign or without one")
    func longIntegers() throws {
        func list(_ high: UInt64, _ low: UInt64) -> [UInt8] {
            file([
                [0x14]
                    + [high, low].flatMap { word in
                        (0..<8).reversed().map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
                    }
            ])
        }
        let minimum = UInt64(bitPattern: .min)
        for (high, low, text) in [
            (0, 0, "0"), (0, .max, "18446744073709551615"), (0, minimum, "9223372036854775808"), (.max, .max, "-1"),
            (.max, minimum, "-9223372036854775808"),
        ] as [(UInt64, UInt64, String)] {
            #expect(try parse(list(high, low)).root.numberText == text)
        }
        for (high, low) in [(.max, minimum - 1), (.max, 0), (1, 0), (.max - 1, .max)] as [(UInt64, UInt64)] {
            let error = try #require(throws: DocumentParseError.self) { try parse(list(high, low)) }
            #expect(error.problem == .binary(.integerBeyond64Bits, offset: 9))
        }
    }

    @Test("parsing a binary property list reports its progress, and can be cancelled")
    func progress() throws {
        // An array that has one value 70,000 times.
        let count = 70_000
        let array: [UInt8] = [0xAF, 0x12, 0, 1, 0x11, 0x70] + [UInt8](repeating: 1, count: count)
        let source = SourceBytes(Data(file([array, [0x09]], sizes: (4, 1))))
        var reports: [Int] = []
        let whole = try Document(parsing: source) {
            reports.append($0)
            return true
        }
        #expect(whole.root.count == count)
        #expect(reports.count == 1 && reports.allSatisfy { (1...source.count).contains($0) })
        #expect(throws: CancellationError.self) { try Document(parsing: source) { _ in false } }
    }

    @Test("a binary property list keeps the order of keys in the file, and duplicates")
    func order() throws {
        let bytes = file([[0xD3, 1, 2, 1, 3, 3, 4], [0x51, 0x7A], [0x51, 0x61], [0x10, 5], [0x80, 7]])
        #expect(try JSONWriter().string(parse(bytes).root) == #"{"z":5,"a":5,"z":{"CF$UID":7}}"#)
    }

    @Test("a binary property list that contains itself, or unfolds without end, is an error")
    func cycles() throws {
        let error = try #require(throws: DocumentParseError.self) { try parse(file([[0xA1, 1], [0xA1, 0]])) }
        #expect(error.problem == .binary(.cycle, offset: 8))
        let bomb = (0..<40).map { [0xAA] + [UInt8](repeating: UInt8($0 + 1), count: 10) } + [[0x09]]
        #expect(throws: DocumentParseError.self) { try parse(file(bomb.prefix(15) + [[0x09]])) }
    }

    @Test("a binary property list that is nested too deeply is an error")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var offsets: [UInt8] = []
            for index in 1...depth {
                offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
                bytes += index == depth ? [0xA0] : [0xA1, UInt8(index >> 8), UInt8(index & 0xFF)]
            }
            let table = bytes.count
            return bytes + offsets + [0, 0, 0, 0, 0, 0, 2, 2] + [
                0, 0, 0, 0, 0, 0, UInt8(depth >> 8), UInt8(depth & 0xFF),
            ]
                + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 0xFF)]
        }
        #expect(try parse(nested(Document.deepestNesting)).nodeCount == Document.deepestNesting)
        #expect(throws: DocumentParseError.self) { try parse(nested(Document.deepestNesting + 1)) }
        #expect(throws: DocumentParseError.self) { try parse(nested(16_000)) }
    }

    @Test("a damaged binary property list is an error or another document, never a crash")
    func mutations() throws {
        var generator = SeededGenerator(seed: 1)
        var outcomes = MutationOutcomes()
        let original = try binary(
            [
                "a": 1, "b": [1.5, true, "x", "é", Date(timeIntervalSince1970: 1e9), Data([1, 2, 3])] as [Any],
                "c": ["d": UInt64.max, "e": "f"] as [String: Any], "z": String(repeating: "q", count: 40),
            ] as [String: Any])
        for length in 0..<original.count {
            #expect(throws: DocumentParseError.self) {
                try parse(Array("bplist".utf8) + original.prefix(length).dropFirst(6))
            }
        }
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0...Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 6..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            try outcomes.expectErrorOrDocument(Data(bytes))
        }
        #expect(outcomes.errors > 1000 && outcomes.documents > 1000)
    }
}
