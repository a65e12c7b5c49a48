import DocumentModel
import Foundation

/// An error that carries the reason it stands for.
protocol ReasonedError: Error {
    var reason: Reason { get }
}

extension Reason {
    /// The reason that an error stands for.
    ///
    /// - Parameters:
    ///   - root: The value that was decoded, where the error's paths begin; nil for an error that is judged by itself.
    ///   - record: Knows whether the error is the decoder's own, and what it is about.
    ///   - spell: The path in the names of the document.
    init(
        _ error: any Error, in root: DocumentNode? = nil, _ record: ReadRecord? = nil,
        spell: (DocumentPath) -> DocumentPath = { $0 }
    ) {
        switch error {
        case let error as any ReasonedError: self = error.reason
        case VersionedDecodingError.fieldNoLongerValid(let context):
            self = .noLongerValid(path: DocumentPath(codingPath: context.codingPath), message: context.debugDescription)
        case VersionedDecodingError.unsupportedVersion(let type):
            self = .unsupportedInside(type: String(describing: type), tried: [])
        case let error as DecodingError:
            guard let detail = record?.detail(of: error) else {
                self.init(authors: error)
                return
            }
            self.init(detail, root?.descendant(at: spell(DocumentPath(codingPath: detail.codingPath))))
        case let error as DocumentParseError: self = .malformed(found: error.found, expected: error.expected)
        case let error as any LocalizedError where error.errorDescription != nil:
            self = .thrown(message: error.errorDescription ?? "")
        // An NSError describes itself with its domain and code.
        case let error where Swift.type(of: error) is NSError.Type: self = .thrown(message: error.localizedDescription)
        default: self = .thrown(message: String(describing: error))
        }
    }

    /// An error of the app's own type, or of a decoder that the type uses.
    private init(authors error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init(.keyNotFound, context, key)
        case .typeMismatch(_, let context): self.init(.typeMismatch, context)
        case .valueNotFound(_, let context): self.init(.valueNotFound, context)
        case .dataCorrupted(let context): self.init(.dataCorrupted, context)
        @unknown default: self = .thrown(message: String(describing: error))
        }
    }

    private init(_ kind: MigrationFailure.Kind, _ context: DecodingError.Context, _ key: (any CodingKey)? = nil) {
        let path = DocumentPath(codingPath: context.codingPath + [key].compactMap(\.self))
        self = .decoding(path: path, kind: kind, message: context.debugDescription)
    }

    /// An error of the decoder's own, about `node`.
    init(_ detail: DecodingErrorDetail, _ node: DocumentNode?) {
        let path = DocumentPath(codingPath: detail.codingPath)
        let found = node.map(FoundValue.init)
        let isDate = detail.type == Date.self
        switch detail.problem {
        case .missingKey(let name): self = .missingKey(path: path.appending(key: name))
        case .missingValue(let type): self = .missingValue(path: path, expected: ExpectedValue(detail.type ?? type))
        case .mismatch(let type):
            if isDate, let node, let found {
                self = .wrongDate(path: path, found: found, form: DateForm(node))
            } else {
                self = .mismatch(path: path, expected: ExpectedValue(type), found: found)
            }
        case .noDate:
            let found = found ?? FoundValue(kind: "string", text: "something else")
            self = .wrongDate(path: path, found: found, form: node.flatMap(DateForm.init))
        case .unrepresentable(let number, let type):
            self = .unrepresentable(path: path, number: number, type: String(describing: type))
        case .noCase(let cases):
            let type = detail.type.map { String(describing: $0) } ?? ""
            self = .noCase(path: path, type: type, found: found, cases: cases)
        case .noBase64: self = .wrongText(path: path, expected: "Base64", found: found)
        case .noURL: self = .wrongText(path: path, expected: "URL", found: found)
        }
    }
}
