/// One line that tells the user something and goes away by itself.
struct Message: Sendable {
    let text: String
    private var ticksLeft: Int

    init(_ text: String) {
        self.text = text
        ticksLeft = Self.ticks
    }

    /// False when its time is over.
    mutating func tick() -> Bool {
        ticksLeft -= 1
        return ticksLeft > 0
    }

    /// Long enough to read a line, at a few ticks a second.
    private static let ticks = 20
}
