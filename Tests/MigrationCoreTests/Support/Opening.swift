import DocumentModel
import Foundation
import MigrationCore

extension MigrationChain {
    func trace(json: String, to target: DocumentVersion? = nil) throws -> MigrationTrace {
        trace(try Document(json: json), source: "test.json", to: target)
    }

    func check(json: String, to target: DocumentVersion? = nil) throws -> CheckResult {
        check(try Document(json: json), source: "test.json", to: target)
    }
}

extension DocumentPath {
    /// The path with the given text, or nil if the text is not a path.
    static func of(_ text: String) -> DocumentPath? { DocumentPath(text) }
}

func compact(_ document: Document?) -> String? { document.map { JSONWriter().string($0.root) } }
