import DisplayText

/// All keys, made from the table that dispatches them.
enum HelpScreen {
    private struct Line {
        let keys: String
        let text: String
        let isHeading: Bool
    }

    static func lineCount(_ inspector: Inspector) -> Int { lines(.unicode).count }

    /// The rows of the help that are seen.
    static func height(_ inspector: Inspector) -> Int { frame(inspector).inset(1).height }

    private static func frame(_ inspector: Inspector) -> Rect {
        let bounds = Rect(x: 0, y: 0, width: inspector.size.width, height: max(0, inspector.size.height - 1))
        return bounds.centered(width: 80, height: lines(.unicode).count + 2)
    }

    static func draw(_ inspector: Inspector, on canvas: inout Canvas) {
        let frame = frame(inspector)
        let lines = lines(canvas.glyphs.repertoire)
        let area = frame.inset(1)
        canvas.fill(frame)
        let top = max(0, min(inspector.helpTop ?? 0, lines.count - area.height))
        canvas.box(frame, title: [StyledText("Keys", .title)], style: .focusedBorder)
        for (row, line) in lines[top..<min(lines.count, top + area.height)].enumerated() {
            let y = area.y + row
            if line.isHeading {
                canvas.draw(line.text, x: area.x + 1, y: y, style: .label, maxWidth: area.width - 2)
                continue
            }
            let keysWidth = min(28, area.width / 2)
            canvas.draw(line.keys, x: area.x + 3, y: y, style: .hintKey, maxWidth: keysWidth - 3)
            canvas.draw(
                line.text, x: area.x + keysWidth + 1, y: y, maxWidth: area.width - keysWidth - 2, overflow: .ellipsis)
        }
        canvas.scrollBar(
            x: frame.maxX - 1, y: area.y, height: area.height, top: top, count: lines.count, style: .focusedBorder)
    }

    private static func lines(_ repertoire: Repertoire) -> [Line] {
        let sections: [(String, (Places) -> Bool)] = [
            ("Everywhere", { $0.isSuperset(of: .panels) }),
            ("Documents", { $0.contains(.documents) }),
            ("Steps and differences", { $0.contains(.rows) && !$0.contains(.documents) }),
            ("Values", { $0.contains(.value) && !$0.contains(.rows) }),
            ("Source", { $0 == .source }),
        ]
        var lines: [Line] = []
        var listed = Set<String>()
        for (heading, belongs) in sections {
            if !lines.isEmpty { lines.append(Line(keys: "", text: "", isHeading: true)) }
            lines.append(Line(keys: "", text: heading, isHeading: true))
            for group in KeyTable.groups where !group.help.isEmpty && belongs(group.places) {
                let keys = group.bindings.flatMap(\.keys).map { $0.name(in: repertoire) }.joined(separator: " ")
                guard listed.insert(keys + heading + group.help).inserted else { continue }
                if group.places.isSuperset(of: .panels), heading != "Everywhere" { continue }
                lines.append(Line(keys: keys, text: group.help, isHeading: false))
            }
        }
        return lines
    }
}
