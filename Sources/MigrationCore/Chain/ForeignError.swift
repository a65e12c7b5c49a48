import DocumentModel

/// An error of a decoder that the app made itself, inside of a type or a step: the path counts in what that decoder
/// decodes, as a rule a document that a string or data of the outer one holds.
struct ForeignError {
    /// Where the error is in the outer document; the root where that is not known.
    let path: DocumentPath

    /// The error, where it is one of such a decoder and its path is not one of the outer document.
    ///
    /// - Parameter record: Knows the errors of the decoder of the outer document.
    init?(_ error: any Error, in root: DocumentNode, _ record: ReadRecord?) {
        guard let error = error as? DecodingError, record?.detail(of: error) == nil, let place = Place(error) else {
            return nil
        }
        let holders = root.nodes.filter { node in
            node.kind != .key && node.held.map { place.isIn($0.document.root) } ?? false
        }
        // A key that is missing in one document is missing in many; a value that is there in two may be either's.
        let isOutside = place.isIn(root)
        switch holders.count {
        case 0:
            if isOutside { return nil }
            path = .root
        case 1 where place.isMissing || !isOutside: path = holders[0].path.appending(place.path)
        default: path = .root
        }
    }

    /// Where a decoder says that something is wrong, and what.
    private struct Place {
        let path: DocumentPath
        /// Whether it is a key that is not there.
        let isMissing: Bool

        /// The place of an error that a decoder of Foundation throws; nil for one of an author's own words, whose path is one
        /// of the document.
        init?(_ error: DecodingError) {
            switch error {
            case .keyNotFound(let key, let context):
                guard context.debugDescription.hasPrefix("No value associated with key ") else { return nil }
                (path, isMissing) = (DocumentPath(codingPath: context.codingPath + [key]), true)
            case .typeMismatch(_, let context), .valueNotFound(_, let context):
                let begins = ["Expected to decode ", "Cannot get ", "Expected "]
                guard begins.contains(where: context.debugDescription.hasPrefix) else { return nil }
                (path, isMissing) = (DocumentPath(codingPath: context.codingPath), false)
            case .dataCorrupted(let context):
                let begins = [
                    "Cannot initialize ", "Parsed JSON number ", "Expected date string ", "Invalid URL string",
                ]
                guard begins.contains(where: context.debugDescription.hasPrefix) else { return nil }
                (path, isMissing) = (DocumentPath(codingPath: context.codingPath), false)
            @unknown default: return nil
            }
        }

        /// Whether the error may be one of the document.
        func isIn(_ root: DocumentNode) -> Bool {
            let (node, rest) = root.deepestDescendant(along: path)
            return isMissing ? rest.count == 1 && node.kind == .object : rest.isEmpty
        }
    }
}
