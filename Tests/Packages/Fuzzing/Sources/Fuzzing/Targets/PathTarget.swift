import DocumentModel
import DocumentSources

let pathTarget = FuzzTarget(
    name: "path", summary: "paths of values and of files; reached: printed and read again, and looked up"
) { try Paths() }

private struct Paths: FuzzSubject {
    private let root: DocumentNode
    private let mutator = Mutator([
        "$", ".", "[", "]", "['", "']", "\"", "\\", "\\u00", "[0]", "[*]", "[-1]", "[99999999999999999999]", "~0", "~1",
        "~",
        "/", "\u{301}", "\\x", "\\xE9", " ",
    ])

    init() throws {
        root = try Document(
            json: #"{"a": [1, {"b c": {"": null}}], "0": [[]], "version": 2, "é": {"~/": "x"}, "a": 3}"#
        ).root
    }

    func input(_ random: inout SplitMix64) -> [UInt8] {
        let components = (0..<random.below(5)).map { _ -> DocumentPath.Component in
            switch random.below(5) {
            case 0: .index(random.below(3))
            case 1: .everyElement
            case 2: .key(String(decoding: (0..<random.below(4)).map { _ in UInt8(random.below(256)) }, as: UTF8.self))
            default: .key(random.one(of: RandomJSON.names + ["a", "b c", "é"]))
            }
        }
        var bytes = Array(DocumentPath(components).description.utf8)
        if random.below(2) == 0 { mutator.mutate(&bytes, times: 1 + random.below(2), &random) }
        return bytes
    }

    func run(_ input: [UInt8]) throws -> Depth {
        let file = FilePath(input.filter { $0 != 0 })
        let found = FilePath(described: file.description) ?? FilePath(file.description)
        try Broken.unless(found.bytes == file.bytes, "the file \(file) is read as \(found)")
        let text = String(decoding: input, as: UTF8.self)
        if let pointer = DocumentPath(jsonPointer: "/" + text, in: root) { _ = root.descendant(at: pointer) }
        guard let path = DocumentPath(text) else { return .refused }
        let again = DocumentPath(path.description)
        try Broken.unless(again == path, "\(path) is read as \(again.map(\.description) ?? "nothing")")
        _ = root.descendant(at: path)
        _ = root.deepestDescendant(along: path)
        return path.components.isEmpty ? .parsed : .reached
    }
}
