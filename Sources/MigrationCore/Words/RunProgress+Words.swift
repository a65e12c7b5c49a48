extension RunProgress {
    /// Returns the current activity and how long it has taken, in words.
    public func words(arrow: String = "→") -> String {
        // The time is given for an activity only if all of it was spent there.
        let time = secondsHere >= 1 ? "ran \(secondsHere) s " : "ran \(seconds) s, now "
        return "\(time)\(activity.words(arrow: arrow)), still running"
    }
}

extension RunProgress.Activity {
    /// Returns the activity, in words.
    public func words(arrow: String = "→") -> String {
        switch self {
        case .reading: "reading the document"
        case .detecting: "looking for the version"
        case .describing: "looking at the types of the chain"
        case .decoding(let version): "reading the document as version \(version)"
        case .step(let from, let to): "in step \(from) \(arrow) \(to)"
        case .reporting: "handing over the result"
        }
    }
}
