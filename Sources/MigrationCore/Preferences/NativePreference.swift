import DocumentModel

/// A value of the property list that is taken for one in the form of version 5.
struct NativePreference {
    /// The value.
    let root: DocumentNode
    /// The path of the key.
    let path: DocumentPath

    /// Makes sure that the value is of that form.
    ///
    /// - Throws: ``PreferenceFailure``.
    func check(_ form: StoredForm) throws { try check(root, at: path, form) }

    private func check(_ node: DocumentNode, at path: DocumentPath, _ form: StoredForm) throws {
        switch form {
        case .optional(let form): try check(node, at: path, form)
        case .native(let type):
            guard !node.bridges(to: type.type) else { return }
            let record = ReadRecord()
            do {
                _ = try DocumentDecoder().decode(type.type, from: node, recording: record)
            } catch {
                throw PreferenceFailure(error, reading: node, at: path, record)
            }
        case .json(let type):
            guard node.kind == .string, let text = node.string else {
                throw PreferenceFailure(mismatch: node, expected: .jsonString(type: "\(type.type)"), at: path)
            }
            try JSONPreference(text, at: path).check(type.type)
        case .elements(let form):
            guard node.kind == .array else {
                throw PreferenceFailure(mismatch: node, expected: .array, at: path)
            }
            for (position, element) in node.elements.enumerated() {
                try check(element, at: path.appending(index: position), form)
            }
        case .members(let form, let key):
            guard node.kind == .object else {
                throw PreferenceFailure(mismatch: node, expected: .object, at: path)
            }
            for member in node.members {
                let place = path.appending(key: member.name)
                guard key.type.reads(member.name) else {
                    throw PreferenceFailure(name: member.key, of: key.type, at: place)
                }
                try check(member.value, at: place, form)
            }
        }
    }
}

extension LosslessStringConvertible {
    /// Whether `text` describes a value of the type.
    static func reads(_ text: String) -> Bool { Self(text) != nil }
}

extension DocumentNode {
    /// Whether `UserDefaults` gives out the value as that type though a property list decoder does not: numbers and
    /// booleans are one class there, and a string is a string whatever it says.
    fileprivate func bridges(to type: any Codable.Type) -> Bool {
        switch kind {
        case .string: type == String.self
        case .number: type == Bool.self && ["0", "1"].contains(numberText)
        case .boolean: type is any (Numeric & Codable).Type
        default: false
        }
    }
}
