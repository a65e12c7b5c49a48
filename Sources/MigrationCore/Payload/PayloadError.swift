import DocumentModel

/// A payload holds something that no document of its format can hold.
struct PayloadError: Error, CustomStringConvertible {
    /// Where in the payload it is.
    var path: DocumentPath
    var found: String
    var format: DocumentFormat

    var description: String {
        let more = format.isPropertyList ? ", dates and data" : ""
        return "The migration left \(found) at \(path); a payload holds strings, finite numbers, booleans, NSNull, "
            + "arrays and dictionaries\(more)"
    }
}
