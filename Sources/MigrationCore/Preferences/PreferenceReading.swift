import DocumentModel

/// What a declared key holds.
enum PreferenceReading {
    /// A value in the form of version 5.
    case current
    /// The JSON string of version 4.
    case migrated(MigratedPreference)
    /// Neither.
    case failed(MigrationFailure)
}

extension StoredPreference {
    /// Looks at a value of the key.
    ///
    /// Version 5 comes first: a string that looks like JSON is no more than a string where that is what the type wants.
    ///
    /// Where version 5 stores a plain string that was made from something else, any string reads as one: there the JSON
    /// of the old type comes first.
    ///
    /// A stored null is no value, whatever the type: Defaults removes the key.
    func read(_ node: DocumentNode) -> PreferenceReading {
        if form.takesAnyString, let conversion, let json = try? JSONPreference(node),
            conversion.reads(json.document.root)
        {
            return readJSON(node, otherwise: nil)
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
            return readJSON(node, otherwise: error.failure)
        }
    }

    private func readJSON(_ node: DocumentNode, otherwise nativeFailure: MigrationFailure?) -> PreferenceReading {
        do {
            let json = try JSONPreference(node)
            return .migrated(try json.migrated(to: form, in: node.document.format, by: conversion))
        } catch {
            // A text that does not even begin like the JSON of a string or a container is rather a value that the type
            // refuses, if it takes strings at all.
            let isMeantAsJSON = node.string?.utf8.first { !$0.isWhitespace }.map("\"[{".utf8.contains) ?? false
            guard let nativeFailure, error.isNoJSON, nativeFailure.kind != .typeMismatch, !isMeantAsJSON else {
                return .failed(error.failure)
            }
            return .failed(nativeFailure)
        }
    }
}
