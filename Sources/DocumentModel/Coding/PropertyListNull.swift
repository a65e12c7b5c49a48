/// What PropertyListEncoder writes, and PropertyListDecoder reads, in place of null, which property lists have no word for.
enum PropertyListNull {
    static let text: StaticString = "$null"
    static let string = "$null"
}
