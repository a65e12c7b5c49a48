/// The order in which the versions of a chain are tried: newest first. Most documents are of the newest version, and of
/// two that fit, the newer one counts.
extension BidirectionalCollection {
    /// Versions, or something of each of them, in the order in which they are tried; oldest first, they are in the order
    /// in which a chain goes through them.
    var inTrialOrder: ReversedCollection<Self> { reversed() }

    /// What is in the order in which versions are tried, in the order in which a chain goes through them.
    var inChainOrder: ReversedCollection<Self> { reversed() }
}
