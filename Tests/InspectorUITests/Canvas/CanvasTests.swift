import DisplayText
import Testing

@testable import InspectorUI

@Suite("Canvas")
struct CanvasTests {
    private func canvas(_ width: Int, _ height: Int, glyphs: Glyphs = .unicode) -> Canvas {
        Canvas(width: width, height: height, glyphs: glyphs)
    }

    @Test("text is clipped at the canvas and at its maximum width, and drawing returns the columns used")
    func clipping() {
        var canvas = canvas(8, 2)
        #expect(canvas.draw("abcdef", x: 1, y: 0, maxWidth: 3) == 3)
        #expect(canvas.draw("abcdef", x: 5, y: 1) == 3)
        #expect(canvas.draw("nowhere", x: 0, y: 2) == 0)
        #expect(canvas.draw("nowhere", x: 0, y: -1) == 0)
        canvas.draw("xyz", x: -2, y: 1)
        #expect(canvas.text == " abc\nz    abc")
    }

    @Test("a wide character that does not fit leaves a blank")
    func wideAtEdges() {
        var canvas = canvas(5, 3)
        #expect(canvas.draw("東京都", x: 0, y: 0) == 5)
        #expect(canvas.draw("東京", x: -1, y: 1) == 4)
        #expect(canvas.draw("東京", x: 0, y: 2, maxWidth: 3) == 3)
        #expect(canvas.text == "東京\n 京\n東")
        #expect(canvas[2, 0].text == "京")
        #expect(canvas[3, 0].isContinuation)
    }

    @Test("drawing over half of a wide character blanks its other half", arguments: [0, 1, 2, 3])
    func halves(x: Int) {
        var canvas = canvas(4, 1)
        canvas.draw("東京", x: 0, y: 0)
        canvas.draw("x", x: x, y: 0)
        #expect(canvas.text == ["x 京", " x京", "東x", "東 x"][x])
        canvas.draw("都", x: 1, y: 0)
        for column in 0..<4 where canvas[column, 0].isContinuation {
            #expect(TextWidth.columns(of: canvas[column - 1, 0].text) == 2)
        }
    }

    @Test("drawing inside a clipped area doesn't leave that area")
    func parts() {
        var canvas = canvas(6, 3)
        canvas.clipped(to: Rect(x: 1, y: 1, width: 3, height: 1)) { canvas in
            for y in 0..<3 { canvas.draw("abcdef", x: 0, y: y) }
            canvas.clipped(to: Rect(x: 0, y: 0, width: 2, height: 9)) { $0.draw("######", x: 0, y: 1) }
        }
        #expect(canvas.text == "\n #cd\n")
    }

    @Test("escapes are drawn in their own style and keep the modifiers")
    func escapes() {
        var canvas = canvas(20, 1)
        canvas.draw("a\u{1B}b", x: 0, y: 0, style: Style(.string, .selected))
        #expect(canvas.text == "a\\u{1B}b")
        #expect(canvas.picture(of: .escape) == " \\u{1B}")
        #expect(canvas.picture { $0.modifiers.contains(.selected) } == "a\\u{1B}b")
    }

    @Test("lines that meet are joined")
    func joints() {
        var canvas = canvas(9, 5)
        canvas.box(canvas.bounds)
        canvas.rule(x: 0, y: 2, length: 9)
        canvas.verticalLine(x: 4, y: 0, length: 5)
        #expect(canvas.text == "┌───┬───┐\n│   │   │\n├───┼───┤\n│   │   │\n└───┴───┘")
    }

    @Test("box drawing characters in a document do not join lines")
    func documentLines() {
        var canvas = canvas(3, 3)
        canvas.draw("│", x: 1, y: 1)
        canvas.rule(x: 0, y: 1, length: 3)
        #expect(canvas.text == "\n───\n")
    }

    @Test("the last runs on the right of a rule give way to its title")
    func longTrailing() {
        func rule(_ width: Int) -> String {
            var canvas = canvas(width, 1)
            canvas.rule(
                x: 0, y: 0, length: width, title: [StyledText("Step 1")],
                trailing: [StyledText("1 added"), StyledText(" · 0.17 ms")])
            return canvas.text
        }
        #expect(rule(30) == "─ Step 1 ─ 1 added · 0.17 ms ─")
        #expect(rule(29) == "─ Step 1 ────────── 1 added ─")
        #expect(rule(20) == "─ Step 1 ─ 1 added ─")
        #expect(rule(19) == "─ Step 1 ──────────")
    }

    @Test("a box title is shortened to fit, and the frame stays intact")
    func titles() {
        func top(_ width: Int) -> String {
            var canvas = canvas(width, 2)
            canvas.box(canvas.bounds, title: [StyledText("Documents")], trailing: [StyledText("4/17")])
            return String(canvas.text.split(separator: "\n")[0])
        }
        #expect(top(24) == "┌ Documents ───── 4/17 ┐")
        #expect(top(19) == "┌ Document… 4/17 ┐" || top(19).hasSuffix(" 4/17 ┐"))
        #expect(top(14) == "┌ Documents ─┐")
        #expect(top(10) == "┌ Docum… ┐")
        #expect(top(3) == "┌─┐")
        for width in 0..<30 { #expect(TextWidth.columns(of: width == 0 ? "" : top(max(width, 1))) == width) }
    }

    @Test("frames of one row, one column or zero size draw without errors")
    func tinyBoxes() {
        for width in 0..<4 {
            for height in 0..<4 {
                var canvas = canvas(4, 4)
                canvas.box(Rect(x: 0, y: 0, width: width, height: height), title: [StyledText("T")])
                canvas.box(Rect(x: 3, y: 3, width: width, height: height))
                #expect(canvas.text.split(separator: "\n", omittingEmptySubsequences: false).count == 4)
            }
        }
    }

    @Test("a canvas with ASCII glyphs contains only ASCII")
    func ascii() {
        var canvas = canvas(14, 3, glyphs: .ascii)
        canvas.box(canvas.bounds, title: [StyledText("Grün")])
        canvas.draw(canvas.glyphs.failed + canvas.glyphs.arrow + "é", x: 1, y: 1)
        #expect(canvas.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(canvas.text == "+ Gr\\u{FC}n -+\n|x->\\u{E9}   |\n+------------+")
    }

    @Test("restyling keeps the text")
    func restyle() {
        var canvas = canvas(4, 2)
        canvas.draw("abcd", x: 0, y: 0, style: .key)
        canvas.restyle(Rect(x: 1, y: -3, width: 2, height: 9)) { $0.modifiers.insert(.selected) }
        #expect(canvas.picture { $0 == Style(.key, .selected) } == " bc\n")
        #expect(canvas.text == "abcd\n")
    }

    @Test("rows that look the same compare as the same")
    func sameRows() {
        let before = canvas(4, 2)
        var after = before
        after.draw("x", x: 0, y: 1)
        #expect(after.hasSameRow(0, as: before))
        #expect(!after.hasSameRow(1, as: before))
    }

    @Test("drawing one long line costs only as much as its visible part")
    func longLines() {
        var canvas = canvas(80, 1)
        let text = String(repeating: "x", count: 1 << 20)
        let time = ContinuousClock().measure { for _ in 0..<1000 { canvas.draw(text, x: 0, y: 0) } }
        #expect(time < .seconds(5))
    }
}

@Suite("Rectangles")
struct RectTests {
    @Test("the two pieces of a split cover the whole rectangle for any requested size", arguments: [-1, 0, 3, 10, 99])
    func splits(size: Int) {
        let rect = Rect(x: 2, y: 3, width: 10, height: 10)
        let (top, below) = rect.splitTop(size)
        #expect(top.height + below.height == 10 && below.maxY == rect.maxY && top.y == rect.y)
        let (above, bottom) = rect.splitBottom(size)
        #expect(bottom.height == top.height && above.maxY == bottom.y && bottom.maxY == rect.maxY)
        let (left, right) = rect.splitLeft(size)
        #expect(left.maxX == right.x && right.maxX == rect.maxX)
        #expect(rect.splitRight(size).right.width == left.width)
    }

    @Test("a margin wider than the rectangle leaves nothing")
    func inset() {
        #expect(Rect(x: 0, y: 0, width: 3, height: 1).inset(2).isEmpty)
        #expect(Rect(x: 1, y: 1, width: 5, height: 4).inset(1) == Rect(x: 2, y: 2, width: 3, height: 2))
    }

    @Test("rectangles that don't meet have an empty intersection")
    func intersection() {
        let rect = Rect(x: 0, y: 0, width: 4, height: 4)
        #expect(rect.intersection(Rect(x: 9, y: 0, width: 4, height: 4)).isEmpty)
        #expect(rect.intersection(Rect(x: -2, y: 2, width: 4, height: 9)) == Rect(x: 0, y: 2, width: 2, height: 2))
    }

    @Test("a scroll bar shows the position, touches the ends only at the ends, and is hidden if everything is visible")
    func scrollBar() {
        for height in 1...12 {
            for count in 0...40 {
                var lengths: Set<Int> = []
                var lastStart = 0
                for top in 0...max(0, count - height) {
                    var canvas = Canvas(width: 6, height: height)
                    let area = Rect(x: 0, y: 0, width: 5, height: height)
                    canvas.scrollBar(besides: area, top: top, count: count, isFocused: true)
                    let rows = (0..<height).filter { canvas[5, $0].text == canvas.glyphs.scrollThumb }
                    guard height > 1, count > height else {
                        #expect(rows.isEmpty)
                        continue
                    }
                    let start = rows.first ?? -1
                    #expect(rows == Array(start..<(start + rows.count)) && start >= lastStart)
                    if top == 0 { #expect(start == 0) }
                    if top == count - height { #expect(rows.last == height - 1) }
                    lengths.insert(rows.count)
                    lastStart = start
                }
                if let length = lengths.first {
                    #expect(lengths == [max(1, height * height / count)] && length < height)
                }
            }
        }
    }

    @Test("a search match is highlighted in all its columns, including those of wide characters")
    func highlight() {
        var canvas = Canvas(width: 12, height: 2)
        canvas.draw("a東京b京 x", x: 0, y: 1)
        canvas.highlight(TextSearch("京"), in: Rect(x: 0, y: 1, width: 12, height: 1), isCurrent: false)
        let lit = (0..<12).filter { canvas[$0, 1].style.role == Style.searchMatch.role }
        #expect(lit == [3, 4, 6, 7])
        canvas.highlight(TextSearch("b京"), in: Rect(x: 5, y: 1, width: 7, height: 1), isCurrent: true)
        #expect((0..<12).filter { canvas[$0, 1].style.role == Style.searchCurrent.role } == [5, 6, 7])
        canvas.highlight(TextSearch("x"), in: Rect(x: 0, y: 1, width: 8, height: 1), isCurrent: true)
        #expect(canvas[9, 1].style.role == Style.plain.role)
    }
}
