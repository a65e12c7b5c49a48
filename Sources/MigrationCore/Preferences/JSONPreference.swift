import DocumentModel
import Foundation

/// The JSON that a string of the preferences holds.
struct JSONPreference {
    /// The JSON as a document of its own.
    let document: Document
    /// The path of the string in the preferences.
    let path: DocumentPath

    /// Reads the text of the string at `path`.
    ///
    /// - Throws: ``PreferenceFailure`` if it is not JSON.
    init(_ text: String, at path: DocumentPath) throws {
        self.path = path
        do {
            document = try Document(json: text)
        } catch let error as DocumentParseError {
            throw PreferenceFailure(notJSON: error, at: path)
        }
        guard document.format == .json else {
            throw PreferenceFailure(
                notJSON: DocumentParseError(
                    format: .json, location: SourceLocation(line: 1, column: 1, offset: 0), found: "a property list",
                    expected: "a JSON value"),
                at: path)
        }
    }

    /// Makes sure that `type` decodes itself from the text.
    ///
    /// - Throws: ``PreferenceFailure``.
    func check(_ type: any Codable.Type) throws {
        _ = try decode(type, from: document.root, at: .root, recording: ReadRecord())
    }

    /// The value as version 5 stores it, in a property list of that format.
    ///
    /// - Throws: ``PreferenceFailure``.
    func migrated(to form: StoredForm, in format: DocumentFormat) throws -> MigratedPreference {
        let record = ReadRecord()
        var migrated = MigratedPreference(value: nil)
        if !form.leavesOut(document.root) {
            var builder = DocumentBuilder()
            try append(document.root, at: .root, form, to: &builder, record, &migrated)
            migrated.value = builder.finish(format: format)
            if format == .plistXML { migrated.keepWholeSeconds(of: path) }
        }
        noteLosses(record, in: &migrated)
        return migrated
    }

    /// The value as version 5 stores it, where its type is another one than that of version 4.
    ///
    /// - Throws: ``PreferenceFailure``.
    func migrated(
        to form: StoredForm, in format: DocumentFormat, by conversion: any PreferenceConversion
    ) throws -> MigratedPreference {
        let record = ReadRecord()
        let converted: Document
        do {
            converted = try conversion.converted(document.root, record)
        } catch let error as PreferenceConversionError {
            throw PreferenceFailure(converting: error.thrown, in: self, record)
        } catch {
            throw PreferenceFailure(error, reading: self, at: .root, record)
        }
        var migrated = try JSONPreference(converted, at: path).migrated(to: form, in: format)
        (migrated.dropped, migrated.warnings) = ([], [])
        noteLosses(record, in: &migrated)
        return migrated
    }

    private init(_ document: Document, at path: DocumentPath) {
        self.document = document
        self.path = path
    }

    private func noteLosses(_ record: ReadRecord, in migrated: inout MigratedPreference) {
        migrated.dropped = record.droppedPaths(in: document.root).map { path.appending($0) }
        migrated.warnings += document.textWarnings(in: path)
    }

    private func append(
        _ node: DocumentNode, at place: DocumentPath, _ form: StoredForm, to builder: inout DocumentBuilder,
        _ record: ReadRecord, _ migrated: inout MigratedPreference
    ) throws {
        switch form {
        case .optional(let form): try append(node, at: place, form, to: &builder, record, &migrated)
        case .native(let type):
            let value = try decode(type.type, from: node, at: place, recording: record)
            do {
                builder.append(try value.propertyListValue())
            } catch {
                throw PreferenceFailure(error, reading: self, at: place, record)
            }
        case .json(let type):
            _ = try decode(type.type, from: node, at: place, recording: ReadRecord())
            // All of it is kept, whatever the type reads.
            _ = try decode(Document.self, from: node, at: place, recording: record)
            builder.string(JSONWriter().string(node))
        case .elements(let form):
            try requireKind(.array, node, at: place, recording: record)
            builder.beginArray()
            for (position, element) in node.elements.enumerated() {
                let place = place.appending(index: position)
                if form.leavesOut(element) {
                    try leaveOut(element, at: place, record, &migrated)
                } else {
                    try append(element, at: place, form, to: &builder, record, &migrated)
                }
            }
            builder.end()
        case .members(let form, let key) where node.kind == .array && !key.type.isWrittenAsName:
            try appendAlternating(node, at: place, form, key.type, to: &builder, record, &migrated)
        case .members(let form, let key):
            try requireKind(.object, node, at: place, recording: record)
            var names: Set<[UInt8]> = []
            builder.beginObject()
            for member in node.members {
                let place = place.appending(key: member.name)
                guard key.type.reads(member.name) else {
                    throw PreferenceFailure(
                        name: member.key, of: key.type, at: path.appending(place), within: path)
                }
                // Of several values under one name JSON decoders read the first; that the others are lost, a warning
                // says.
                if !names.insert(Array(member.name.utf8)).inserted {
                    _ = try decode(Document.self, from: member.value, at: place, recording: record)
                } else if form.leavesOut(member.value) {
                    try leaveOut(member.value, at: place, record, &migrated)
                } else {
                    builder.key(member.name)
                    try append(member.value, at: place, form, to: &builder, record, &migrated)
                }
            }
            builder.end()
        }
    }

    /// Appends a dictionary whose keys and values stand in an array in turn: what JSONEncoder makes of one whose keys
    /// are neither `String` nor `Int`.
    private func appendAlternating<Key: PreferenceName>(
        _ node: DocumentNode, at place: DocumentPath, _ form: StoredForm, _ key: Key.Type,
        to builder: inout DocumentBuilder, _ record: ReadRecord, _ migrated: inout MigratedPreference
    ) throws {
        try requireKind(.array, node, at: place, recording: record)
        let elements = Array(node.elements)
        guard elements.count.isMultiple(of: 2) else {
            throw PreferenceFailure(
                mismatch: node, expected: .keysAndValues, at: path.appending(place), within: path)
        }
        var members: [String: Int] = [:]
        for position in stride(from: 0, to: elements.count, by: 2) {
            let place = place.appending(index: position)
            let key = try decode(Key.self, from: elements[position], at: place, recording: record)
            // Of several values for one key a dictionary keeps the last.
            members[String(key)] = position + 1
        }
        builder.beginObject()
        for position in stride(from: 1, to: elements.count, by: 2) {
            let place = place.appending(index: position)
            let name = String(try decode(Key.self, from: elements[position - 1], at: place, recording: record))
            if members[name] != position {
                _ = try decode(Document.self, from: elements[position], at: place, recording: record)
            } else if form.leavesOut(elements[position]) {
                try leaveOut(elements[position], at: place, record, &migrated)
            } else {
                builder.key(name)
                try append(elements[position], at: place, form, to: &builder, record, &migrated)
            }
        }
        builder.end()
    }

    private func leaveOut(
        _ node: DocumentNode, at place: DocumentPath, _ record: ReadRecord, _ migrated: inout MigratedPreference
    ) throws {
        _ = try decode(Document.self, from: node, at: place, recording: record)
        migrated.warnings.append(.nullLeftOut(path: path.appending(place)))
    }

    private func requireKind(
        _ kind: NodeKind, _ node: DocumentNode, at place: DocumentPath, recording record: ReadRecord
    ) throws {
        guard node.kind == kind else {
            throw PreferenceFailure(
                mismatch: node, expected: kind == .array ? .array : .object, at: path.appending(place),
                within: path)
        }
        _ = try decode(Container.self, from: node, at: place, recording: record)
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, from node: DocumentNode, at place: DocumentPath, recording record: ReadRecord
    ) throws -> Value {
        do {
            return try DocumentDecoder().decode(type, from: node, recording: record)
        } catch {
            throw PreferenceFailure(error, reading: self, at: place, record)
        }
    }
}

extension LosslessStringConvertible {
    /// Whether JSONEncoder writes the keys of a dictionary as names, if they are of this type.
    fileprivate static var isWrittenAsName: Bool {
        self == String.self || self == Int.self || self is any CodingKeyRepresentable.Type
    }
}

/// A value of a key that migrates.
struct MigratedPreference {
    /// What version 5 stores; nil if it stores nothing.
    var value: Document?
    /// The fields that nothing read.
    var dropped: [DocumentPath] = []
    var warnings: [Reason] = []

    /// Leaves of dates what an XML property list holds, and says so: neither Foundation nor anything else reads a
    /// fraction there.
    fileprivate mutating func keepWholeSeconds(of path: DocumentPath) {
        guard let root = value?.root else { return }
        let dates = root.nodes.filter { $0.date.map { $0 != $0.wholeSeconds } ?? false }
        guard dates.first != nil else { return }
        warnings += dates.map { .fractionLeftOut(path: path.appending($0.path)) }
        var builder = DocumentBuilder()
        builder.appendWholeSeconds(root)
        value = builder.finish(format: root.document.format)
    }
}

extension Date {
    /// The beginning of the second.
    fileprivate var wholeSeconds: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
    }
}

extension DocumentBuilder {
    /// Appends a value, of dates their whole seconds.
    fileprivate mutating func appendWholeSeconds(_ node: DocumentNode) {
        switch node.kind {
        case .object:
            beginObject()
            for member in node.members {
                key(member.name)
                appendWholeSeconds(member.value)
            }
            end()
        case .array:
            beginArray()
            for element in node.elements { appendWholeSeconds(element) }
            end()
        case .date: date((node.date ?? .distantPast).wholeSeconds)
        default: append(node)
        }
    }
}

/// Reads that there is a container, and nothing in it.
private struct Container: Decodable {
    init(from decoder: any Decoder) {}
}

extension StoredForm {
    /// Whether version 5 stores nothing for that JSON.
    fileprivate func leavesOut(_ node: DocumentNode) -> Bool {
        if case .optional = self { node.isNull } else { false }
    }
}

extension Encodable {
    /// The value as a property list has it. Only containers can be property lists, so it is encoded inside one.
    fileprivate func propertyListValue() throws -> DocumentNode {
        let array = try DocumentEncoder().encode([self], as: .plistBinary).root
        return array[0] ?? array
    }
}
