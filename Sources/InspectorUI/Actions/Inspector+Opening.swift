import DocumentModel

/// Opening another file or folder in place of what is open.
extension Inspector {
    /// What goes along from what was open to what is opened in its place: the document to compare others with, how
    /// things are shown, and what was opened.
    public struct Carried: Sendable {
        let mark: MarkedDocument?
        let style: DifferenceStyle
        let takesMouse: Bool
        let searches: [String]
        let openedPaths: [String]
    }

    /// What goes along to the inspector of what is opened next.
    public var carried: Carried {
        Carried(
            mark: mark, style: style, takesMouse: takesMouse, searches: searches,
            openedPaths: openedPaths.filter { $0 != title } + [title])
    }

    /// Goes on from another inspector, whose documents are open no more: what is open was opened on the screen.
    public mutating func goOn(from carried: Carried) {
        (mark, style, takesMouse) = (carried.mark, carried.style, carried.takesMouse)
        (searches, openedPaths) = (carried.searches, carried.openedPaths)
        opened = title
    }

    /// Asks for the name of what to open.
    ///
    /// - Parameter problem: What is wrong with that name.
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

    /// Completes the name that is typed: by what all names have in common, and then to one after the other.
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

    /// Shows how a name may go on, unless something else was typed meanwhile.
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
            // One that is found is done: the next key looks inside of it.
            prompt.completions = names.count > 1 ? completions : nil
        }
        self.prompt = prompt
    }
}
