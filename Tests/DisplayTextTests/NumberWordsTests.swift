import Testing

@testable import DisplayText

@Suite("Numbers in words")
struct NumberWordsTests {
    @Test(
        "counts have a comma before every three digits",
        arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_002_030, "1,002,030"), (-1204, "-1,204")])
    func grouped(number: Int, words: String) {
        #expect(NumberWords.grouped(number) == words)
    }

    @Test(
        "times have the unit that leaves the fewest digits",
        arguments: [
            (0.000087, "87 µs"), (0.0000994, "99 µs"), (0.0000996, "0.10 ms"), (0.000123, "0.12 ms"),
            (0.0099, "9.90 ms"), (0.00996, "10 ms"), (0.994, "994 ms"), (0.996, "1.0 s"), (3.4, "3.4 s"),
            (.infinity, ""),
        ])
    func seconds(seconds: Double, words: String) {
        #expect(NumberWords.seconds(seconds) == words)
    }
}
