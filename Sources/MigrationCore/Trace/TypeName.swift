/// Returns the name of a type as authors write it, such as `[String: Int]` where the type's description is
/// `Dictionary<String, Int>`.
func typeName(_ type: any Any.Type) -> String {
    (type as? any WrittenShort.Type)?.shortName ?? String(describing: type)
}

/// A type that is written in a short form, or that contains values of such types.
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
