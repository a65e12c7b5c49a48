import DocumentModel
import Foundation

extension Document {
    /// The JSON document that `data` is.
    ///
    /// - Throws: `DecodingError.dataCorrupted`, as JSONDecoder does.
    init(payload data: Data) throws {
        do {
            try self.init(parsing: SourceBytes(data))
        } catch let error as DocumentParseError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: error))
        }
    }
}
