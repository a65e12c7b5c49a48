/// The order in which the versions of a chain are tried: newest first. Most documents have the newest version, and if
/// two versions fit, the newer one counts.
extension BidirectionalCollection {
    /// The elements, which are in chain order (oldest first), in the order in which versions are tried.
    var inTrialOrder: ReversedCollection<Self> { reversed() }

    /// The elements, which are in the order in which versions are tried, in chain order (oldest first).
    var inChainOrder: ReversedCollection<Self> { reversed() }
}
