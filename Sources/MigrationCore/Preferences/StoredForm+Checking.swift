import DocumentModel

extension StoredForm {
    /// Checks that a value of the property list has this form.
    func check(_ node: DocumentNode) throws(PreferenceFailure) {
        switch self {
        case .optional(let form): try form.check(node)
        case .native(let type):
            guard !node.bridges(to: type.type) else { return }
            let record = ReadRecord()
            do {
                _ = try DocumentDecoder().decode(type.type, from: node, recording: record)
            } catch {
                throw PreferenceFailure(error, reading: node, record)
            }
        case .json(let type):
            guard node.kind == .string else {
                let expected = ExpectedValue.jsonString(type: typeName(type.type))
                throw PreferenceFailure(.mismatch(expected: expected, found: FoundValue(node)), at: node)
            }
            try JSONPreference(node).check(type.type)
        case .bridged(let bridge): try bridge.check(node)
        // A chain with such a declaration opens nothing.
        case .unknown: break
        case .elements(let form):
            try node.require(.array)
            for element in node.elements { try form.check(element) }
        case .members(let form, let key, _):
            try node.require(.object)
            for member in node.members {
                try member.require(key.type)
                try form.check(member.value)
            }
        }
    }
}

extension DocumentNode {
    /// Checks that the value is an object or an array.
    ///
    /// - Parameter string: The path of the string whose JSON contains the value, if any.
    func require(_ kind: NodeKind, in string: DocumentPath? = nil) throws(PreferenceFailure) {
        guard self.kind != kind else { return }
        throw PreferenceFailure(
            .mismatch(expected: kind == .array ? .array : .object, found: FoundValue(self)), at: self, in: string)
    }

    /// Returns whether `UserDefaults` returns the value as the given type although a property list decoder does not.
    /// Numbers and Booleans have the same class there, and a string is a string regardless of its contents.
    fileprivate func bridges(to type: any Codable.Type) -> Bool {
        switch kind {
        case .string: type == String.self
        case .number: type == Bool.self && ["0", "1"].contains(numberText)
        case .boolean: StoredForm.numberTypes.contains(ObjectIdentifier(type))
        default: false
        }
    }
}

extension DocumentNode.Member {
    /// Checks that the name converts to a key of the given type.
    ///
    /// - Parameter string: The path of the string whose JSON contains the member, if any.
    func require<Key: LosslessStringConvertible>(
        _ type: Key.Type, in string: DocumentPath? = nil
    ) throws(PreferenceFailure) {
        guard Key(name) == nil else { return }
        throw PreferenceFailure(
            .wrongName(type: typeName(type), found: FoundValue(key)), at: value, in: string, location: key.location)
    }
}
