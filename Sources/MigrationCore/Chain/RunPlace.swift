import DocumentModel

/// Where a run is, for a process that watches the runs of another: what is known of it when it never comes back.
package struct RunPlace: Sendable, Hashable {
    /// What the app's code is doing.
    package enum Phase: Int32, Sendable {
        /// Nothing: none of it runs.
        case idle
        /// A type is asked for its fields, with made-up values.
        case describing
        /// The chain and the version of a document are looked for.
        case detecting
        /// The document is decoded as the version that it is.
        case decoding
        /// A step to a version is taken.
        case stepping
        /// What a step made is encoded.
        case encoding
        /// What the steps made is decoded in the end.
        case finishing
    }

    /// The ``MigrationChain/mark`` of the chain; 0 for none.
    package var chain: UInt64 = 0
    /// The raw value of a ``Phase``.
    package var phase: Int32 = 0
    /// The index of the version that the document is; -1 while that is not known.
    package var first: Int32 = -1
    /// The index of the version that the app's code is at work for: that a step leads to, say.
    package var stage: Int32 = -1
    /// No place.
    package init() {}

    /// Where runs note how far they are; nil where no one watches.
    ///
    /// Set once, before there is a run, and only in a process that runs chains on one thread.
    @exclusivity(unchecked) package nonisolated(unsafe) static var current: UnsafeMutablePointer<RunPlace>?

    /// Called whenever runs have noted how far they are; set as ``current`` is.
    @exclusivity(unchecked) package nonisolated(unsafe) static var onNote: (RunPlace) -> Void = { _ in }

    /// Called with what is known of a document when a run that records it is about to decode it or to take a step; set
    /// as ``current`` is.
    @exclusivity(unchecked) package nonisolated(unsafe) static var onKnown: (MigrationTrace) -> Void = { _ in }

    /// Given what a step of a run that records it made; gives the same document, where it is to stay. Set as ``current``
    /// is.
    @exclusivity(unchecked) package nonisolated(unsafe) static var onMade: (Document) -> Document = { $0 }

    /// Notes which chain's code is about to run, of whose version nothing is known yet.
    static func enter(_ chain: String, _ phase: Phase, stage: Int = -1) {
        guard let current else { return }
        current.pointee.chain = MigrationChain.mark(of: chain)
        current.pointee.first = -1
        current.pointee.stage = Int32(truncatingIfNeeded: stage)
        current.pointee.phase = phase.rawValue
        onNote(current.pointee)
    }

    /// Notes what the app's code is about to do for a version.
    static func note(_ phase: Phase, stage: Int) {
        guard let current else { return }
        current.pointee.stage = Int32(truncatingIfNeeded: stage)
        current.pointee.phase = phase.rawValue
        if phase == .decoding { current.pointee.first = current.pointee.stage }
        onNote(current.pointee)
    }
}

extension MigrationChain {
    /// A number that tells this chain from others, the same in every process of a program: FNV-1a of the name.
    package var mark: UInt64 { Self.mark(of: name) }

    /// The ``mark`` of the chain of that name.
    package static func mark(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
