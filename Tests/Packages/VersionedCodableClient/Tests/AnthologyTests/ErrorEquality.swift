import MigrationCore

// The library leaves this conformance to its users, and tests need it to compare errors.
// swift-format-ignore: AvoidRetroactiveConformances
extension VersionedDecodingError: @retroactive Equatable {
    public static func == (left: VersionedDecodingError, right: VersionedDecodingError) -> Bool {
        switch (left, right) {
        case (.unsupportedVersion(let leftType), .unsupportedVersion(let rightType)): leftType == rightType
        case (.fieldNoLongerValid, .fieldNoLongerValid): true
        default: false
        }
    }
}

func isTypeMismatch<T>(_ error: any Error, against type: T.Type) -> Bool {
    if case DecodingError.typeMismatch(let mismatched, _) = error { mismatched == T.self } else { false }
}
