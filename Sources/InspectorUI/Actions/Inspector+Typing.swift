/// Typing in a prompt.
extension KeyCommand {
    static let endTyping = KeyCommand(
        "endTyping",
        always: { inspector in
            guard var typed = inspector.prompt else { return }
            inspector.closeOverlay()
            typed.problem = typed.purpose.take(&inspector, typed.field.text)
            if typed.problem != nil { inspector.overlay = typed }
        })
    static let leaveTyping = KeyCommand(
        "leaveTyping",
        always: { inspector in
            guard let typed = inspector.prompt else { return }
            inspector.closeOverlay()
            typed.purpose.leave(&inspector, typed.before)
        })
    static let nextCompletion = KeyCommand("nextCompletion", always: { $0.complete(by: 1) })
    static let previousCompletion = KeyCommand("previousCompletion", always: { $0.complete(by: -1) })
}

extension Prompt: Overlay {
    var keys: [KeyGroup] {
        let path = KeyGroup(
            hint: PromptWords.complete, .init(.nextCompletion, .tab), .init(.previousCompletion, .backTab))
        return (purpose.isPath ? [path] : []) + [
            KeyGroup(hint: purpose.hints.take, .init(.endTyping, .enter)),
            KeyGroup(hint: purpose.hints.leave, .init(.leaveTyping, .escape)),
        ]
    }
    var isTyping: Bool { true }

    func rows(in frame: Rect) -> Rect? { nil }

    func typed(_ key: InspectorKey, in inspector: inout Inspector) -> Bool {
        var next = self
        if key == .up || key == .down {
            purpose.arrow(&inspector, key == .up)
        } else if key == .backspace, field.text.isEmpty, purpose.closesIfEmpty {
            inspector.closeOverlay()
        } else if next.field.handle(key) {
            (next.problem, next.completions) = (nil, nil)
            inspector.overlay = next
            if field.text != next.field.text { purpose.changed(&inspector, next.field.text) }
        }
        return true
    }

    /// The mouse is ignored while the user is typing.
    func clicked(_ mouse: InspectorMouse, in inspector: inout Inspector) -> Bool { true }
}

extension Inspector {
    /// Asks for a text.
    mutating func ask(
        _ label: String, text: String = "", problem: String? = nil,
        take: @escaping @Sendable (inout Inspector, String) -> String?
    ) {
        overlay = Prompt(.init(label: label, take: take), text: text, problem: problem)
    }

    mutating func paste(_ text: String) {
        change(Prompt.self) { $0.field.paste(text) }
        if let prompt { prompt.purpose.changed(&self, prompt.field.text) }
    }

    /// Recalls an earlier text in the prompt, or the next later one.
    mutating func recall(older: Bool, from earlier: [String]) {
        change(Prompt.self) { $0.recall(older: older, from: earlier) }
        if let prompt { prompt.purpose.changed(&self, prompt.field.text) }
    }

    /// Completes the typed name, first to the prefix that all completions share, then to one completion after the
    /// other.
    fileprivate mutating func complete(by count: Int) {
        guard let prompt else { return }
        guard var completions = prompt.completions, completions.names.count > 1 else {
            effects.append(.complete(prompt.field.text))
            return
        }
        change(Prompt.self) {
            $0.field = TextField(completions.move(by: count))
            $0.completions = completions
            $0.problem = nil
        }
    }

    /// Shows the completions of a name, unless the text has changed in the meantime.
    mutating func take(completions names: [String], of typed: String) {
        guard let prompt, prompt.purpose.isPath, prompt.field.text == typed else { return }
        let completions = PathCompletions(names)
        change(Prompt.self) {
            $0.problem = names.isEmpty ? PromptWords.noCompletion : nil
            guard !names.isEmpty else { return }
            $0.field = TextField(completions.shared)
            // A single match is complete, so the next Tab looks inside it.
            $0.completions = names.count > 1 ? completions : nil
        }
    }
}
