/// Checks in one pass whether nodes that another process wrote satisfy the invariant of a ``Tape``.
struct TapeCheck {
    let nodes: UnsafeBufferPointer<TapeNode>
    /// The text that the nodes refer to, followed by ``SourceBytes/padding`` readable bytes.
    let text: UnsafeRawBufferPointer
    /// Whether the text is the JSON source, in which containers are in brackets and strings in quotation marks.
    let isSource: Bool
    /// The position of each node in the source, or nil if it isn't known.
    let places: [Range<UInt32>]?

    /// The maximum depth of containers. It is one more than a parser allows, because the identifier of a keyed archive
    /// is an object on the tape.
    private static let deepest = Document.deepestNesting + 1

    /// A container whose nodes are being checked.
    private struct Container {
        let isObject: Bool
        let next: UInt32
        /// The upper bound for the end of the contents' text.
        let textEnd: UInt32
        let placeEnd: UInt32
    }

    /// Whether the nodes satisfy the invariant.
    var isSound: Bool {
        guard let first = nodes.first, Int(first.next) == nodes.count else { return false }
        var open: [Container] = []
        var followsKey = false
        // The lower bound for the start of the current node's text. The texts of two nodes don't overlap.
        var (textStart, placeStart): (UInt32, UInt32) = (0, 0)
        for (index, node) in nodes.enumerated() {
            guard let kind = kind(at: index) else { return false }
            while let last = open.last, last.next == index {
                (textStart, placeStart) = (max(textStart, last.textEnd), max(placeStart, last.placeEnd))
                open.removeLast()
            }
            let container =
                open.last ?? Container(isObject: false, next: first.next, textEnd: UInt32(text.count), placeEnd: .max)
            guard node.start >= textStart, node.start <= node.end, node.end <= container.textEnd, node.next > index,
                node.next <= container.next, (kind == .key) == (container.isObject && !followsKey),
                index == 0 || !open.isEmpty, isSpelled(node, kind)
            else { return false }
            let place = places?[index] ?? 0..<0
            if places != nil, place.lowerBound < placeStart || place.upperBound > container.placeEnd { return false }
            followsKey = kind == .key
            guard kind.isContainer else {
                guard Int(node.next) == index + 1, !followsKey || node.next < container.next else { return false }
                (textStart, placeStart) = (node.end, place.upperBound)
                continue
            }
            guard open.count < Self.deepest else { return false }
            let bracket: UInt32 = isSource ? 1 : 0
            (textStart, placeStart) = (node.start + bracket, place.lowerBound)
            open.append(
                Container(
                    isObject: kind == .object, next: node.next, textEnd: node.end - bracket,
                    placeEnd: place.upperBound))
        }
        return true
    }

    /// Returns the kind of a node, or nil if its byte isn't a valid kind.
    private func kind(at index: Int) -> NodeKind? {
        let node = UnsafeRawPointer(nodes.baseAddress! + index)
        return NodeKind(
            rawValue: node.loadUnaligned(fromByteOffset: MemoryLayout<TapeNode>.offset(of: \.kind)!, as: UInt8.self))
    }

    /// Returns whether the text of a node is valid for its kind.
    private func isSpelled(_ node: TapeNode, _ kind: NodeKind) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: text[node.range])
        switch kind {
        case .string, .key:
            let isQuoted = node.flags.contains(.quoted)
            return isQuoted || !isSource
                ? JSONString.isSound(bytes, isQuoted: isQuoted, isEscaped: node.flags.contains(.escaped)) : false
        case .number:
            return ExactNumber.isSpelled(by: bytes)
                && (!node.flags.contains(.integer) || ExactNumber.isInteger(bytes))
        case .date: return bytes.count == MemoryLayout<Double>.size
        case .object: return !isSource || bytes.first == UInt8(ascii: "{") && isClosed(bytes, UInt8(ascii: "}"))
        case .array: return !isSource || bytes.first == UInt8(ascii: "[") && isClosed(bytes, UInt8(ascii: "]"))
        case .boolean, .null, .data: return true
        }
    }

    private func isClosed(_ bytes: UnsafeRawBufferPointer, _ bracket: UInt8) -> Bool {
        bytes.count > 1 && bytes.last == bracket
    }
}
