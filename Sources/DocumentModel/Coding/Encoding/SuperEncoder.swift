/// The encoder for a superclass: what is encoded with it goes into a container of the subclass's encoder once nobody holds it any more,
/// which is how Foundation's encoders learn that it is complete.
final class SuperEncoder: ValueEncoder {
    enum Target {
        case member(EncodedObject, String)
        case element(EncodedArray, Int)
    }

    private let target: Target

    init(of encoder: ValueEncoder, step: CodingPathNode.Step, target: Target) {
        self.target = target
        super.init(session: encoder.session, path: encoder.path.appending(step))
    }

    deinit {
        let value = value ?? .object(EncodedObject())
        switch target {
        case .member(let object, let name): object[name] = value
        case .element(let array, let position): array.elements.insert(value, at: min(position, array.elements.count))
        }
    }
}
