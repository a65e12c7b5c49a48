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

extension PreferenceKey {
    /// Looks at a value of the key.
    ///
    /// Version 5 comes first: a string that looks like JSON is no more than a string where that is what the type wants.
    ///
    /// Where version 5 stores a plain string that was made from something else, any string reads as one: there the JSON
    /// of the old type comes first.
    func read(_ node: DocumentNode) -> PreferenceReading {
        let path = DocumentPath([.key(name)])
        if form.takesAnyString, let conversion, let text = node.string,
            let json = try? JSONPreference(text, at: path), conversion.reads(json.document.root)
        {
            return readJSON(text, at: path, in: node.document.format, otherwise: nil)
        }
        do {
            try NativePreference(root: node, path: path).check(form)
            return .current
        } catch let error as PreferenceFailure {
            guard !form.isJSONString || conversion != nil, node.kind == .string, let text = node.string else {
                return .failed(error.failure)
            }
            return readJSON(text, at: path, in: node.document.format, otherwise: error.failure)
        } catch {
            return .failed(MigrationFailure(Reason(error)))
        }
    }

    private func readJSON(
        _ text: String, at path: DocumentPath, in format: DocumentFormat, otherwise nativeFailure: MigrationFailure?
    ) -> PreferenceReading {
        do {
            let json = try JSONPreference(text, at: path)
            if let conversion {
                var migrated = try json.migrated(to: form, in: format, by: conversion)
                if form.takesAnyString { migrated.warnings.append(.takenForJSON(path: path, type: conversion.oldName)) }
                return .migrated(migrated)
            }
            return .migrated(try json.migrated(to: form, in: format))
        } catch let error as PreferenceFailure {
            // A text that does not even begin like the JSON of a string or a container is rather a value that the type
            // refuses, if it takes strings at all.
            let isMeantAsJSON = text.drop(while: \.isWhitespace).first.map { "\"[{".contains($0) } ?? false
            guard let nativeFailure, error.isNoJSON, nativeFailure.kind != .typeMismatch, !isMeantAsJSON else {
                return .failed(error.failure)
            }
            return .failed(nativeFailure)
        } catch {
            return .failed(MigrationFailure(Reason(error)))
        }
    }
}
