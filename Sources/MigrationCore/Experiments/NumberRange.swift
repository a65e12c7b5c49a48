/// The search for the ends of the range of whole numbers that pass.
struct NumberRange {
    /// The number that is in the document, which fails.
    let original: Int
    /// The numbers that were tried, and whether the migration passes with them.
    let tried: [Int: Bool]

    /// Up to how many numbers a range is tried whole.
    private static let fewNumbers = 20

    /// The number to try next; nil when the ends are known, or none passes.
    var next: Int? {
        let passing = tried.filter(\.value).keys.sorted()
        let failing = (tried.filter { !$0.value }.map(\.key) + [original]).sorted()
        // From the number that passes and is nearest to the one that fails, toward that.
        guard let near = passing.min(by: { $0.distance(from: original) < $1.distance(from: original) }) else {
            return nil
        }
        let isBelow = near < original
        func nearest(_ isAbove: Bool) -> Int? {
            isAbove ? failing.first { $0 > near } : failing.last { $0 < near }
        }
        if let next = nearest(isBelow).flatMap({ Self.middle(near, $0) }) { return next }
        // And from the farthest one on the other side.
        let beyond = nearest(!isBelow)
        let far =
            isBelow
            ? passing.first { number in beyond.map { number > $0 } ?? true }
            : passing.last { number in beyond.map { number < $0 } ?? true }
        guard let far else { return nil }
        if let next = beyond.flatMap({ Self.middle(far, $0) }) { return next }
        guard near.distance(from: far) < Self.fewNumbers else { return nil }
        return (min(near, far)...max(near, far)).first { tried[$0] == nil }
    }

    /// A number between two; nil where there is none.
    private static func middle(_ first: Int, _ second: Int) -> Int? {
        let distance = first.distance(from: second)
        guard distance > 1 else { return nil }
        return first < second ? first + Int(distance / 2) : first - Int(distance / 2)
    }
}

extension Int {
    /// How far two numbers are apart, which may be more than a signed number holds.
    func distance(from other: Int) -> UInt { UInt(bitPattern: self < other ? other &- self : self &- other) }
}
