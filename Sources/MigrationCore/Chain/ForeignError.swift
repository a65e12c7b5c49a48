import DocumentModel

/// An error of a decoder that the app created itself, inside a type or a step. Its path leads into the input of that
/// decoder, usually a document inside a string or data value of the outer document.
struct ForeignError {
    /// The path of the error in the outer document, or the root if the path is not known.
    let path: DocumentPath

    /// Creates the error. Returns nil if it isn't one of such a decoder, or its path leads into the outer document.
    ///
    /// - Parameter record: The record with the errors of the outer document's decoder.
    init?(_ error: any Error, in root: DocumentNode, _ record: ReadRecord?) {
        guard let error = error as? DecodingError, record?.detail(of: error) == nil, let place = Place(error) else {
            return nil
        }
        let holders = root.nodes.filter { node in
            node.kind != .key && node.held.map { place.isIn($0.document.root) } ?? false
        }
        // A key that is missing in one document is missing in many. A value that exists in two could be the one in
        // either.
        let isOutside = place.isIn(root)
        switch holders.count {
        case 0:
            if isOutside { return nil }
            path = .root
        case 1 where place.isMissing || !isOutside: path = holders[0].path.appending(place.path)
        default: path = .root
        }
    }

    /// The path and the kind of problem that a decoder reports.
    private struct Place {
        let path: DocumentPath
        /// Whether the problem is a missing key.
        let isMissing: Bool

        /// Creates the place of an error thrown by one of Foundation's decoders. Returns nil if the error has an
        /// author's own message, because its path leads into the outer document.
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

        /// Returns whether the error could be about the given document.
        func isIn(_ root: DocumentNode) -> Bool {
            let (node, rest) = root.deepestDescendant(along: path)
            return isMissing ? rest.count == 1 && node.kind == .object : rest.isEmpty
        }
    }
}
