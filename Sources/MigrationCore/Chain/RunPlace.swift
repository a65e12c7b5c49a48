import DocumentModel

/// The position of a run, recorded for a process that watches the runs of another. It is all that is known if a run
/// never returns.
package struct RunPlace: Sendable, Hashable {
    /// The activities of the app's code.
    package enum Phase: Int32, Sendable {
        /// None: no code of the app is running.
        case idle
        /// Asking a type for its fields, with made-up values.
        case describing
        /// Determining the chain and version of a document.
        case detecting
        /// Decoding the document as its own version.
        case decoding
        /// Running a step to a version.
        case stepping
        /// Encoding the result of a step.
        case encoding
        /// Decoding the result of all steps at the end.
        case finishing
    }

    /// The ``MigrationChain/mark(of:)`` of the chain, or 0 if there is none.
    package var chain: UInt64 = 0
    /// The raw value of a ``Phase``.
    package var phase: Int32 = 0
    /// The index of the version of the document, or -1 as long as it is not known.
    package var first: Int32 = -1
    /// The index of the version that the app's code is working on, such as the version that a step leads to.
    package var stage: Int32 = -1
    /// Creates a position outside of any run.
    package init() {}

    /// A type of a chain, which is asked for its fields.
    package struct Asked: Sendable, Hashable {
        /// The ``MigrationChain/mark(of:)`` of the chain.
        package var chain: UInt64
        /// The index of the type's version.
        package var stage: Int32

        /// Creates the type from its parts.
        package init(chain: UInt64, stage: Int32) { (self.chain, self.stage) = (chain, stage) }
    }
}

/// Observes the runs of chains for another process that waits for their results. The runs of parts are not observed.
package protocol RunObserver: AnyObject, Sendable {
    /// The memory in which runs record their position.
    var place: UnsafeMutablePointer<RunPlace> { get }

    /// The types that must not be asked for their fields, because that ended an earlier process.
    var unaskable: Set<RunPlace.Asked> { get }

    /// Called each time a run has recorded its position.
    func hasRecordedPlace()

    /// Called with the trace so far when a run that keeps steps is about to decode a document or run a step.
    func knows(_ trace: MigrationTrace)

    /// Called with each document that a step made in a run that keeps steps. Returns the same document, possibly in
    /// other memory.
    func made(_ document: Document) -> Document
}

extension RunObserver {
    /// Records the chain whose code is about to run, before the version is known.
    func enter(_ chain: String, _ phase: RunPlace.Phase, stage: Int = -1) {
        place.pointee.chain = MigrationChain.mark(of: chain)
        place.pointee.first = -1
        place.pointee.stage = Int32(truncatingIfNeeded: stage)
        place.pointee.phase = phase.rawValue
        hasRecordedPlace()
    }

    /// Records what the app's code is about to do for a version.
    func note(_ phase: RunPlace.Phase, stage: Int) {
        place.pointee.stage = Int32(truncatingIfNeeded: stage)
        place.pointee.phase = phase.rawValue
        if phase == .decoding { place.pointee.first = place.pointee.stage }
        hasRecordedPlace()
    }
}

extension MigrationChain {
    /// Returns a number that identifies the chain with the given name, and is the same in every process of a program:
    /// FNV-1a of the name.
    package static func mark(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
