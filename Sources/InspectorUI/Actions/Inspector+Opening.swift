/// Opening another file or folder in place of the current one.
extension KeyCommand {
    static let openOther = KeyCommand("openOther", always: { $0.askPath($0.folderOfDocument) })
}

extension Inspector {
    /// The state to keep for the next inspector.
    public var carried: Carried {
        var carried = kept
        carried.openedPaths = carried.openedPaths.filter { $0 != title } + [title]
        return carried
    }

    /// Continues from an earlier inspector whose documents are no longer open.
    public mutating func goOn(from carried: Carried) {
        kept = carried
        opened = title
    }

    /// The folder of the document on the screen, with a slash at its end, because the other file is usually close to it;
    /// empty if the document's name has no folder. If there is no document, the name of what is open.
    var folderOfDocument: String {
        guard let found = inspection.flatMap({ documents[$0.document] }) else { return opened ?? title }
        var file = found.name.unicodeScalars[...]
        // The name of a committed state begins with the commit, and a part of a file follows a number sign.
        if found.revision != nil, let colon = file.firstIndex(of: ":") { file = file[file.index(after: colon)...] }
        file = file.prefix { $0 != "#" }
        guard let slash = file.lastIndex(of: "/") else { return "" }
        return String(String.UnicodeScalarView(file[...slash]))
    }

    /// Asks for the name of the file or folder to open.
    ///
    /// - Parameter problem: The problem with the name.
    mutating func askPath(_ name: String, problem: String? = nil) {
        message = nil
        overlay = Prompt(
            .init(
                label: PromptWords.open, hints: PromptWords.path, isPath: true,
                take: { inspector, typed in
                    if typed.isEmpty { return PromptWords.noPath }
                    inspector.message = Message(.opening(typed))
                    inspector.effects.append(.open(typed))
                    return nil
                }, arrow: { $0.recall(older: $1, from: $0.kept.openedPaths) }), text: name,
            problem: problem.map { $0 + ":" })
    }
}
