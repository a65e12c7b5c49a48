import Testing

@testable import MigrationCore

@Suite("The ends of a range of numbers")
struct NumberRangeTests {
    /// Tries numbers until the ends are known.
    private func range(
        of original: Int, knowing first: [Int], passing passes: (Int) -> Bool
    ) -> (tried: [Int: Bool], count: Int) {
        var tried = Dictionary(uniqueKeysWithValues: first.map { ($0, passes($0)) })
        var count = 0
        while let next = NumberRange(original: original, tried: tried).next, count < 200 {
            #expect(tried[next] == nil)
            tried[next] = passes(next)
            count += 1
        }
        return (tried, count)
    }

    @Test("both ends of a range are found, and a short range is tried completely")
    func short() {
        let (tried, count) = range(of: 9, knowing: [0, 1, -1, 2, 10, 100]) { (0...5).contains($0) }
        #expect(tried.filter(\.value).keys.sorted() == [0, 1, 2, 3, 4, 5])
        #expect(tried[6] == false && tried[-1] == false && count < 10)
    }

    @Test("a distant end of a range is found by halving", arguments: [-1_000_000, 1_000_000])
    func long(original: Int) {
        let (tried, count) = range(of: original, knowing: [0, 1, -1, 100]) { (-777...12345).contains($0) }
        #expect(tried[original < 0 ? -777 : 12345] == true && tried[original < 0 ? -778 : 12346] == false)
        #expect(count < 60)
    }

    @Test("the end of a range is found even if its distance does not fit in an Int", arguments: [Int.min, Int.max])
    func farApart(original: Int) {
        let (tried, count) = range(of: original, knowing: [0, 1, -1, 100]) { (-777...12345).contains($0) }
        #expect(tried[original < 0 ? -777 : 12345] == true && tried[original < 0 ? -778 : 12346] == false)
        #expect(count < 150)
    }

    @Test("the end of a range is not searched for if no number passes, or none fails on that side")
    func none() {
        #expect(range(of: 9, knowing: [0, 1]) { _ in false }.count == 0)
        let (tried, _) = range(of: -5, knowing: [0, 1, 10, 100, -10]) { $0 >= 0 }
        #expect(tried[0] == true && tried[-1] == false && tried.keys.max() == 100)
    }
}
