import DocumentModel
import Foundation

/// The JSON inside a string of the preferences.
struct JSONPreference {
    /// The JSON as a separate document.
    let document: Document
    /// The path of the string in the preferences.
    let path: DocumentPath

    /// Creates the JSON in a string.
    init(_ string: DocumentNode) throws(PreferenceFailure) {
        path = string.path
        var location: SourceLocation? = SourceLocation(line: 1, column: 1, offset: 0, within: path)
        do {
            document = try Document(json: string.string ?? "")
        } catch {
            let error = error as? DocumentParseError
            location = error?.location
            location?.within = path
            throw PreferenceFailure(.notJSON(because: error?.problem), at: string, location: location)
        }
        guard document.format == .json else {
            throw PreferenceFailure(.notJSON(because: nil), at: string, location: location)
        }
    }

    /// Creates the JSON of a value that was converted from the string at `path`.
    private init(_ document: Document, at path: DocumentPath) {
        self.document = document
        self.path = path
    }

    /// The result for null, which version 5 stores as no value.
    var removed: MigratedPreference {
        MigratedPreference(dropped: [], warnings: document.textWarnings(in: path), value: nil)
    }

    /// Checks that `type` can be decoded from the JSON.
    func check(_ type: any Codable.Type) throws(PreferenceFailure) {
        _ = try decode(type, from: document.root, recording: ReadRecord())
    }

    /// Returns the value as version 5 stores it, in a property list of the given format.
    ///
    /// - Parameter conversion: Converts the value from the type of version 4, if the type changed.
    func migrated(
        to form: StoredForm, in format: DocumentFormat, by conversion: (any PreferenceConversion)?,
        for observer: (any RunObserver)?
    ) throws(PreferenceFailure) -> MigratedPreference {
        let record = ReadRecord()
        var json = self
        if let conversion { json = JSONPreference(try conversion.converted(self, record, for: observer), at: path) }
        var new = NativeWriter(
            json: json, record: conversion == nil ? record : ReadRecord(), keepsFractions: format != .plistXML)
        let isLeftOut = form.leavesOut(json.document.root)
        if !isLeftOut { try new.append(json.document.root, form) }
        var warnings = new.warnings + document.textWarnings(in: path)
        if let conversion, form.takesAnyString {
            warnings.append(.field(path: path, problem: .takenForJSON(type: conversion.oldName)))
        }
        return MigratedPreference(
            dropped: record.droppedPaths(in: document.root).map { path.appending($0) }, warnings: warnings,
            value: isLeftOut ? nil : new.finish(format: format))
    }

    /// Decodes a value inside the JSON. `record` notes the values that are read.
    func decode<Value: Decodable>(_ type: Value.Type, from node: DocumentNode, recording record: ReadRecord)
        throws(PreferenceFailure) -> Value
    {
        do { return try DocumentDecoder().decode(type, from: node, recording: record) } catch {
            throw PreferenceFailure(error, reading: node, in: path, record)
        }
    }
}

/// The value of a key that migrates.
struct MigratedPreference {
    /// The fields that nothing read.
    let dropped: [DocumentPath]
    let warnings: [Reason]
    /// The value that version 5 stores, or nil if it stores none.
    let value: Document?
}

/// Writes the JSON of a preference as values that version 5 stores.
private struct NativeWriter: ~Copyable {
    let json: JSONPreference
    /// The record of values read from the JSON.
    let record: ReadRecord
    /// Whether dates keep their fractions of a second. In XML they don't, because neither Foundation nor any other
    /// reader accepts a fraction there.
    let keepsFractions: Bool
    var warnings: [Reason] = []
    var builder = DocumentBuilder()

    consuming func finish(format: DocumentFormat) -> Document { builder.finish(format: format) }

    mutating func append(_ node: DocumentNode, _ form: StoredForm) throws(PreferenceFailure) {
        switch form {
        case .optional(let form): try append(node, form)
        case .native(let type): try appendNative(json.decode(type.type, from: node, recording: record), of: node)
        case .json(let type):
            _ = try json.decode(type.type, from: node, recording: ReadRecord())
            // All of the JSON is kept, regardless of what the type reads.
            record.insert(allOf: node)
            builder.string(JSONWriter().string(node))
        case .bridged(let bridge): try appendNative(bridge.stored(node, of: json, record), of: node)
        // A chain with such a declaration opens nothing.
        case .unknown: builder.null()
        case .elements(let form):
            try open(.array, node)
            builder.beginArray()
            for element in node.elements { try appendItem(element, form) }
            builder.end()
        case .members(let form, let key, let isNamed):
            let members = try members(of: node, key.type, isNamed: isNamed)
            // If a name is duplicated, JSON decoders read the first value. If a key of an array is duplicated, a
            // dictionary keeps the last. A warning reports that the others of an object are lost.
            let isLastKept = node.kind == .array
            let kept = Dictionary(
                members.enumerated().map { (ExactText($1.name), $0) }, uniquingKeysWith: { isLastKept ? $1 : $0 })
            builder.beginObject()
            for (position, member) in members.enumerated() {
                if kept[ExactText(member.name)] == position {
                    try appendItem(member.value, named: member.name, form)
                } else {
                    record.insert(allOf: member.value)
                }
            }
            builder.end()
        }
    }

    /// Returns the members of a dictionary. JSONEncoder writes a dictionary whose keys are neither `String` nor `Int`
    /// as an array that alternates between keys and values.
    private func members<Key: PreferenceName>(
        of node: DocumentNode, _ key: Key.Type, isNamed: Bool
    ) throws(PreferenceFailure) -> [(name: String, value: DocumentNode)] {
        var members: [(name: String, value: DocumentNode)] = []
        guard node.kind == .array, !isNamed else {
            try open(.object, node)
            for member in node.members {
                try member.require(key, in: json.path)
                members.append((member.name, member.value))
            }
            return members
        }
        try open(.array, node)
        var elements = node.elements
        while let element = elements.next() {
            guard let value = elements.next() else {
                throw PreferenceFailure(
                    .mismatch(expected: .keysAndValues, found: FoundValue(node)), at: node, in: json.path)
            }
            members.append((String(try json.decode(key, from: element, recording: record)), value))
        }
        return members
    }

    /// Checks that the value is a container, and records that it is read.
    private func open(_ kind: NodeKind, _ node: DocumentNode) throws(PreferenceFailure) {
        try node.require(kind, in: json.path)
        record.insert(.root, in: node)
    }

    /// Appends an element or a member, unless it is a null that version 5 leaves out.
    private mutating func appendItem(
        _ node: DocumentNode, named name: String? = nil, _ form: StoredForm
    ) throws(PreferenceFailure) {
        if form.leavesOut(node) {
            record.insert(allOf: node)
            warnings.append(.field(path: json.path.appending(node.path), problem: .nullLeftOut))
        } else {
            if let name { builder.key(name) }
            try append(node, form)
        }
    }

    /// Appends a value in its property list form. It is encoded inside an array, because only containers can be
    /// property lists.
    private mutating func appendNative(_ value: some Encodable, of node: DocumentNode) throws(PreferenceFailure) {
        let list: Document
        do { list = try DocumentEncoder().encode([value], as: .plistBinary) } catch {
            throw PreferenceFailure(error, reading: node, in: json.path, record)
        }
        guard let value = list.root[0] else { return }
        var fractions: [DocumentPath] = []
        builder.append(value) { [keepsFractions] part, builder in
            guard !keepsFractions, let date = part.date, date != date.wholeSeconds else { return false }
            builder.date(date.wholeSeconds)
            fractions.append(DocumentPath(Array(part.path.components.dropFirst())))
            return true
        }
        let place = json.path.appending(node.path)
        warnings += fractions.map { .field(path: place.appending($0), problem: .fractionLeftOut) }
    }
}

extension Date {
    /// The date rounded down to the second.
    fileprivate var wholeSeconds: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
    }
}

extension StoredForm {
    /// Returns whether version 5 stores nothing for this JSON.
    fileprivate func leavesOut(_ node: DocumentNode) -> Bool {
        if case .optional = self { node.isNull } else { false }
    }
}
