import DisplayText

/// The whole screen.
extension Inspector {
    /// The picture of the screen at this size. Touches nothing but the rows that are seen.
    public func canvas(width: Int, height: Int, glyphs: Glyphs = .unicode) -> Canvas {
        var canvas = Canvas(width: width, height: height, glyphs: glyphs)
        var inspector = self
        if inspector.size != (width, height) || inspector.repertoire != glyphs.repertoire {
            // Drawn before the news of another size has come: what is selected is still to be seen.
            inspector.size = (max(0, width), max(0, height))
            inspector.repertoire = glyphs.repertoire
            inspector.inspection?.overviewWidth = nil
            inspector.arrange()
        }
        inspector.draw(on: &canvas)
        return canvas
    }

    private func draw(on canvas: inout Canvas) {
        let layout = Layout(self)
        guard !layout.isTooSmall else { return drawTooSmall(on: &canvas) }
        if layout.documents.isShown { DocumentsScreen.draw(self, layout.documents, on: &canvas) }
        if !layout.detail.isEmpty { DetailScreen.draw(self, layout, on: &canvas) }
        BottomLine.draw(self, layout.hints, on: &canvas)
        if helpTop != nil { HelpScreen.draw(self, on: &canvas) }
    }

    private func drawTooSmall(on canvas: inout Canvas) {
        let lines = TextWidth.wrap(
            "This window is too small: \(Layout.smallest.width)x\(Layout.smallest.height) is the least.",
            to: max(1, canvas.width))
        for (row, line) in lines.enumerated() { canvas.draw(String(line), x: 0, y: row) }
    }
}
