/// The settings of a decoder or an encoder, which are passed on with each document: as one object, whose references are
/// one to count.
final class SharedSettings<Value: Sendable>: Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
