/// A document is itself a value that can be decoded and encoded: as the generic value it holds.
///
///     struct Step: Codable {
///         var before: Document
///     }
///
/// Through ``DocumentDecoder`` and ``DocumentEncoder`` it goes over as it is: numbers as they are written, keys in
/// their order, duplicates too. Encoded into JSON, a value that JSON cannot express becomes what ``JSONWriter`` writes
/// for it (`{"$date": …}`, `{"$data": …}`, `{"$real": …}`).
///
/// - Warning: Through other coders it is what these let through: JSONDecoder and JSONEncoder lose the order of keys,
///   duplicates, and the spelling of numbers, and hold numbers that fit no 64-bit integer as `Decimal` or `Double`.
extension Document: Codable {
    /// Reads the value that the decoder stands at, with everything inside it.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that neither JSON nor a property list can hold.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? NodeDecoder {
            self = decoder.document()
        } else {
            self = try GenericDocument.decode(from: decoder)
        }
    }

    /// Writes the whole document.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? TapeEncoder {
            encoder.splice(root)
        } else if let encoder = encoder as? ValueEncoder {
            encoder.splice(root)
        } else {
            try GenericDocument.encode(root, to: encoder)
        }
    }
}

extension NodeDecoder {
    /// The value at which the decoder stands, as a document of its own.
    fileprivate func document() -> Document {
        guard let index else {
            var builder = DocumentBuilder()
            builder.null()
            return builder.finish(format: session.document.format)
        }
        let node = session.node(index)
        session.record?.insert(allOf: node)
        return index == 0 ? session.document : Document(copying: node)
    }
}
