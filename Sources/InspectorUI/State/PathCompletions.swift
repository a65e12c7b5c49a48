/// The files and folders that a name which is being typed may become.
struct PathCompletions: Hashable, Sendable {
    /// Whole names, in order; that of a folder ends in a slash.
    let names: [String]
    /// The one that the text shows; nil as long as it shows what all of them begin with.
    private(set) var selected: Int?

    init(_ names: [String]) { self.names = names }

    /// What all names begin with.
    var shared: String {
        guard var shared = names.first.map({ Substring($0) }) else { return "" }
        for name in names.dropFirst() { shared = Substring(shared.commonPrefix(with: name)) }
        return String(shared)
    }

    /// Goes to the next name, or to the one before; round at the ends.
    mutating func move(by count: Int) -> String {
        let next = selected.map { ($0 + count + names.count) % names.count } ?? (count > 0 ? 0 : names.count - 1)
        selected = next
        return names[next]
    }

    /// What stands for a name in a list: what follows the last slash but one at its end.
    static func label(of name: String) -> Substring {
        let end = name.hasSuffix("/") ? name.index(before: name.endIndex) : name.endIndex
        let start = name[..<end].lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        return name[start...]
    }
}

extension Substring {
    fileprivate func commonPrefix(with other: String) -> String {
        String(String.UnicodeScalarView(zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.map(\.0)))
    }
}
