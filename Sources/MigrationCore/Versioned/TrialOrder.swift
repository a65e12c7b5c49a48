/// The order in which the versions of a chain are tried: newest first. Most documents have the newest version, and if
/// two versions fit, the newer one counts.
extension BidirectionalCollection {
    /// The elements, which belong to versions from oldest to newest as in a chain, in the order in which versions are
    /// tried.
    var inTrialOrder: ReversedCollection<Self> { reversed() }

    /// The elements, which belong to versions in the order in which they are tried, from oldest to newest as in a
    /// chain.
    var inChainOrder: ReversedCollection<Self> { reversed() }
}
