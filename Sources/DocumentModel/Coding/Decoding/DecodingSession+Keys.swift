import Foundation

extension DecodingSession {
    /// What turns the names in the object at `path` into those that types ask for.
    func keyConversion(at path: CodingPathNode?) -> (String) -> String {
        guard !hasDefaultKeys else { return { $0 } }
        switch strategies.keys {
        case .useDefaultKeys: return { $0 }
        case .convertFromSnakeCase: return SnakeCase.toCamelCase
        case .custom(let convert):
            let keys = path.keys
            return { convert(keys + [PathCodingKey($0)]).stringValue }
        @unknown default: return { $0 }
        }
    }
}
