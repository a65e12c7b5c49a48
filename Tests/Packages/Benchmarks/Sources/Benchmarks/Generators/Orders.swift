import Foundation

/// Generates orders of the first version as text, from a seed.
struct Orders {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let names = ["Ada", "Grace", "Barbara", "Edsger", "Alan", "Katherine", "Donald", "Radia"]
    private static let surnames = ["Marsh", "Oakley", "Field", "Sorrel", "Thorne", "Wilde", "Ash", "Beck"]
    private static let cities = ["Crewe", "York", "Leeds", "Bath", "Truro", "Ely"]
    private static let adjectives = ["Brass", "Oak", "Blue", "Small", "Round", "Soft", "Heavy", "Plain"]
    private static let things = ["gear", "lamp", "chair", "kettle", "spanner", "cushion", "teapot", "hinge"]

    /// Returns an order of `count` lines.
    ///
    /// - Parameter note: The customer's note, without characters that JSON escapes, or `nil` for none.
    mutating func order(lines count: Int, note: String? = nil) -> String {
        var text = opening()
        for index in 0..<count { text += (index == 0 ? "" : ",") + line() }
        return text + Self.closing(note: note)
    }

    /// Returns an order of exactly `size` bytes: as many lines as fit, and a note that fills the rest.
    mutating func order(bytes size: Int) -> String { document(bytes: size, opening()) }

    /// Returns a basket of exactly `size` bytes.
    mutating func basket(bytes size: Int) -> String {
        document(
            bytes: size,
            """
            {"version":1,"owner":"\(random.one(of: Self.names)) \(random.one(of: Self.surnames))",\
            "opened":"2021-0\(1 + random.below(9))-1\(random.below(10))","lines":[
            """)
    }

    private mutating func document(bytes size: Int, _ opening: String) -> String {
        var text = opening
        var separator = ""
        while true {
            let line = separator + line()
            guard text.utf8.count + line.utf8.count + Self.closing(note: "").utf8.count <= size else { break }
            text += line
            separator = ","
        }
        let rest = size - text.utf8.count - Self.closing(note: "").utf8.count
        return text + Self.closing(note: String(repeating: "x", count: max(rest, 0)))
    }

    private mutating func opening() -> String {
        """
        {"version":1,"number":\(10_000 + random.below(90_000)),"placed":"2021-0\(1 + random.below(9))-1\(random.below(10))",\
        "customer":"\(random.one(of: Self.names)) \(random.one(of: Self.surnames))",\
        "city":"\(random.one(of: Self.cities))","lines":[
        """
    }

    private static func closing(note: String?) -> String { note.map { #"],"note":"\#($0)"}"# } ?? "]}" }

    private mutating func line() -> String {
        """
        {"sku":"\(100_000 + random.below(900_000))",\
        "title":"\(random.one(of: Self.adjectives)) \(random.one(of: Self.things))",\
        "quantity":\(1 + random.below(9)),"cents":\(100 + random.below(9_900))}
        """
    }
}

/// Generates documents that fail, one kind of failure after another.
struct FailingDocuments {
    private var random = SplitMix64(seed: 50_000)
    private var index = 0

    /// Returns the next document: with a value that a step refuses, a missing key, a value of another kind, or an
    /// unknown version.
    mutating func next() -> String {
        defer { index += 1 }
        let number = random.below(90_000)
        return switch index % 4 {
        case 0: #"{"version":1,"code":"spring-\#(number)","percent":\#(101 + random.below(900))}"#
        case 1:
            #"{"version":1,"number":\#(number),"placed":"2021-03-14","custmer":"Ada Marsh","city":"Ely","lines":[]}"#
        case 2: #"{"version":1,"code":"spring-\#(number)","percent":"\#(random.below(100))"}"#
        default:
            #"{"version":9,"number":\#(number),"placed":"2021-03-14","customer":"Ada Marsh","city":"Ely","lines":[]}"#
        }
    }
}

/// Generates lock files of the first version, with about 1,120 bytes for each package.
enum LockFile {
    private static let words = ["async", "color", "fast", "glob", "json", "log", "path", "stream", "text", "yaml"]
    private static let licenses = ["MIT", "ISC", "Apache-2.0", "BSD-3-Clause"]

    private static func name(_ number: Int) -> String {
        "\(words[number % 10])-\(words[number / 10 % 10])-\(number)"
    }

    private static func version(_ random: inout SplitMix64) -> String {
        "\(random.below(9)).\(random.below(30)).\(random.below(10))"
    }

    private static func digest(_ count: Int, _ random: inout SplitMix64) -> String {
        String((0..<count / 8).map { _ in String(random.next(), radix: 36) }.joined().prefix(count))
    }

    private static func sentences(_ bytes: Int, _ random: inout SplitMix64) -> String {
        var text = "A package"
        while text.utf8.count < bytes { text += " \(random.one(of: words))" }
        return text
    }

    /// Returns a file with packages by name, whose dependencies have names too.
    static func text(packages count: Int) -> String {
        var random = SplitMix64(seed: 575_000)
        let packages = (0..<count).map { number in
            let dependencies = (0..<2 + random.below(5)).map { offset in
                #""\#(name((number + 1 + offset * 7) % count))":"^\#(version(&random))""#
            }
            return """
                "node_modules/\(name(number))":{"version":"\(version(&random))",\
                "resolved":"https://registry.example.com/\(name(number))/-/\(name(number)).tgz",\
                "integrity":"sha512-\(digest(86, &random))==","license":"\(random.one(of: licenses))",\
                "engines":{"node":">=\(10 + random.below(10))"},"description":"\(sentences(700, &random))",\
                "dependencies":{\(dependencies.joined(separator: ","))}}
                """
        }
        return #"{"version":1,"packages":{\#(packages.joined(separator: ","))}}"#
    }

    /// Returns a file with a list of packages, whose dependencies are lists of strings.
    static func text(listing count: Int) -> String {
        var random = SplitMix64(seed: 575_001)
        let packages = (0..<count).map { number in
            let dependencies = (0..<2 + random.below(5)).map { offset in
                #""\#(name((number + 1 + offset * 7) % count)) (>=\#(version(&random)))""#
            }
            let files = ["gz", "whl"].map { ending in
                #"{"file":"\#(name(number)).\#(ending)","hash":"sha256:\#(digest(64, &random))"}"#
            }
            return """
                {"name":"\(name(number))","version":"\(version(&random))","description":"\(sentences(690, &random))",\
                "optional":\(random.below(4) == 0),"files":[\(files.joined(separator: ","))],\
                "dependencies":[\(dependencies.joined(separator: ","))]}
                """
        }
        return #"{"version":1,"package":[\#(packages.joined(separator: ","))]}"#
    }
}

/// Generates Swift Package Manager's files of version 1.
enum PackageResolved {
    /// Returns a file of about this many bytes.
    static func text(bytes: Int) -> String { String(decoding: text(pins: bytes / 190), as: UTF8.self) }

    /// Returns a file with `count` pins, of about 190 bytes each.
    static func text(pins count: Int) -> Data {
        var random = SplitMix64(seed: 560_000)
        var data = Data(#"{"object":{"pins":["#.utf8)
        data.reserveCapacity(count * 200)
        for index in 0..<count {
            let revision = (0..<3).map { _ in String(random.next(), radix: 16) }.joined().prefix(40)
            let pin = """
                \(index == 0 ? "" : ",")
                {"package":"Package\(index)","repositoryURL":"https://example.com/owner\(random.below(1_000))/Package\(index).git",\
                "state":{"branch":null,"revision":"\(revision)","version":"\(random.below(10)).\(random.below(30)).0"}}
                """
            data.append(contentsOf: pin.utf8)
        }
        data.append(contentsOf: Data(#"]},"version":1}"#.utf8))
        return data
    }
}

/// Generates arrays of objects, the old and the new form of one document.
enum ObjectArrays {
    enum Change: String, CaseIterable {
        case insertedFirst = "insert-front"
        case changed = "change"
        case moved = "move"
    }

    /// Returns an array of `count` objects, before and after one change.
    static func pair(_ count: Int, _ change: Change) -> (old: Data, new: Data) {
        var random = SplitMix64(seed: 100_000)
        let old = (0..<count).map { index in
            #"{"id":\#(index),"name":"element \#(random.below(1_000_000))","size":\#(random.below(100)),"isNew":false}"#
        }
        var new = old
        switch change {
        case .insertedFirst: new.insert(#"{"id":-1,"name":"newcomer","size":1,"isNew":true}"#, at: 0)
        case .changed: new[count / 2] = new[count / 2].replacing("false", with: "true")
        case .moved: new.insert(new.remove(at: count / 4), at: count * 3 / 4)
        }
        return (data(old), data(new))
    }

    private static func data(_ elements: [String]) -> Data { Data("[\(elements.joined(separator: ","))]".utf8) }
}
