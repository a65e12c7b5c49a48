import Foundation

/// Returns the memory in use in bytes, or 0 if the system doesn't report it (proc(5)).
func memory() -> Int {
    let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
}

/// Writes documents made from those in a folder.
func write(_ count: Int, from source: String, to folder: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let names = try FileManager.default.subpathsOfDirectory(atPath: source).sorted().filter { !$0.hasSuffix(".sqlite") }
    let texts = names.compactMap { name in
        (try? Data(contentsOf: URL(filePath: "\(source)/\(name)"))).map { (name, [UInt8]($0)) }
    }
    for number in 0..<count {
        var (name, bytes) = texts[random.below(texts.count)]
        if random.below(2) == 0 { Mutator.json.mutate(&bytes, times: 1, &random) }
        let place = "\(folder)/\(number % 100)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: "\(place)/\(number).\(URL(filePath: name).pathExtension)"))
    }
}

let help = """
    Soak [SEED [KEYS [DOCUMENTS]]]

    Presses seeded random keys (200000) at the screens, over the demo-data and over a folder of documents (10000) made from it, and
    says how much memory is in use after each tenth. Ends with 1 where it grows after the first.
    """

let numbers = CommandLine.arguments.dropFirst().map { Int($0) }
guard numbers.count <= 3, !numbers.contains(nil), !numbers.contains(where: { $0 ?? 0 < 0 }) else {
    print(help)
    exit(64)
}
let given = numbers.compactMap(\.self)
let seed = UInt64(given.first ?? 1)
let keys = given.count > 1 ? given[1] : 200_000
let count = given.count > 2 ? given[2] : 10_000

let demoData = URL(filePath: #filePath).appending(path: "../../../../../../demo-data").standardized.path
let folder = FileManager.default.temporaryDirectory.appending(path: "soak-\(UUID().uuidString)").path
try write(count, from: demoData, to: folder, seed: seed)
var hasGrown = false
for place in [demoData, folder] {
    var person = try Person(folder: place, seed: seed)
    let start = Date()
    var tenths: [Int] = []
    for tenth in 1...10 {
        for _ in 0..<keys / 10 { person.act() }
        tenths.append(memory())
        if tenth == 10 { break }
    }
    let time = Date().timeIntervalSince(start)
    let megabytes = tenths.map { String(format: "%.1f", Double($0) / 1e6) }.joined(separator: " ")
    print(
        "\(person.documentCount) documents, \(keys) keys, \(Int(Double(keys) / time)) a second, MB after each tenth: \(megabytes)"
    )
    // The memory that the allocator keeps for later varies by a few MB.
    if let first = tenths.first, let last = tenths.last, last > first + first / 10 + 8_000_000 { hasGrown = true }
}
try FileManager.default.removeItem(atPath: folder)
exit(hasGrown ? 1 : 0)
