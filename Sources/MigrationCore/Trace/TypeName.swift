/// The name of a type as its author writes it: `[String: Int]`, which describes itself as `Dictionary<String, Int>`.
func typeName(_ type: any Any.Type) -> String {
    (type as? any WrittenShort.Type)?.shortName ?? String(describing: type)
}

/// A type that authors write in a short form, or that holds values of such types.
private protocol WrittenShort {
    static var shortName: String { get }
}

extension Array: WrittenShort {
    fileprivate static var shortName: String { "[\(typeName(Element.self))]" }
}

extension Dictionary: WrittenShort {
    fileprivate static var shortName: String { "[\(typeName(Key.self)): \(typeName(Value.self))]" }
}

extension Set: WrittenShort {
    fileprivate static var shortName: String { "Set<\(typeName(Element.self))>" }
}

extension Optional: WrittenShort {
    fileprivate static var shortName: String { "\(typeName(Wrapped.self))?" }
}
