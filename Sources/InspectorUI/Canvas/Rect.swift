/// The position of a cell on the screen: its column and row, counted from the top left corner.
public struct Point: Hashable, Sendable {
    public var x: Int
    public var y: Int
}

/// A rectangle of cells. It may be empty or outside the canvas, so that layouts need no special cases for a terminal
/// that is too small. Drawing is clipped.
///
/// Screens are laid out by splitting off parts:
///
///     let (list, detail) = canvas.bounds.splitLeft(34)
///     let (panel, hints) = detail.splitBottom(1)
public struct Rect: Hashable, Sendable {
    public var x: Int
    public var y: Int
    /// Never negative. The initializer treats a negative width as zero.
    public let width: Int
    /// Never negative. The initializer treats a negative height as zero.
    public let height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = max(0, width)
        self.height = max(0, height)
    }

    public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

    public var minX: Int { x }
    public var minY: Int { y }
    /// The column after the last one.
    public var maxX: Int { x + width }
    /// The row after the last one.
    public var maxY: Int { y + height }
    public var isEmpty: Bool { width == 0 || height == 0 }

    public func contains(x: Int, y: Int) -> Bool { x >= minX && x < maxX && y >= minY && y < maxY }

    /// Returns the cells that both rectangles cover; empty if they do not intersect.
    public func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return Rect(x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
    }

    /// Returns the rectangle without `dx` columns on the left and right and without `dy` rows at the top and bottom.
    /// The inside of a box is `rect.inset(1)`.
    public func inset(dx: Int, dy: Int) -> Rect {
        Rect(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
    }

    public func inset(_ margin: Int) -> Rect { inset(dx: margin, dy: margin) }

    /// Returns one row of the rectangle, counted from its top.
    public func row(_ index: Int) -> Rect {
        Rect(x: x, y: y + index, width: width, height: index >= 0 && index < height ? 1 : 0)
    }

    /// Splits off `rows` at the top, or all rows if there are fewer.
    public func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
        let cut = min(max(0, rows), height)
        return (
            Rect(x: x, y: y, width: width, height: cut),
            Rect(x: x, y: y + cut, width: width, height: height - cut)
        )
    }

    /// Splits off `rows` at the bottom, or all rows if there are fewer.
    public func splitBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
        let (rest, bottom) = splitTop(height - min(max(0, rows), height))
        return (rest, bottom)
    }

    /// Splits off `columns` on the left, or all columns if there are fewer.
    public func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
        let cut = min(max(0, columns), width)
        return (
            Rect(x: x, y: y, width: cut, height: height),
            Rect(x: x + cut, y: y, width: width - cut, height: height)
        )
    }

    /// Splits off `columns` on the right, or all columns if there are fewer.
    public func splitRight(_ columns: Int) -> (rest: Rect, right: Rect) {
        let (rest, right) = splitLeft(width - min(max(0, columns), width))
        return (rest, right)
    }

    /// Returns a rectangle of at most this size in the middle of this one, for dialogs.
    public func centered(width: Int, height: Int) -> Rect {
        let width = min(width, self.width)
        let height = min(height, self.height)
        return Rect(x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
    }
}
