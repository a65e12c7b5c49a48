import DocumentModel

/// Opening another file or folder in place of the current one.
extension Inspector {
    /// State that is kept when another file or folder is opened: the document to compare others with, display
    /// settings, and earlier searches and paths.
    public struct Carried: Sendable {
        let mark: MarkedDocument?
        let style: DifferenceStyle
        let takesMouse: Bool
        let searches: [String]
        let openedPaths: [String]
    }

    /// The state to keep for the next inspector.
    public var carried: Carried {
        Carried(
            mark: mark, style: style, takesMouse: takesMouse, searches: searches,
            openedPaths: openedPaths.filter { $0 != title } + [title])
    }

    /// Continues from an earlier inspector whose documents are no longer open.
    public mutating func goOn(from carried: Carried) {
        (mark, style, takesMouse) = (carried.mark, carried.style, carried.takesMouse)
        (searches, openedPaths) = (carried.searches, carried.openedPaths)
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
        let entry = Prompt.Entry(label: "Open", isPath: true) { inspector, typed in
            if typed.isEmpty { return "the name of a file or folder is wanted:" }
            inspector.message = Message("opening \(typed)")
            inspector.effects.append(.open(typed))
            return nil
        }
        message = nil
        prompt = Prompt(.entry(entry), text: name)
        prompt?.problem = problem.map { $0 + ":" }
    }

    /// Completes the typed name, first to the prefix that all completions share, then to one completion after the
    /// other.
    mutating func complete(by count: Int) {
        guard var prompt else { return }
        guard var completions = prompt.completions, completions.names.count > 1 else {
            effects.append(.complete(prompt.field.text))
            return
        }
        prompt.field = TextField(completions.move(by: count))
        prompt.completions = completions
        prompt.problem = nil
        self.prompt = prompt
    }

    /// Shows the completions of a name, unless the text has changed in the meantime.
    mutating func take(completions names: [String], of typed: String) {
        guard var prompt, case .entry(let entry) = prompt.purpose, entry.isPath, prompt.field.text == typed else {
            return
        }
        let completions = PathCompletions(names)
        if names.isEmpty {
            prompt.problem = "no name begins so:"
        } else {
            prompt.problem = nil
            prompt.field = TextField(completions.shared)
            // A single match is complete, so the next Tab looks inside it.
            prompt.completions = names.count > 1 ? completions : nil
        }
        self.prompt = prompt
    }
}
