import Foundation
import TestSupport
import Testing

@testable import InspectorUI
@testable import MigrationInspector

@Suite("Pictures of the screen")
struct ScreenPictureTests {
    /// A text of a picture, in its cell.
    private struct Word: Equatable {
        let column: Int
        let row: Int
        let text: String

        init(_ column: Int, _ row: Int, _ text: String) { (self.column, self.row, self.text) = (column, row, text) }
    }

    private func words(_ page: PageReader) throws -> [Word] {
        try page.all("text").map { element in
            let x = try #require(element.attributes["x"].flatMap { Int($0) })
            let y = try #require(element.attributes["y"].flatMap { Int($0) })
            return Word((x - 15) / 9, (y - 30) / 20, element.text)
        }
    }

    @Test("each word of a picture stands in its column, also after a wide character, and has its color")
    func text() throws {
        var canvas = Canvas(width: 20, height: 3)
        canvas.draw("a  bc", x: 1, y: 0)
        canvas.draw([StyledText("日本", .key), StyledText("x", .culprit)], x: 2, y: 2)
        let page = try PageReader(ScreenPicture(canvas: canvas, title: "A & B").text)
        #expect(page.texts("title") == ["A & B"])
        #expect(
            try words(page) == [Word(1, 0, "a"), Word(4, 0, "bc"), Word(2, 2, "日本"), Word(6, 2, "x")])
        let texts = page.all("text")
        #expect(texts.map { $0.attributes["textLength"] } == ["9", "18", "36", "9"])
        #expect(texts.map { $0.attributes["fill"] } == ["none", "none", "#0087af", "#ffffff"])
        #expect(texts.map { $0.attributes["class"] } == ["ink", "ink", "", "bold"])
        // The background, and that of the culprit.
        #expect(page.all("rect").map { $0.attributes["fill"] } == [nil, "#d70000"])
        #expect(page.all("rect")[1].attributes["x"] == "69" && page.all("rect")[1].attributes["width"] == "9")
    }

    @Test("a frame is drawn as lines, and the same signs in a document are text")
    func frames() throws {
        var canvas = Canvas(width: 3, height: 3)
        canvas.box(canvas.bounds)
        canvas.draw("─", x: 1, y: 1)
        let page = try PageReader(ScreenPicture(canvas: canvas, title: "").text)
        #expect(try words(page) == [Word(1, 1, "─")])
        let path = try #require(page.all("path").first?.attributes["d"])
        #expect(page.all("path").count == 1)
        // The upper left corner goes down and right from the middle of its cell.
        #expect(path.hasPrefix("M19.5 25v10M19.5 25h4.5"))
        #expect(path.split(separator: "M").count == 16)
    }

    @Test("nothing that a document contains becomes markup of a picture, and colors can be reversed")
    func hostile() throws {
        var canvas = Canvas(width: 60, height: 2)
        canvas.draw("</text><script>x</script>&amp;\u{1B}[2J\u{202E}", x: 0, y: 0)
        canvas.draw("dark", x: 0, y: 1, style: .searchCurrent)
        let page = try PageReader(ScreenPicture(canvas: canvas, title: "</title>").text)
        #expect(Set(page.elements.map(\.name)) == ["svg", "title", "style", "rect", "text"])
        #expect(page.texts("text").first?.hasPrefix("</text><script>x</script>&amp;") == true)
    }

    // MARK: - The command line

    @Test("inspect writes a picture of its first screen once the experiments have ended, in the size asked for")
    func command() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "screen.svg")
        let arguments = [
            "--picture", folder.path("screen.svg"), "--size", "100x24", Project.path("demo-data/poems/rating-9.json"),
        ]
        let run = try BuiltProgram.inspector.run(arguments)
        #expect(run.status == 0 && run.output.isEmpty && run.errors.contains("screen.svg.bak"), "\(run.errors)")
        #expect(try folder.text("screen.svg.bak") == "old")
        let page = try PageReader(try folder.text("screen.svg"))
        #expect(page.all("svg").first?.attributes["width"] == "930")
        let text = page.texts("text").joined(separator: " ")
        for words in ["proof: opens with 5", "names $.rating", "1 failed"] { #expect(text.contains(words), "\(text)") }
    }

    @Test("a picture is printed to standard output, and a missing document ends the program without one")
    func output() throws {
        let run = try BuiltProgram.inspector.run(["--picture", "-", "demo-data/poems/version-1.json"])
        #expect(run.status == 0 && run.output.hasPrefix("<svg "))
        let missing = try BuiltProgram.inspector.run(["--picture", "-", "nowhere.json"])
        #expect(missing.status == 66 && missing.output.isEmpty)
    }

    @Test(
        "a size that is no size, or too small for panels, is refused with the right form",
        arguments: ["80", "80x", "x24", "80x24x2", "29x24", "80x6", "-80x24", "1001x24", "80X24"])
    func sizes(size: String) throws {
        let run = try BuiltProgram.inspector.run(["--picture", "-", "--size", size, "demo-data"])
        let words = "--size needs columns and rows, like 120x36, at least 30x7; found '\(size)'"
        #expect(run.status == 64 && run.errors.contains(words), "\(run.errors)")
    }

    // MARK: - The README

    @Test("the picture in the README is what the program shows today")
    func readme() throws {
        let name = "Sources/MigrationInspector/MigrationInspector.docc/Resources/screen.svg"
        #expect(try Project.text("README.md").contains(name))
        let run = try BuiltProgram.inspector.run(["--picture", "-", "--size", "118x24", "demo-data/poems"])
        #expect(try run.output == Project.text(name), "made anew by: --picture \(name) --size 118x24 demo-data/poems")
    }
}
