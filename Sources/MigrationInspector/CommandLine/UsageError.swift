import MigrationCore

/// What is wrong with a command line, and what would have been right.
struct UsageError: Error, Equatable {
    var message: String

    /// Something of that kind does not exist; the nearest known name is offered.
    static func unknown(_ kind: String, _ name: String, known: [String]) -> UsageError {
        var message = "unknown \(kind) '\(name)'"
        if let nearest = nearest(to: name, in: known) {
            message += "; did you mean '\(nearest)'?"
        } else if !known.isEmpty {
            message += "; known are \(known.joined(separator: ", "))"
        }
        return UsageError(message: message)
    }

    /// The known name that is nearest, unless even that is more different than alike.
    private static func nearest(to name: String, in known: [String]) -> String? {
        let lowercased = name.lowercased()
        let ranked = known.map { (name: $0, distance: $0.lowercased().editDistance(to: lowercased)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 2 <= max(best.name.count, name.count) ? best.name : nil
    }
}
