import DocumentModel
import DocumentSources
import Foundation
import MigrationCore

/// `scaffold`: a package with types for the versions of documents.
struct ScaffoldCommand {
    let walker: DocumentWalker
    let areStates: Bool
    /// The path of the version, if the user named it.
    let versionKey: DocumentPath?
    let output: FilePath
    /// The name of the newest type; nil to take it from the documents.
    let name: String?

    func run() throws -> ExitStatus {
        if let name, !SwiftName.isType(name) { throw UsageError.wrongValue(.name, found: name) }
        // Foundation takes paths as text.
        guard let path = String(validating: output.bytes, as: UTF8.self) else {
            throw UsageError.wrongValue(.output, found: output.description)
        }
        let folder = URL(filePath: path, directoryHint: .isDirectory)
        if let entries = try? FileManager.default.contentsOfDirectory(atPath: folder.path), !entries.isEmpty {
            Console.complain(ScaffoldWords.isNotEmpty(output.description))
            return .noInput
        }
        var found: [DocumentReference] = []
        let leftOut = try walker.walk { found += $0 }
        if let words = CommandWords.leftOut(leftOut) { Console.complain(words) }
        let documents = DocumentCollection(found, areStates: areStates, key: versionKey)
        for (name, reason) in documents.leftOut { Console.complain(ScaffoldWords.leftOut(name, because: reason)) }
        guard !documents.groups.isEmpty else {
            Console.complain(ScaffoldWords.nothingToInfer)
            return .documentsFailed
        }
        let package = try package(of: documents, name: name ?? typeName(of: found))
        do {
            for (path, content) in package.files {
                let file = folder.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try content.write(to: file)
            }
        } catch {
            Console.complain("\(output): \(Console.words(for: error))")
            return .noInput
        }
        if clone == nil { Console.complain(ScaffoldWords.unknownInspector(in: "\(output)/Package.swift")) }
        try Console.print(summary(of: package, in: documents))
        return documents.leftOut.isEmpty ? .success : .documentsFailed
    }

    // MARK: The package

    private func package(of documents: DocumentCollection, name: String) throws -> ScaffoldPackage {
        let texts = documents.groups.filter(\.isText).map(\.version.description)
        let keys = documents.versionPath?.components.compactMap(\.name) ?? []
        let spec =
            keys.isEmpty || keys == ["version"] && texts.isEmpty
            ? nil : VersionSpecCode(name: "\(name)VersionSpec", keys: keys, texts: texts.isEmpty ? nil : texts)
        var reserved: Set<String> = ["\(name)VersionSpec"]
        let types = documents.groups.map { group in
            SwiftName.unique(typeName(group.version, newest: documents.groups.last?.version, name), among: &reserved)
        }
        var versions: [ScaffoldVersion] = []
        var steps: [StepCode] = []
        let shapes = documents.groups.map { group in
            var shape = group.shape
            shape.remove(at: keys)
            return shape
        }
        for (position, group) in documents.groups.enumerated() {
            let others = shapes.indices.filter { $0 != position }.map { shapes[$0] }
            let number =
                group.version == .unversioned
                ? nil
                : group.isText ? texts.firstIndex(of: group.version.description).map { $0 + 1 } : group.version.number
            let version = ScaffoldVersion(
                version: group.version, number: number, type: types[position],
                types: InferredTypes(of: shapes[position], besides: others, reserved: reserved),
                documentCount: group.names.count)
            if let before = versions.last {
                steps.append(
                    StepCode(
                        from: before.types, named: before.type, to: version.types,
                        renames: documents.renames(from: documents.groups[position - 1], to: group)))
            }
            versions.append(version)
        }
        return ScaffoldPackage(
            name: name, versions: versions, steps: steps, spec: spec,
            allowsJSON5: documents.groups.contains(where: \.hasJSON5),
            samples: try documents.groups.map { group in
                (try group.sample.textAsRead ?? group.sample.data(like: group.sample), group.sample.fileEnding)
            }, inspector: clone ?? "../MigrationInspector")
    }

    /// Returns the name of a version's type: that of the newest is the name alone.
    private func typeName(_ version: DocumentVersion, newest: DocumentVersion?, _ name: String) -> String {
        if version == newest { return name }
        if version == .unversioned { return "\(name)Unversioned" }
        let words = version.description.split { !$0.isLetter && !$0.isNumber || !$0.isASCII }
        return "\(name)V\(words.joined(separator: "_"))"
    }

    /// Returns a name for the documents: that of their files if all have the same one, otherwise that of the folder.
    private func typeName(of documents: [DocumentReference]) -> String {
        let names = Set(documents.map { URL(filePath: $0.file.plainText).lastPathComponent })
        let given = walker.given.first.map { URL(filePath: $0.path.plainText).lastPathComponent } ?? ""
        let name = names.count == 1 ? names.first ?? given : given
        let stem = name.split(separator: ".").first.map(String.init) ?? name
        let type = SwiftName.singular(SwiftName.type(stem))
        return SwiftName.takenTypes.contains(type) ? "\(type)Document" : type
    }

    /// The folder of the clone that this program was built in; nil if it isn't in one.
    private var clone: String? {
        let room = DemoData.folder(named: "Sources/MigrationInspector")
        return room?.deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
    }

    // MARK: The summary

    private func summary(of package: ScaffoldPackage, in documents: DocumentCollection) -> String {
        let widest = package.versions.map(\.type.count).max() ?? 0
        var lines = package.versions.map { version in
            let padding = String(repeating: " ", count: widest - version.type.count)
            let count = version.documentCount == 1 ? "1 document" : "\(version.documentCount) documents"
            return "\(version.type)\(padding)  \(version.words), \(count)"
        }
        for (version, step) in zip(package.versions.dropFirst(), package.steps) where !step.unwritten.isEmpty {
            lines.append("to write in \(version.type).swift: \(step.unwritten.joined(separator: ", "))")
        }
        return lines.map { SafeText.line($0) }.joined(separator: "\n")
    }
}

extension Document {
    /// The ending of a file with the document.
    fileprivate var fileEnding: String {
        switch format {
        case .json: "json"
        case .json5: "json5"
        case .plistXML, .plistBinary: "plist"
        }
    }
}

extension FilePath {
    /// The path as text to make a name of. Bytes that aren't UTF-8 are replaced.
    fileprivate var plainText: String { String(decoding: bytes, as: UTF8.self) }
}
