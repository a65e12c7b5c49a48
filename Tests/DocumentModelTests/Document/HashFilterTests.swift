import Testing

@testable import DocumentModel

@Suite("Hash filters")
struct HashFilterTests {
    @Test("a hash filter knows every hash that it has, and few others", arguments: [0, 1, 3, 1000])
    func knows(count: Int) {
        let hashes = (0..<2 * count + 1000).map { FastHash.mix(UInt64($0), 7) }
        let filter = HashFilter(hashes.prefix(count), count: count)
        #expect(hashes.prefix(count).allSatisfy { filter.mayContain($0) })
        #expect(hashes.dropFirst(count).count { filter.mayContain($0) } <= (count + 1000) / 50)
    }

    @Test("a union of hash filters knows what either of them knew")
    func union() {
        let hashes = (0..<200).map { FastHash.mix(UInt64($0), 11) }
        var first = HashFilter(hashes.prefix(100), count: 200)
        let second = HashFilter(hashes.suffix(100), count: 200)
        first.formUnion(second)
        #expect(hashes.allSatisfy { first.mayContain($0) })
    }
}
