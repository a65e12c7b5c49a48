extension String {
    /// The name of `known` that is nearest to this one, letter case aside, unless even that is more different than alike.
    package func nearest(in known: [String]) -> String? {
        let lowercased = lowercased()
        let ranked = known.map { (name: $0, distance: $0.lowercased().editDistance(to: lowercased)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance * 2 <= Swift.max(best.name.count, count) ? best.name : nil
    }
}
