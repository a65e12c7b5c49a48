/// The kinds of claims.
enum Topic: String, CaseIterable, Sendable {
    case dropped, lost, narrowed, origin, repair, passes, fails, opens, follows, reopens
    case leftOver = "left over"
    case made = "made by step"
    case culprit = "culprit proved"
    case several = "one of these"
    case further = "further failure"
}

/// A claim that isn't true.
struct FalseClaim: Sendable {
    var topic: Topic
    var text: String
}

/// The counts for one kind of claim.
struct Count: Sendable {
    var made = 0, wrong = 0, open = 0
    /// The counts of truths.
    var said = 0, notKnown = 0, silent = 0

    static func += (left: inout Count, right: Count) {
        left.made += right.made
        left.wrong += right.wrong
        left.open += right.open
        left.said += right.said
        left.notKnown += right.notKnown
        left.silent += right.silent
    }

    var trueThings: Int { said + notKnown + silent }
}

/// The counts for many documents.
struct Tally: Sendable {
    var counts: [Topic: Count] = [:]
    var wrong: [FalseClaim] = []
    /// The number of steps with a result that differs from the oracle's, so that nothing can be compared.
    var strangeSteps = 0
    /// Truths that the program neither claims nor reports as unknown.
    var silent: [FalseClaim] = []
    /// Truths that the program reports as unknown.
    var unknown: [FalseClaim] = []

    var claims: Int { counts.values.reduce(0) { $0 + $1.made } }
    var falseClaims: Int { counts.values.reduce(0) { $0 + $1.wrong } }
    var said: Double {
        let (said, all) = counts.values.reduce((0, 0)) { ($0.0 + $1.said, $0.1 + $1.trueThings) }
        return all == 0 ? 100 : 100 * Double(said) / Double(all)
    }

    /// Counts a claim, which is open if `isTrue` is `nil`.
    mutating func claim(_ topic: Topic, _ isTrue: Bool?, _ text: @autoclosure () -> String) {
        counts[topic, default: Count()].made += 1
        if isTrue == nil { counts[topic]?.open += 1 }
        if isTrue == false {
            counts[topic]?.wrong += 1
            wrong.append(FalseClaim(topic: topic, text: "\(topic.rawValue): \(text())"))
        }
    }

    /// Counts a truth.
    mutating func truth(
        _ topic: Topic, isSaid: Bool, isNotKnown: @autoclosure () -> Bool, _ text: @autoclosure () -> String
    ) {
        if isSaid {
            counts[topic, default: Count()].said += 1
        } else if isNotKnown() {
            counts[topic, default: Count()].notKnown += 1
            unknown.append(FalseClaim(topic: topic, text: "\(topic.rawValue): \(text())"))
        } else {
            counts[topic, default: Count()].silent += 1
            silent.append(FalseClaim(topic: topic, text: "\(topic.rawValue): \(text())"))
        }
    }

    mutating func add(_ other: Tally) {
        for (topic, count) in other.counts { counts[topic, default: Count()] += count }
        wrong += other.wrong
        silent += other.silent
        unknown += other.unknown
        strangeSteps += other.strangeSteps
    }

    var table: String {
        func row(_ name: String, _ count: Count) -> String {
            let cells = [
                count.made, count.wrong, count.open, count.trueThings, count.said, count.notKnown, count.silent,
            ].map { String(repeating: " ", count: max(0, 10 - "\($0)".count)) + "\($0)" }.joined()
            return name.padding(to: 18) + cells
        }
        var all = Count()
        var lines = [
            "claim".padding(to: 18) + "      made     false      open    truths      said not known    silent"
        ]
        for topic in Topic.allCases {
            guard let count = counts[topic] else { continue }
            lines.append(row(topic.rawValue, count))
            all += count
        }
        lines.append(row("all", all))
        return lines.joined(separator: "\n")
    }
}

extension String {
    func padding(to length: Int) -> String { self + String(repeating: " ", count: max(1, length - count)) }
}
