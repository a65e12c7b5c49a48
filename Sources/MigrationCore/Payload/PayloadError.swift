import DocumentModel

/// A payload holds something that no document of its format can hold.
struct PayloadError: ReasonedError {
    /// Where in the payload it is.
    var path: DocumentPath
    var found: String
    var format: DocumentFormat

    var reason: Reason { .unwritable(path: path, found: found, isPropertyList: format.isPropertyList) }
}
