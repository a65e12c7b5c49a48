import DocumentModel

extension StoredForm {
    /// Makes sure that a value of the property list is of this form.
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
        // Such a chain opens nothing.
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
    /// Makes sure that the value is an object, or an array.
    ///
    /// - Parameter string: The path of the string whose JSON the value is in, if it is in one.
    func require(_ kind: NodeKind, in string: DocumentPath? = nil) throws(PreferenceFailure) {
        guard self.kind != kind else { return }
        throw PreferenceFailure(
            .mismatch(expected: kind == .array ? .array : .object, found: FoundValue(self)), at: self, in: string)
    }

    /// Whether `UserDefaults` gives out the value as that type though a property list decoder does not: numbers and
    /// booleans are one class there, and a string is a string whatever it says.
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
    /// Makes sure that the name describes a key of that type.
    ///
    /// - Parameter string: The path of the string whose JSON the member is in, if it is in one.
    func require<Key: LosslessStringConvertible>(
        _ type: Key.Type, in string: DocumentPath? = nil
    ) throws(PreferenceFailure) {
        guard Key(name) == nil else { return }
        throw PreferenceFailure(
            .wrongName(type: typeName(type), found: FoundValue(key)), at: value, in: string, location: key.location)
    }
}
