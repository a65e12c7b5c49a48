/// Documents can be decoded and encoded as generic values.
///
///     struct Step: Codable {
///         var before: Document
///     }
///
/// ``DocumentDecoder`` and ``DocumentEncoder`` preserve the document: the spelling of numbers, the order of keys, and
/// duplicate keys. When it is encoded as JSON, values that JSON cannot express are encoded as ``JSONWriter`` writes
/// them (`{"$date": …}`, `{"$data": …}`, `{"$real": …}`).
///
/// - Warning: Other coders preserve less. JSONDecoder and JSONEncoder lose the order of keys, duplicate keys and the
///   spelling of numbers, and represent numbers that don't fit in 64-bit integers as `Decimal` or `Double`.
extension Document: Codable {
    /// Reads the value at the decoder's position, with everything inside it.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that exists neither in JSON nor in property lists.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? NodeDecoder {
            self = decoder.document()
        } else {
            self = try GenericDocument.decode(from: decoder)
        }
    }

    /// Writes the whole document.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? ValueEncoder {
            encoder.splice(root)
        } else {
            try GenericDocument.encode(root, to: encoder)
        }
    }
}

extension NodeDecoder {
    /// Returns the value at the decoder's position as a separate document.
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
