/// The settings of a decoder or an encoder, which are used for each document. They are in an object, so that passing
/// them costs a single reference count.
final class SharedSettings<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
