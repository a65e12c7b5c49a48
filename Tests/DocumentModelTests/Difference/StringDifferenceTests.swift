import DocumentModel
import Testing

@Suite("The changed words of a string")
struct StringDifferenceTests {
    /// Both sides with the changed parts in brackets.
    private func marks(_ old: String, _ new: String) -> [String] {
        let difference = StringDifference(old, new)
        return [difference.oldSegments, difference.newSegments].map { segments in
            segments.map { $0.isChanged ? "[\($0.text)]" : String($0.text) }.joined()
        }
    }

    @Test("only the words that changed are marked")
    func words() {
        #expect(
            marks("An epicure dining at Crewe", "An epicure, dining in Crewe")
                == ["An epicure dining [at] Crewe", "An epicure[,] dining [in] Crewe"])
        #expect(marks("Star rating 9", "Star rating 10") == ["Star rating [9]", "Star rating [10]"])
    }

    @Test("neighbouring changed words are one mark, the space between them included")
    func spaces() {
        #expect(
            marks("found quite a large mouse in his stew", "found quite one small rat in his stew")
                == ["found quite [a large mouse] in his stew", "found quite [one small rat] in his stew"])
    }

    @Test("strings with hardly anything in common are changed as wholes")
    func different() {
        #expect(
            marks("An epicure dining at Crewe", "Said the waiter, don't shout at")
                == ["[An epicure dining at Crewe]", "[Said the waiter, don't shout at]"])
        #expect(marks("", "new") == ["", "[new]"])
        #expect(marks("same", "same") == ["same", "same"])
    }

    @Test("scripts without spaces go by characters, and characters are never torn apart")
    func scripts() {
        #expect(marks("東京都の天気", "京都の天気予報") == ["[東]京都の天気", "京都の天気[予報]"])
        #expect(marks("x 👩‍👧 y z", "x 👩‍👦 y z") == ["x [👩‍👧] y z", "x [👩‍👦] y z"])
        #expect(marks("word caf\u{E9} end", "word cafe\u{301} end") == ["word [café] end", "word [cafe\u{301}] end"])
    }

    @Test("one word in a long string is found; where everything differs, all of it is marked, at once")
    func longStrings() {
        let text = String(repeating: "lorem ipsum dolor ", count: 20_000)
        let difference = StringDifference(text + "old" + " " + text, text + "new" + " " + text)
        #expect(difference.newSegments.filter(\.isChanged).map(\.text) == ["new"])
        // What repeats itself is shared at the beginning as well as at the end.
        let longer = StringDifference(text, text + "lorem ipsum dolor ")
        #expect(longer.newSegments.filter(\.isChanged).map(\.text) == ["lorem ipsum dolor "])
        #expect(longer.oldSegments.map(\.text) == [text[...]])
        let other = String(repeating: "amet consectetur ", count: 20_000)
        #expect(StringDifference(text, other).oldSegments.count == 1)
    }
}
