// Foundation has `ValueTransformer` only on Apple platforms.
#if canImport(Darwin)
    import Foundation

    /// A ``JSONDataTransformer`` for use with SwiftData and Core Data, for an attribute that is stored as JSON.
    ///
    ///     typealias BookMetadataTransformer = JSONValueTransformer<BookMetadata>
    ///
    ///     @Model final class Book {
    ///         @Attribute(.transformable(by: BookMetadataTransformer.self)) var meta: BookMetadata
    ///     }
    ///
    ///     BookMetadataTransformer.register()  // before the first ModelContainer is made
    ///
    /// `ValueTransformer` cannot throw, so an error is passed to ``reportError``, and the attribute is nil. Override
    /// ``reportError`` to find out about errors: SwiftData reports only that a value is missing. To handle errors where
    /// they occur, use ``JSONDataTransformer`` with an attribute of type `Data`.
    ///
    /// - Warning: An attribute that is nil because of an error is stored as nil when the object is saved. If that must
    ///   not happen, stop the app's work on the object in ``reportError``.
    open class JSONValueTransformer<Value: Codable>: ValueTransformer {
        /// The transformer with its coders. Override it to use your own strategies.
        open var transformer: JSONDataTransformer<Value> { JSONDataTransformer() }

        /// Handles an error. Override it to do more than write the error to the system log.
        ///
        /// - Parameter error: The error that ``JSONDataTransformer`` threw.
        open func reportError(_ error: any Error) { NSLog("%@: %@", String(describing: Self.self), "\(error)") }

        /// Returns the class of the stored values: data.
        open override class func transformedValueClass() -> AnyClass { NSData.self }

        /// Returns true, because stored data is converted back to values.
        open override class func allowsReverseTransformation() -> Bool { true }

        /// Returns the data for a value. Returns nil for a missing value, for one of another type, and after an error.
        open override func transformedValue(_ value: Any?) -> Any? {
            guard let value = value as? Value else { return nil }
            do {
                return try transformer.data(from: value)
            } catch {
                reportError(error)
                return nil
            }
        }

        /// Returns the value of stored data. Returns nil for missing or empty data, and after an error.
        open override func reverseTransformedValue(_ value: Any?) -> Any? {
            do {
                return try transformer.valueIfPresent(from: value as? Data)
            } catch {
                reportError(error)
                return nil
            }
        }

        /// Registers the transformer under the name of its type, or another name.
        public class func register(as name: String? = nil) {
            let name = NSValueTransformerName(name ?? String(describing: Self.self))
            setValueTransformer(Self(), forName: name)
        }

        /// Creates a transformer.
        public required override init() { super.init() }
    }
#endif
