/// A random number generator that repeats in every run (Vigna's SplitMix64).
struct Random: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Creates a generator for one thing among many.
    init(_ parts: UInt64...) {
        self.init(seed: 0)
        for part in parts {
            state ^= part
            state = next()
        }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    /// - Precondition: `elements` is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
