import DocumentModel

/// The result of reading the value of a declared key.
enum PreferenceReading {
    /// The value has the form of version 5.
    case current
    /// The value is the JSON string of version 4.
    case migrated(MigratedPreference)
    /// The value is neither.
    case failed(MigrationFailure)
}

extension StoredPreference {
    /// Reads a value of the key.
    ///
    /// Version 5 is tried first: a string that looks like JSON is just a string if the type expects one.
    ///
    /// If version 5 stores a plain string that was converted from something else, any string could be one. In that
    /// case, the JSON of the old type is tried first.
    ///
    /// A stored null is no value, for any type: Defaults removes the key.
    func read(_ node: DocumentNode, for observer: (any RunObserver)?) -> PreferenceReading {
        if form.takesAnyString, let conversion, let json = try? JSONPreference(node),
            conversion.reads(json.document.root)
        {
            return readJSON(node, otherwise: nil, for: observer)
        }
        if !form.takesAnyString, node.kind == .string, let json = try? JSONPreference(node), json.document.root.isNull,
            conversion?.reads(json.document.root) != true
        {
            return .migrated(json.removed)
        }
        do {
            try form.check(node)
            return .current
        } catch {
            guard !form.isJSONString || conversion != nil, node.kind == .string else { return .failed(error.failure) }
            return readJSON(node, otherwise: error.failure, for: observer)
        }
    }

    private func readJSON(
        _ node: DocumentNode, otherwise nativeFailure: MigrationFailure?, for observer: (any RunObserver)?
    ) -> PreferenceReading {
        do {
            let json = try JSONPreference(node)
            return .migrated(try json.migrated(to: form, in: node.document.format, by: conversion, for: observer))
        } catch {
            // Text that doesn't even start like the JSON of a string or a container is more likely a value that the
            // type refuses, if it accepts strings at all.
            let isMeantAsJSON = node.string?.utf8.first { !$0.isWhitespace }.map("\"[{".utf8.contains) ?? false
            guard let nativeFailure, error.isNoJSON, nativeFailure.kind != .typeMismatch, !isMeantAsJSON else {
                return .failed(error.failure)
            }
            return .failed(nativeFailure)
        }
    }
}
