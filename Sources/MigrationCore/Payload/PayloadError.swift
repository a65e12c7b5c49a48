import DocumentModel
import Foundation

/// A payload holds something that no document of its format can hold.
struct PayloadError: ReasonedError {
    /// Where in the payload it is.
    var path: DocumentPath
    var found: String
    var format: DocumentFormat

    var reason: Reason { .unwritable(path: path, found: found, isPropertyList: format.isPropertyList) }
}

/// What a closure threw, and the one top-level field that it had taken away or changed by then, if there is just one.
struct PayloadStepError: Error {
    let thrown: any Error
    let touched: DocumentPath?

    init(_ thrown: any Error, before: [String: Any], after: [String: Any]) {
        self.thrown = thrown
        let touched = before.filter { name, value in
            !NSDictionary(dictionary: [name: value]).isEqual(to: [name: after[name] ?? NSNull()])
        }
        self.touched = touched.count == 1 ? touched.first.map { DocumentPath([.key($0.key)]) } : nil
    }
}
