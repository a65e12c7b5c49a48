import DisplayText

/// The whole screen.
extension Inspector {
    /// Draws the screen at this size. Only accesses the rows that are visible.
    public func canvas(width: Int, height: Int, glyphs: Glyphs = .unicode) -> Canvas {
        var canvas = Canvas(width: width, height: height, glyphs: glyphs)
        var inspector = self
        if inspector.size != (width, height) || inspector.repertoire != glyphs.repertoire {
            // The resize event has not arrived yet, but the selection must be visible.
            inspector.size = (max(0, width), max(0, height))
            inspector.repertoire = glyphs.repertoire
            inspector.arrange()
        }
        inspector.draw(on: &canvas)
        return canvas
    }

    private func draw(on canvas: inout Canvas) {
        guard !layout.isTooSmall else { return drawTooSmall(on: &canvas) }
        if !layout.detail.isEmpty { DetailScreen.draw(self, on: &canvas) }
        for panel in Panel.allCases where layout[panel].isShown { self[panel]?.draw(self, in: panel, on: &canvas) }
        if let view = tour.view { TourScreen.draw(view, self, on: &canvas) }
        BottomLine.draw(self, layout.hints, on: &canvas)
        overlay?.draw(self, in: layout.overlay, on: &canvas)
    }

    private func drawTooSmall(on canvas: inout Canvas) {
        let (width, height) = Layout.smallest
        canvas.drawWrapped(
            [StyledText("This window is too small: \(width)x\(height) is the least.")], in: canvas.bounds)
    }
}
