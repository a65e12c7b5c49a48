/// The search for the ends of the range of whole numbers that pass.
struct NumberRange {
    /// The number in the document, which fails.
    let original: Int
    /// The numbers that were tried, and whether the migration passes with them.
    let tried: [Int: Bool]

    /// The maximum size of a range of which every number is tried.
    private static let fewNumbers = 20

    /// The number to try next, or nil if the ends are known, or no number passes.
    var next: Int? {
        let passing = tried.filter(\.value).keys.sorted()
        let failing = (tried.filter { !$0.value }.map(\.key) + [original]).sorted()
        // Search between the passing number that is nearest to the original and the nearest failing number in that
        // direction.
        guard let near = passing.min(by: { $0.distance(from: original) < $1.distance(from: original) }) else {
            return nil
        }
        let isBelow = near < original
        func nearest(_ isAbove: Bool) -> Int? {
            isAbove ? failing.first { $0 > near } : failing.last { $0 < near }
        }
        if let next = nearest(isBelow).flatMap({ Self.middle(near, $0) }) { return next }
        // Then search from the farthest passing number on the other side.
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

    /// Returns a number between two others, or nil if there is none.
    private static func middle(_ first: Int, _ second: Int) -> Int? {
        let distance = first.distance(from: second)
        guard distance > 1 else { return nil }
        return first < second ? first + Int(distance / 2) : first - Int(distance / 2)
    }
}

extension Int {
    /// Returns the distance between two numbers, which may exceed the range of a signed integer.
    func distance(from other: Int) -> UInt { UInt(bitPattern: self < other ? other &- self : self &- other) }
}
