/// The files and folders that a partly typed name can be completed to.
struct PathCompletions: Hashable, Sendable {
    /// The full names, in order. Names of folders end with a slash.
    let names: [String]
    /// The name shown in the text field; nil while it shows the prefix that all names share.
    private(set) var selected: Int?

    init(_ names: [String]) { self.names = names }

    /// The prefix that all names share.
    var shared: String {
        guard var shared = names.first.map({ Substring($0) }) else { return "" }
        for name in names.dropFirst() { shared = Substring(shared.commonPrefix(with: name)) }
        return String(shared)
    }

    /// Returns the next or previous name, wrapping around at the ends.
    mutating func move(by count: Int) -> String {
        let next = selected.map { ($0 + count + names.count) % names.count } ?? (count > 0 ? 0 : names.count - 1)
        selected = next
        return names[next]
    }

    /// Returns the label for a name in a list: its last component, with the slash that marks a folder.
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
