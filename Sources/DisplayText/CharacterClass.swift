/// How many columns a terminal gives to a character, and whether it may be given to a terminal at all.
enum CharacterClass: UInt8 {
    /// Must not, or cannot reliably, reach the terminal.
    case escaped = 0
    /// Takes no column of its own.
    case combining = 1
    case narrow = 2
    case wide = 3

    init(_ scalar: Unicode.Scalar, _ repertoire: Repertoire) {
        let value = Int(scalar.value)
        if value < 0x80 {
            self = value >= 0x20 && value != 0x7F ? .narrow : .escaped
        } else if repertoire == .ascii {
            self = .escaped
        } else {
            self = value < basicPlane.count ? basicPlane[value] : CharacterClass.lookUp(scalar.value)
        }
    }

    /// Binary search in the table: the last entry that does not begin behind the character.
    fileprivate static func lookUp(_ value: UInt32) -> CharacterClass {
        var low = 0
        var high = characterClassTable.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if characterClassTable[middle] >> 2 <= value { low = middle } else { high = middle }
        }
        return CharacterClass(rawValue: UInt8(characterClassTable[low] & 3)) ?? .escaped
    }
}

/// The Basic Multilingual Plane spread out, one byte a character: nearly all text is in it.
private let basicPlane: [CharacterClass] = (0..<0x10000).map { CharacterClass.lookUp($0) }
