/// The settings of a decoder or an encoder, which are passed on with each document. One object holds them, so that to pass
/// them on counts one reference.
final class SharedSettings<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
