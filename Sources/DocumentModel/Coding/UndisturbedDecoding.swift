import Foundation

/// Does what a JSONDecoder does to a document as long as nothing goes wrong, several times as fast: the text is parsed
/// once, and every value is made from the tape.
///
/// Whatever JSONDecoder has to say of a document it shall say itself. So there is no value, and JSONDecoder is to be
/// asked, where this decoder threw anything, even if the decoded type caught it; where the text is not plain JSON in
/// UTF-8 with an object or an array at its root; and where the decoder is of a subclass, or is set to what is not known
/// here.
package struct UndisturbedDecoding {
    private let root: DocumentNode
    private let strategies: DecodingStrategies

    /// Parses the document; nil where JSONDecoder is to be asked.
    package init?(_ data: Data, as decoder: JSONDecoder) {
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary else {
            return nil
        }
        strategies = DecodingStrategies(matching: decoder)
        guard strategies.areKnown, let document = try? Document(parsing: SourceBytes(data)), document.format == .json,
            document.encoding == .utf8, document.leniencies.isEmpty, document.root.kind.isContainer
        else { return nil }
        root = document.root
    }

    /// The value of the document; nil where JSONDecoder is to be asked.
    package func value<Value: Decodable>(_ type: Value.Type) -> Value? {
        let session = DecodingSession(root.document, strategies: strategies, record: nil)
        let value = try? NodeDecoder(session: session, index: root.index, place: CodingPlace(nil))
            .value(type, at: root.index, CodingPlace(nil))
        return session.hasThrown ? nil : value
    }
}

extension DecodingStrategies {
    /// Whether all of them are strategies that are known here: another version of Foundation may have more.
    fileprivate var areKnown: Bool {
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: break
        #if canImport(Darwin)
            case .formatted: break
        #endif
        @unknown default: return false
        }
        switch data {
        case .deferredToData, .base64, .custom: break
        @unknown default: return false
        }
        switch keys {
        case .useDefaultKeys, .convertFromSnakeCase, .custom: break
        @unknown default: return false
        }
        switch nonConformingFloats {
        case .throw, .convertFromString: return true
        @unknown default: return false
        }
    }
}
