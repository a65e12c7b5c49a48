import InspectorUI

/// A picture of the screen, as SVG that looks the same everywhere.
///
/// The picture follows the reader's preference for a dark or a light background; the theme's colors have enough contrast
/// on both. Each word stands in its column whatever the font, and frames are lines, not characters.
struct ScreenPicture {
    let canvas: Canvas
    /// What the picture shows, for readers who cannot see it.
    let title: String

    private static let theme = Theme(depth: .twoHundredFiftySix)
    /// The size of a cell, and the empty space around all cells, in SVG's units. A monospaced font is 0.6 em wide.
    private static let (cellWidth, cellHeight, fontSize, margin) = (9, 20, 15, 15)
    /// The distance from the top of a cell to the baseline of its text.
    private static let baseline = 15

    private static let style = PageMarkup.style(
        """
        .paper{fill:#ffffff}.ink{fill:#24292f}.line{stroke:#24292f}
        @media(prefers-color-scheme:dark){.paper{fill:#0d1117}.ink{fill:#d6dae0}.line{stroke:#d6dae0}}
        .bold{font-weight:bold}.dim{opacity:.6}.underline{text-decoration:underline}
        text{white-space:pre}path{fill:none}path,rect:not(.paper){shape-rendering:crispEdges}
        """)

    /// The source of the picture: a document of one `svg` element.
    var text: String {
        let (width, height) = (
            canvas.width * Self.cellWidth + 2 * Self.margin, canvas.height * Self.cellHeight + 2 * Self.margin
        )
        let picture = PageMarkup.block(
            "svg",
            attributes: [
                "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(width) \(height)", "width": "\(width)",
                "height": "\(height)", "role": "img", "font-size": "\(Self.fontSize)",
                "font-family":
                    "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
            ],
            [
                .element("title", .text(title)), Self.style,
                .void("rect", ["width": "100%", "height": "100%", "rx": "8", "class": "paper"]),
            ] + (0..<canvas.height).flatMap { row in runs(ofRow: row).flatMap { drawing($0, row: row) } } + lines)
        return picture.source
    }

    // MARK: Text

    /// Cells beside each other that look alike.
    private struct Run {
        let column: Int
        var columns = 0
        let appearance: Appearance
        var words: [Word] = []
    }

    /// Text without spaces.
    private struct Word {
        let column: Int
        var columns = 0
        var text = ""
    }

    private func runs(ofRow row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<canvas.width {
            let cell = canvas[column, row]
            let appearance = Self.theme.appearance(of: cell.style)
            if cell.isContinuation || runs.last?.appearance == appearance {
                runs[runs.endIndex - 1].columns += 1
            } else {
                runs.append(Run(column: column, columns: 1, appearance: appearance))
            }
            let run = runs.endIndex - 1
            if cell.isContinuation {
                runs[run].words[runs[run].words.endIndex - 1].columns += 1
            } else if cell.text != " ", !cell.isLine {
                if let last = runs[run].words.last, last.column + last.columns == column {
                    runs[run].words[runs[run].words.endIndex - 1].text += cell.text
                    runs[run].words[runs[run].words.endIndex - 1].columns += 1
                } else {
                    runs[run].words.append(Word(column: column, columns: 1, text: cell.text))
                }
            }
        }
        return runs
    }

    private func drawing(_ run: Run, row: Int) -> [PageMarkup] {
        let (x, y) = (Self.margin + run.column * Self.cellWidth, Self.margin + row * Self.cellHeight)
        let isReverse = run.appearance.attributes.contains(.reverse)
        let (front, ground) =
            isReverse
            ? (run.appearance.background, run.appearance.foreground)
            : (run.appearance.foreground, run.appearance.background)
        var drawing: [PageMarkup] = []
        if isReverse || ground != nil {
            drawing.append(
                .void(
                    "rect",
                    [
                        "x": "\(x)", "y": "\(y)", "width": "\(run.columns * Self.cellWidth)",
                        "height": "\(Self.cellHeight)", "class": ground == nil ? "ink" : "", "fill": fill(ground),
                    ]))
        }
        for word in run.words {
            drawing.append(
                .element(
                    "text",
                    [
                        "x": "\(Self.margin + word.column * Self.cellWidth)", "y": "\(y + Self.baseline)",
                        "textLength": "\(word.columns * Self.cellWidth)",
                        "class": classes(of: run, front == nil ? isReverse ? "paper" : "ink" : nil),
                        "fill": fill(front),
                    ], .text(word.text)))
        }
        return drawing
    }

    private func classes(of run: Run, _ fill: String?) -> String {
        let attributes = run.appearance.attributes
        let names = [
            fill, attributes.contains(.bold) ? "bold" : nil, attributes.contains(.dim) ? "dim" : nil,
            attributes.contains(.underline) ? "underline" : nil,
        ]
        return names.compactMap(\.self).joined(separator: " ")
    }

    /// Returns a fill, which the class of the default colors takes precedence over.
    private func fill(_ color: UInt8?) -> String { color.map(Self.color) ?? "none" }

    // MARK: Lines

    /// The frames and rules, one path for each color.
    private var lines: [PageMarkup] {
        var paths: [(color: UInt8?, data: String)] = []
        for y in 0..<canvas.height {
            for x in 0..<canvas.width where canvas[x, y].isLine {
                let cell = canvas[x, y]
                let color = Self.theme.appearance(of: cell.style).foreground
                let index = paths.firstIndex { $0.color == color } ?? paths.endIndex
                if index == paths.endIndex { paths.append((color, "")) }
                paths[index].data += segments(of: cell, x, y)
            }
        }
        return paths.map { path in
            .void(
                "path",
                ["class": path.color == nil ? "line" : "", "stroke": fill(path.color), "d": path.data])
        }
    }

    /// Returns the path data of a line's arms, from the middle of its cell to the edges.
    private func segments(of cell: Cell, _ x: Int, _ y: Int) -> String {
        let (halfWidth, halfHeight) = (Double(Self.cellWidth) / 2, Self.cellHeight / 2)
        let middle = (
            x: Double(Self.margin + x * Self.cellWidth) + halfWidth,
            y: Self.margin + y * Self.cellHeight + halfHeight
        )
        let moves = [
            (LineArms.up, "v-\(halfHeight)"), (.down, "v\(halfHeight)"), (.left, "h-\(halfWidth)"),
            (.right, "h\(halfWidth)"),
        ]
        return moves.filter { cell.arms.contains($0.0) }.map { "M\(middle.x) \(middle.y)\($0.1)" }.joined()
    }

    // MARK: Colors

    /// Returns a color of xterm's palette of 256 colors, as `#rrggbb`.
    private static func color(_ index: UInt8) -> String {
        let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
        let basic: [(UInt8, UInt8, UInt8)] = [
            (0, 0, 0), (205, 49, 49), (13, 188, 121), (181, 137, 0), (36, 114, 200), (188, 63, 188), (17, 168, 205),
            (176, 176, 176), (102, 102, 102), (241, 76, 76), (35, 209, 139), (192, 160, 0), (59, 142, 234),
            (214, 112, 214), (41, 184, 219), (229, 229, 229),
        ]
        let color: (UInt8, UInt8, UInt8)
        switch Int(index) {
        case let index where index < basic.count: color = basic[index]
        case let index where index < 232:
            let cube = index - 16
            color = (levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6])
        case let index:
            let gray = UInt8(8 + 10 * (index - 232))
            color = (gray, gray, gray)
        }
        return "#" + [color.0, color.1, color.2].map(hexadecimal).joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
