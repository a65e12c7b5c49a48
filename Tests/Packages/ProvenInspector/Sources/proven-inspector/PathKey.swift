/// A key or an index in a coding path.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ key: String) {
        stringValue = key
        intValue = nil
    }

    init(_ position: Int) {
        stringValue = "Index \(position)"
        intValue = position
    }

    init?(stringValue: String) { self.init(stringValue) }

    init?(intValue: Int) { self.init(intValue) }
}
