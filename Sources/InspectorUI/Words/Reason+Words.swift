import DisplayText
import MigrationCore

// Why no chain claims a document, and what to do about it.

/// How a person picks the chain of a document.
package enum ChainChoice: Sendable {
    /// By an option of a command.
    case option
    /// By a key on the screen.
    case key
}

extension Sequence<Reason> {
    /// Returns the reasons why no chain claims a document, one after the other, and what to do about it.
    package func unrecognizedSentences(_ choice: ChainChoice) -> [String] {
        let isTie = contains { if case .tie = $0 { true } else { false } }
        return map(\.description) + [isTie ? Self.toChoose(choice) : advice(choice)].compactMap(\.self)
    }

    private static func toChoose(_ choice: ChainChoice) -> String {
        switch choice {
        case .option: "choose with --chain NAME"
        case .key: "C chooses one of them"
        }
    }

    /// Returns why the nearest chains do not fit a document, and how to open it anyway, in a line or two that
    /// complement ``Swift/Sequence/unrecognizedSentence``; empty if that sentence says everything.
    ///
    /// - Parameter isOfOneKind: Whether the document is one of many of the same kind, so that the nearest chain is
    ///   worth naming.
    package func briefReasons(ofOneKind isOfOneKind: Bool = false) -> [String] {
        let (reasons, most) = (comparisons.map(\.sentence), 3)
        let more = reasons.count - most
        return reasons.prefix(most)
            + [
                more > 0 ? "and \(more) more chain\(more == 1 ? "" : "s"); a trace lists them all" : nil,
                advice(.option, ofOneKind: isOfOneKind),
            ].compactMap(\.self)
    }

    /// Returns how to open a document that does not fit any chain well; nil if no chain was compared.
    private func advice(_ choice: ChainChoice, ofOneKind isOfOneKind: Bool = false) -> String? {
        let chains = comparisons.map(\.chain)
        guard let first = chains.first else { return nil }
        if choice == .key {
            return "to open it all the same: C reads it with \(chains.count == 1 ? "that" : "a") chain"
        }
        guard let nearest = first, isOfOneKind || chains.count == 1 else {
            return "to open it all the same: --chain NAME"
        }
        return chains.count == 1
            ? "to open it all the same: --chain \(nearest.quotedForShell)"
            : "the nearest is \(nearest): --chain \(nearest.quotedForShell) opens it"
    }

    /// The reasons why chains do not fit a document, with the chains' names. In a report that was read, the names are
    /// only in the sentences.
    private var comparisons: [(sentence: String, chain: String?)] {
        compactMap { reason in
            switch reason {
            case .poorFit(let chain, _): (reason.description, chain)
            case .text: (reason.description, nil)
            default: nil
            }
        }
    }
}
