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

    /// The memory in which runs record their position, or nil if nothing is watching.
    ///
    /// Set once, before the first run, and only in a process that runs chains on a single thread.
    package nonisolated(unsafe) static var current: UnsafeMutablePointer<RunPlace>?

    /// Called each time a run has recorded its position. Set like ``current``.
    package nonisolated(unsafe) static var onNote: (RunPlace) -> Void = { _ in }

    /// Called with the trace so far when a run that keeps steps is about to decode a document or run a step. Set like
    /// ``current``.
    package nonisolated(unsafe) static var onKnown: (MigrationTrace) -> Void = { _ in }

    /// Called with each document that a step made in a run that keeps steps. Returns the same document, possibly in
    /// other memory. Set like ``current``.
    package nonisolated(unsafe) static var onMade: (Document) -> Document = { $0 }

    /// A type of a chain, which is asked for its fields.
    package struct Asked: Sendable, Hashable {
        /// The ``MigrationChain/mark(of:)`` of the chain.
        package var chain: UInt64
        /// The index of the type's version.
        package var stage: Int32

        /// Creates the type from its parts.
        package init(chain: UInt64, stage: Int32) { (self.chain, self.stage) = (chain, stage) }
    }

    /// The types that must not be asked for their fields, because that ended an earlier process. Set like ``current``.
    package nonisolated(unsafe) static var unaskable: Set<Asked> = []

    /// Records the chain whose code is about to run, before the version is known.
    static func enter(_ chain: String, _ phase: Phase, stage: Int = -1) {
        guard let current else { return }
        current.pointee.chain = MigrationChain.mark(of: chain)
        current.pointee.first = -1
        current.pointee.stage = Int32(truncatingIfNeeded: stage)
        current.pointee.phase = phase.rawValue
        onNote(current.pointee)
    }

    /// Records what the app's code is about to do for a version.
    static func note(_ phase: Phase, stage: Int) {
        guard let current else { return }
        current.pointee.stage = Int32(truncatingIfNeeded: stage)
        current.pointee.phase = phase.rawValue
        if phase == .decoding { current.pointee.first = current.pointee.stage }
        onNote(current.pointee)
    }
}

extension MigrationChain {
    /// Returns a number that identifies the chain with the given name, and is the same in every process of a program:
    /// FNV-1a of the name.
    package static func mark(of name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
