import Foundation

extension Row {
    /// The time that a user waits at first, over the start of a process that does nothing.
    static let startRows: [Row] = [
        Row(
            name: "first-check", group: "start",
            summary: "check of one small document over '--version'"
        ) { extent in
            let folder = try FewOrders()
            return try Comparison(extent).measure {
                try InspectorProcess.run("check", folder.first)
            } over: {
                try InspectorProcess.run("--version")
            }
        },
        Row(
            name: "first-list", group: "start",
            summary: "the screen with the names of 200 small documents over '--version'"
        ) { extent in
            try FewOrders().screen(extent, until: ["1/200", "order-000.json"])
        },
        Row(
            name: "first-screen", group: "start",
            summary: "the screen with the first of 200 small documents, its steps and its source over '--version'"
        ) { extent in
            try FewOrders().screen(extent, until: ["Source", "placed"])
        },
        failing("first-culprit", "a value that a step refuses is proved", 0, until: "opens with"),
        failing("first-repair", "a misspelt name is repaired", 1, until: "opens when renamed"),
    ]

    /// - Parameter number: The number of the failing document to use.
    private static func failing(_ name: String, _ proof: String, _ number: Int, until words: String) -> Row {
        Row(
            name: name, group: "start",
            summary: "the screen of one small document that fails, until \(proof), over '--version'"
        ) { extent in
            let folder = try TemporaryFolder()
            var documents = FailingDocuments()
            let all = (0...number).map { _ in documents.next() }
            let path = try folder.write(Data(all[number].utf8), to: "document.json")
            return try InspectorScreen.measure(path, extent, until: [words])
        }
    }
}

/// A folder of 200 small orders.
private struct FewOrders {
    private let folder: TemporaryFolder
    let first: String

    init() throws {
        var orders = Orders(seed: 200)
        folder = try TemporaryFolder()
        first = try folder.write(Data(orders.order(lines: 0).utf8), to: "order-000.json")
        for index in 1..<200 {
            _ = try folder.write(
                Data(orders.order(lines: 0).utf8), to: String(format: "order-%03d.json", index))
        }
    }

    func screen(_ extent: Extent, until words: [String]) throws -> Measurement {
        try InspectorScreen.measure(folder.path(""), extent, until: words)
    }
}

extension InspectorScreen {
    /// Measures the time until words are on the screen, over a process that does nothing.
    fileprivate static func measure(_ path: String, _ extent: Extent, until words: [String]) throws -> Measurement {
        var times: [(subject: Double, reference: Double)] = []
        for _ in 0..<extent(quick: 1, full: 31) {
            let start = ContinuousClock.now
            try InspectorProcess.run("--version")
            let reference = start.duration(to: .now) / .seconds(1)
            times.append((try time(path, until: words), reference))
        }
        return Comparison.measurement(of: times)
    }
}
