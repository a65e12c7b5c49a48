extension Decoder {
    /// The value at which a ``DocumentDecoder``'s decoder stands while a type decodes itself from it; nil for any other decoder, and
    /// where there is no value. To look at it is not to read it.
    public var documentNode: DocumentNode? {
        (self as? NodeDecoder).flatMap { decoder in decoder.index.map { decoder.session.node($0) } }
    }

    /// Where the decoder notes what is read, if anybody wants to know.
    public var readRecord: ReadRecord? { (self as? NodeDecoder)?.session.record }
}
