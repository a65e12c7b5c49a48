import DocumentModel
import TestSupport
import Testing

@Suite("The changed words of a string")
struct StringDifferenceTests {
    /// Returns both sides with the changed parts in brackets.
    private func marks(_ old: String, _ new: String) -> [String] {
        let difference = StringDifference(old, new)
        return [difference.oldSegments, difference.newSegments].map { segments in
            segments.map { $0.isChanged ? "[\($0.text)]" : String($0.text) }.joined()
        }
    }

    @Test("words that changed are marked, and no others")
    func words() {
        #expect(
            marks("An epicure dining at Crewe", "An epicure, dining in Crewe")
                == ["An epicure dining [at] Crewe", "An epicure[,] dining [in] Crewe"])
        #expect(marks("Star rating 9", "Star rating 10") == ["Star rating [9]", "Star rating [10]"])
    }

    @Test("adjacent changed words are one mark, including the space between them")
    func spaces() {
        #expect(
            marks("found quite a large mouse in his stew", "found quite one small rat in his stew")
                == ["found quite [a large mouse] in his stew", "found quite [one small rat] in his stew"])
    }

    @Test("strings with hardly anything in common are changed as a whole")
    func different() {
        #expect(
            marks("An epicure dining at Crewe", "Said the waiter, don't shout at")
                == ["[An epicure dining at Crewe]", "[Said the waiter, don't shout at]"])
        #expect(marks("", "new") == ["", "[new]"])
        #expect(marks("same", "same") == ["same", "same"])
    }

    @Test("scripts without spaces are compared by character, and characters are never split")
    func scripts() {
        #expect(marks("東京都の天気", "京都の天気予報") == ["[東]京都の天気", "京都の天気[予報]"])
        #expect(marks("x 👩‍👧 y z", "x 👩‍👦 y z") == ["x [👩‍👧] y z", "x [👩‍👦] y z"])
        #expect(marks("word caf\u{E9} end", "word cafe\u{301} end") == ["word [café] end", "word [cafe\u{301}] end"])
    }

    @Test("one changed word in a long string is found, and completely different strings are marked as a whole, at once")
    func longStrings() {
        let text = String(repeating: "lorem ipsum dolor ", count: 20_000)
        let difference = StringDifference(text + "old" + " " + text, text + "new" + " " + text)
        #expect(difference.newSegments.filter(\.isChanged).map(\.text) == ["new"])
        // Repeated text is in common at the beginning as well as at the end.
        let longer = StringDifference(text, text + "lorem ipsum dolor ")
        #expect(longer.newSegments.filter(\.isChanged).map(\.text) == ["lorem ipsum dolor "])
        #expect(longer.oldSegments.map(\.text) == [text[...]])
        let other = String(repeating: "amet consectetur ", count: 20_000)
        #expect(StringDifference(text, other).oldSegments.count == 1)
    }

    @Test(
        "the segments of a side are the string, marked and unmarked in turn, and unmarked text is the same on both sides"
    )
    func laws() {
        var generator = SeededGenerator(seed: 6)
        let words = ["a", "at", "Crewe", "dining", "日", "本", ",", ".", " ", "  ", "\n", "e\u{301}", "👩‍👧", "x_1", "9"]
        for _ in 0..<1500 {
            let old = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                words.randomElement(using: &generator) ?? ""
            }
            var new = old
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let place = Int.random(in: 0...new.count, using: &generator)
                if place < new.count, generator.chance(50) { new.remove(at: place) }
                if generator.chance(50), place <= new.count {
                    new.insert(words.randomElement(using: &generator) ?? "", at: place)
                }
            }
            let (oldText, newText) = (old.joined(), new.joined())
            let difference = StringDifference(oldText, newText)
            for (text, segments) in [(oldText, difference.oldSegments), (newText, difference.newSegments)] {
                #expect(segments.map(\.text).joined().utf8.elementsEqual(text.utf8))
                #expect(zip(segments, segments.dropFirst()).allSatisfy { $0.isChanged != $1.isChanged })
                #expect(segments.allSatisfy { !$0.text.isEmpty })
            }
            func same(_ segments: [StringDifference.Segment]) -> String {
                segments.filter { !$0.isChanged }.map(\.text).joined()
            }
            #expect(same(difference.oldSegments).utf8.elementsEqual(same(difference.newSegments).utf8))
            let isSame = oldText.utf8.elementsEqual(newText.utf8)
            #expect((difference.oldSegments + difference.newSegments).contains(where: \.isChanged) != isSame)
        }
    }

    @Test("words include digits and underscores, and every other character counts by itself")
    func tokens() {
        #expect(marks("unit_price2 is 9", "unit_price3 is 9") == ["[unit_price2] is 9", "[unit_price3] is 9"])
        #expect(marks("(x + y) * 2", "(x - y) * 2") == ["(x [+] y) * 2", "(x [-] y) * 2"])
        #expect(marks("wait...", "wait....") == ["wait...", "wait...[.]"])
        #expect(marks("서울 날씨 맑음", "서울 날씨 흐림") == ["서울 날씨 [맑음]", "서울 날씨 [흐림]"])
        #expect(marks("a  b", "a b") == ["a[  ]b", "a[ ]b"])
    }

    @Test("a fifth of the longer string in common, not counting spaces, is enough to mark single words")
    func share() {
        #expect(marks("aa bbbb cccc", "aa dddd eeee") == ["aa [bbbb cccc]", "aa [dddd eeee]"])
        #expect(marks("aa bbbb ccccc", "aa dddd eeee") == ["[aa bbbb ccccc]", "[aa dddd eeee]"])
        #expect(marks("aa dddd eeee", "aa bbbb ccccc") == ["[aa dddd eeee]", "[aa bbbb ccccc]"])
    }

    @Test("a space stays unmarked at the ends, and next to a word that is the same on both sides")
    func spacesAtEnds() {
        #expect(marks(" old, same ", " new, same ") == [" [old], same ", " [new], same "])
        #expect(marks("same old", "same new") == ["same [old]", "same [new]"])
        #expect(marks("one two three", "one two four five") == ["one two [three]", "one two [four five]"])
    }
}
