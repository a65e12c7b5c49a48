/// The path of a value in a document, written as in the program's reports.
struct Path: Hashable, Sendable, CustomStringConvertible {
    enum Part: Hashable {
        case key(String)
        case index(Int)
        /// Every element or member.
        case all
    }

    var parts: [Part]

    static let root = Path([])

    init(_ parts: [Part]) { self.parts = parts }

    /// Parses a path from a report, or returns `nil` if it isn't one.
    init?(_ text: String) {
        guard text.hasPrefix("$") else { return nil }
        var rest = text.dropFirst()
        parts = []
        while let mark = rest.popFirst() {
            if mark == "." {
                let name = rest.prefix { $0 != "." && $0 != "[" }
                rest = rest.dropFirst(name.count)
                parts.append(name == "*" ? .all : .key(String(name)))
                continue
            }
            guard mark == "[", let end = rest.firstIndex(of: "]") else { return nil }
            let inner = rest[..<end]
            rest = rest[rest.index(after: end)...]
            if inner == "*" {
                parts.append(.all)
            } else if let index = Int(inner) {
                parts.append(.index(index))
            } else {
                parts.append(.key(String(inner.dropFirst().dropLast())))
            }
        }
    }

    func key(_ name: String) -> Path { Path(parts + [.key(name)]) }
    func index(_ position: Int) -> Path { Path(parts + [.index(position)]) }
    var parent: Path { Path(parts.dropLast()) }
    var lastKey: String? { if case .key(let name) = parts.last { name } else { nil } }
    /// Returns whether this path leads through the other one or equals it.
    func isInside(_ other: Path) -> Bool { parts.starts(with: other.parts) }
    /// Returns whether one of the two paths leads through the other.
    func isOnWay(of other: Path) -> Bool { isInside(other) || other.isInside(self) }
    var isFolded: Bool { parts.contains(.all) }
    var folded: Path { Path(parts.map { if case .index = $0 { .all } else { $0 } }) }

    var description: String {
        parts.reduce(into: "$") { text, part in
            switch part {
            case .key(let name): text += ".\(name)"
            case .index(let position): text += "[\(position)]"
            case .all: text += "[*]"
            }
        }
    }
}
