import DocumentModel
import Foundation

/// An error that carries its reason.
struct ReasonError: Error, CustomStringConvertible {
    let reason: Reason

    var description: String { reason.description }
}

extension Reason {
    /// Creates the reason for an error.
    ///
    /// - Parameters:
    ///   - root: The decoded value, which the error's paths start at. Nil if the error is judged without a document.
    ///   - record: The record of reads, which knows whether the decoder itself threw the error, and what the error is
    ///     about.
    ///   - spell: Converts a path to the names used in the document.
    init(
        _ error: any Error, in root: DocumentNode? = nil, _ record: ReadRecord? = nil,
        spell: (DocumentPath) -> DocumentPath = { $0 }
    ) {
        switch error {
        case let error as ReasonError: self = error.reason
        case let error as ChainDeclarationError: self = .declared(error)
        case VersionedDecodingError.fieldNoLongerValid(let context):
            self = .field(
                path: DocumentPath(codingPath: context.codingPath),
                problem: .noLongerValid(message: context.debugDescription))
        case VersionedDecodingError.unsupportedVersion(let type):
            self = .unsupportedInside(type: typeName(type), tried: [])
        case let error as DecodingError:
            guard let detail = record?.detail(of: error) else {
                self.init(authors: error)
                return
            }
            self.init(detail, root?.descendant(at: spell(DocumentPath(codingPath: detail.codingPath))))
        case let error as DocumentParseError: self = .malformed(problem: error.problem)
        case let error as any LocalizedError where error.errorDescription != nil:
            self = .thrown(message: error.errorDescription ?? "")
        // NSError's own description consists of its domain and code.
        case let error where Swift.type(of: error) is NSError.Type: self = .thrown(message: error.localizedDescription)
        default: self = .thrown(message: String(describing: error))
        }
    }

    /// Creates the reason for an error that the app's own type threw, or a decoder that the type uses.
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
        self = .field(path: path, problem: .decoding(kind: kind, message: context.debugDescription))
    }

    /// Creates the reason for an error of the decoder itself, about `node`.
    init(_ detail: DecodingErrorDetail, _ node: DocumentNode?) {
        var path = DocumentPath(codingPath: detail.codingPath)
        if case .missingKey(let name) = detail.problem { path = path.appending(key: name) }
        self = .field(path: path, problem: FieldProblem(detail, node))
    }
}

extension FieldProblem {
    fileprivate init(_ detail: DecodingErrorDetail, _ node: DocumentNode?) {
        let found = node.map(FoundValue.init)
        switch detail.problem {
        case .missingKey: self = .missingKey
        case .missingValue(let type): self = .missingValue(expected: ExpectedValue(detail.type ?? type))
        case .mismatch(let type):
            if detail.type == Date.self, let node, let found {
                self = .wrongDate(found: found, form: DateForm(node), reads: detail.dates.flatMap(DateForm.init))
            } else {
                self = .mismatch(expected: ExpectedValue(type), found: found)
            }
        case .noDate:
            self = .wrongDate(
                found: found ?? FoundValue(kind: "string", text: ""), form: node.flatMap(DateForm.init),
                reads: detail.dates.flatMap(DateForm.init))
        case .unrepresentable(let number, let type):
            self = .unrepresentable(number: number.abbreviated(), type: typeName(type))
        case .noCase(let cases): self = .noCase(type: detail.type.map(typeName) ?? "", found: found, cases: cases)
        case .noKey(let name, let cases):
            self = .noCase(
                type: detail.type.map(typeName) ?? "", found: FoundValue(Document(text: name).root), cases: cases)
        case .noBase64: self = .wrongText(expected: "Base64", found: found)
        case .noURL: self = .wrongText(expected: "URL", found: found)
        }
    }
}
