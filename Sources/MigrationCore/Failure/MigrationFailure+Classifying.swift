import DocumentModel
import Foundation

extension MigrationFailure {
    /// The failure that an error stands for, as far as the error itself says.
    init(classifying error: any Error) {
        switch error {
        case VersionedDecodingError.fieldNoLongerValid(let context): self.init(.fieldNoLongerValid, context)
        case VersionedDecodingError.unsupportedVersion(let tried):
            self.init(kind: .unsupportedVersion, message: "No version fits; the last one tried was \(tried)")
        case DecodingError.keyNotFound(let key, let context): self.init(.keyNotFound, context, key)
        case DecodingError.typeMismatch(_, let context): self.init(.typeMismatch, context)
        case DecodingError.valueNotFound(_, let context): self.init(.valueNotFound, context)
        case DecodingError.dataCorrupted(let context):
            // Where Foundation's error blames the whole document, the detail behind it knows the value.
            if let detail = context.underlyingError as? DecodingErrorDetail {
                self.init(
                    kind: .dataCorrupted, path: DocumentPath(codingPath: detail.codingPath),
                    message: "Not representable")
            } else {
                self.init(.dataCorrupted, context)
            }
        default: self.init(kind: .thrown, message: Self.words(for: error))
        }
    }

    private init(_ kind: Kind, _ context: DecodingError.Context, _ key: (any CodingKey)? = nil) {
        self.init(
            kind: kind, path: DocumentPath(codingPath: context.codingPath + [key].compactMap(\.self)),
            message: context.debugDescription)
    }

    /// What an error says to a person.
    static func words(for error: any Error) -> String {
        if let description = (error as? any LocalizedError)?.errorDescription { return description }
        // An NSError describes itself with its domain and code.
        return Swift.type(of: error) is NSError.Type ? error.localizedDescription : String(describing: error)
    }
}
