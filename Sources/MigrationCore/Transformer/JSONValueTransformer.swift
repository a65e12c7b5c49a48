// Foundation has `ValueTransformer` on Apple's systems only.
#if canImport(Darwin)
    import Foundation

    /// A ``JSONDataTransformer`` as SwiftData and Core Data take it, for an attribute that is stored as JSON.
    ///
    ///     typealias BookMetadataTransformer = JSONValueTransformer<BookMetadata>
    ///
    ///     @Model final class Book {
    ///         @Attribute(.transformable(by: BookMetadataTransformer.self)) var meta: BookMetadata
    ///     }
    ///
    ///     BookMetadataTransformer.register()  // before the first ModelContainer is made
    ///
    /// `ValueTransformer` cannot throw, so an error goes to ``reportError``, and the attribute is nil. Set
    /// ``reportError`` to learn of it: SwiftData will tell you no more than that a value is missing. To handle errors
    /// where they occur, use ``JSONDataTransformer`` with an attribute of type `Data`.
    ///
    /// - Warning: An attribute that came out as nil because of an error is stored as nil when the object is saved.
    ///   Where that must not happen, end the app's work on the object in ``reportError``.
    open class JSONValueTransformer<Value: Codable>: ValueTransformer {
        /// The coders; override it for strategies of your own.
        open var transformer: JSONDataTransformer<Value> { JSONDataTransformer() }

        /// Told of every error; override it to do more than write it to the system's log.
        ///
        /// - Parameter error: What ``JSONDataTransformer`` threw.
        open func reportError(_ error: any Error) { NSLog("%@: %@", String(describing: Self.self), "\(error)") }

        /// What the store gets: data.
        open override class func transformedValueClass() -> AnyClass { NSData.self }

        /// Stored data is made into values again.
        open override class func allowsReverseTransformation() -> Bool { true }

        /// The data for a value; nil for no value, for one of another type, and after an error.
        open override func transformedValue(_ value: Any?) -> Any? {
            guard let value = value as? Value else { return nil }
            do {
                return try transformer.data(from: value)
            } catch {
                reportError(error)
                return nil
            }
        }

        /// The value for stored data; nil for no data or empty data, and after an error.
        open override func reverseTransformedValue(_ value: Any?) -> Any? {
            do {
                return try transformer.valueIfPresent(from: value as? Data)
            } catch {
                reportError(error)
                return nil
            }
        }

        /// Makes the transformer known under the name of its type, or another.
        public class func register(as name: String? = nil) {
            let name = NSValueTransformerName(name ?? String(describing: Self.self))
            setValueTransformer(Self(), forName: name)
        }

        /// Makes a transformer.
        public required override init() { super.init() }
    }
#endif
