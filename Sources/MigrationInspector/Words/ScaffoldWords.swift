import DocumentModel
import MigrationCore

/// The texts of `scaffold`.
enum ScaffoldWords {
    static let tooDeep = "it is nested too deeply to be decoded"
    static let noObject = "its root is no object, so it has no place for a version"
    static let textAmongNumbers = "its version is a text, and that of others is a number"
    static let nothingToInfer = "no document is left to infer types from"

    static func noVersion(at path: DocumentPath?) -> String {
        "its version at \(path?.description ?? "$") is neither a whole number nor a text"
    }

    static func leftOut(_ name: String, because reason: String) -> String { "\(name) is left out: \(reason)" }

    static func isNotEmpty(_ folder: String) -> String { "\(folder) exists and is not empty; nothing is written" }

    static func unknownInspector(in file: String) -> String {
        "the folder with a clone of Migration Inspector is not known here; name it in \(file)"
    }
}
