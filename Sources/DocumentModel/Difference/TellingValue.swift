extension DocumentNode {
    /// Whether the value says enough for that finding it at another place means something. `null`, `true`, `0`, `""`, `[]` and
    /// their
    /// like are everywhere; an e-mail address is not.
    ///
    /// Telling are a string of three or more bytes, a number of three or more, a date, data, and a container that has something
    /// telling
    /// or more than four values near its beginning.
    var isTelling: Bool {
        let tape = document.storage.tape
        let limit = min(endIndex, index + 16)
        if kind.isContainer, limit - index > 8 { return true }
        return (index..<limit).contains { Self.isTellingScalar(tape[$0]) }
    }

    private static func isTellingScalar(_ node: TapeNode) -> Bool {
        let length = Int(node.end) - Int(node.start) - (node.flags.contains(.quoted) ? 2 : 0)
        return switch node.kind {
        case .string, .number: length >= 3
        case .date: true
        case .data: length > 0
        case .object, .array, .boolean, .null, .key: false
        }
    }
}
