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
    ///   - strategies: How the value is decoded.
    init(
        _ error: any Error, in root: DocumentNode? = nil, _ record: ReadRecord? = nil,
        by strategies: DecodingStrategies = DecodingStrategies()
    ) {
        func path(_ keys: [any CodingKey]) -> DocumentPath {
            root?.path(ofCoding: keys, by: strategies) ?? DocumentPath(codingPath: keys)
        }
        switch error {
        case let error as ReasonError: self = error.reason
        case let error as ChainDeclarationError: self = .declared(error)
        case VersionedDecodingError.fieldNoLongerValid(let context):
            self = .field(
                path: path(context.codingPath),
                problem: .noLongerValid(message: context.debugDescription))
        case VersionedDecodingError.unsupportedVersion(let type):
            self = .unsupportedInside(type: typeName(type), tried: [])
        case let error as DecodingError:
            guard let detail = record?.detail(of: error) else {
                self.init(authors: error, path)
                return
            }
            let path = DocumentPath(codingPath: detail.codingPath)
            self.init(detail, root.flatMap { $0.descendant(at: $0.spelled(path, by: strategies)) })
        case let error as DocumentParseError: self = .malformed(problem: error.problem)
        case let error as any LocalizedError where error.errorDescription != nil:
            self = .thrown(message: error.errorDescription ?? "")
        // NSError's own description consists of its domain and code.
        case let error where Swift.type(of: error) is NSError.Type: self = .thrown(message: error.localizedDescription)
        default: self = .thrown(message: String(describing: error))
        }
    }

    /// Creates the reason for an error that the app's own type threw, or a decoder that the type uses.
    private init(authors error: DecodingError, _ path: ([any CodingKey]) -> DocumentPath) {
        func field(
            _ kind: MigrationFailure.Kind, _ context: DecodingError.Context, _ key: [any CodingKey] = []
        ) -> Reason {
            .field(
                path: path(context.codingPath + key), problem: .decoding(kind: kind, message: context.debugDescription))
        }
        self =
            switch error {
            case .keyNotFound(let key, let context): field(.keyNotFound, context, [key])
            case .typeMismatch(_, let context): field(.typeMismatch, context)
            case .valueNotFound(_, let context): field(.valueNotFound, context)
            case .dataCorrupted(let context): field(.dataCorrupted, context)
            @unknown default: .thrown(message: String(describing: error))
            }
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
