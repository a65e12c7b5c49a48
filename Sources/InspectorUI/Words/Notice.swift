import DisplayText
import DocumentModel
import MigrationCore

/// A sentence that the last line of the screen says to the user once.
struct Notice: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

/// What happened.
extension Notice {
    static let readAgain = Notice("everything is read again")
    static let rebuilt = Notice("the program was rebuilt; R restarts it here")
    static let changesAreGone = Notice(
        "the document is not what it was when it was changed; the changes are gone")
    static let lookingForCommits = Notice("looking for what was committed")
    static let copied = Notice("sent to the terminal")
    static let playedAll = Notice("that was the whole way; p plays it again")
    static let playedAllStates = Notice("that was the newest state; p plays from the first one")
    static let stoppedShrinking = Notice("stopped; the document is as it was")
    static let notShrunk = Notice(
        "it fails in another way each time, or may not run again and again: nothing to shrink")
    static let redacting = Notice("redacting: looking for values that must be kept")
    static func notRedacted(because problem: RedactionProblem) -> Notice { Notice("not redacted: \(problem)") }
    static let tourIsLeft = Notice("T goes on with the tour")
    static let tourIsOver = Notice("that was the tour; T begins it again")
    static let tourIsElsewhere = Notice("the documents of the tour are not here")

    static func tourMisses(_ document: String) -> Notice { Notice("\(document) is not here; . goes on") }

    static func mouse(isTaken: Bool) -> Notice {
        Notice(isTaken ? "the mouse is the inspector's" : "the mouse is the terminal's; M takes it back")
    }

    static func marked(_ title: String) -> Notice { Notice("\(title) is marked; = compares another document with it") }

    /// A search came past the last or first document and went on at the other end.
    static func wrapped(_ direction: Int) -> Notice { Notice(direction > 0 ? "on from the top" : "on from the bottom") }

    static func opening(_ path: String) -> Notice { Notice("opening \(path)") }

    static func hasChanged(_ name: String) -> Notice { Notice("\(name) has changed, and is read again") }

    /// What looking for documents again found; nil if there is nothing to say.
    static func foundAgain(new: Int, gone: Int, isAsked: Bool) -> Notice? {
        let came = new == 0 ? nil : new == 1 ? "1 new document" : "\(NumberWords.grouped(new)) new documents"
        let went = gone == 0 ? nil : gone == 1 ? "1 is gone" : "\(NumberWords.grouped(gone)) are gone"
        let changes = [came, went].compactMap(\.self).joined(separator: ", ")
        let sentences = [isAsked ? readAgain.text : "", changes].filter { !$0.isEmpty }
        return sentences.isEmpty ? nil : Notice(sentences.joined(separator: ": "))
    }

    static func foundHistory(of name: String) -> Notice { Notice("the history of \(name) is found; H shows it there") }

    static func playedToFailure(_ kind: MigrationFailure.Kind) -> Notice {
        Notice("it goes no further: \(kind.rawValue)")
    }

    static func notFound(_ text: String, onlyInOpenRows isPartial: Bool) -> Notice {
        Notice(isPartial ? "not found in the open rows: \(text)  (v looks through the value)" : "not found: \(text)")
    }

    static func noOtherMatch(_ text: String) -> Notice { Notice("no other match: \(text)") }

    static func following(_ path: DocumentPath, _ count: Int) -> Notice {
        Notice("following \(path) through \(NumberWords.grouped(count)) states")
    }

    static func followed(_ path: DocumentPath) -> Notice { Notice("\(path) was followed; f shows its changes") }

    static func notFollowed(_ path: DocumentPath) -> Notice { Notice("no state has a value at \(path)") }

    static func blaming(_ count: Int) -> Notice {
        Notice("looking through \(NumberWords.grouped(count)) states for who last changed each value")
    }

    static let blamed = Notice("who last changed the values is found; B shows it")
    static let notBlamed = Notice("this state has no values that can be read")

    static func sees(migrated: Bool) -> Notice {
        Notice(migrated ? "every state is shown in the shape of the newest version" : "every state is shown as it is")
    }

    static func ordered(by key: OrderKey, isNew: Bool) -> Notice {
        Notice(isNew ? "ordered by \(key)" : "the states are in the order of \(key)")
    }

    static func notOrdered(by key: OrderKey) -> Notice {
        Notice(
            key.isColumn
                ? "no state is in a row with a value in \(key)" : "no state has a value at \(key) to be ordered by")
    }

    static func noTurn(_ direction: Int, isKnown: Bool) -> Notice {
        let side = direction > 0 ? "after" : "before"
        return Notice(
            isKnown
                ? "the version and the outcome do not change \(side) this state"
                : "not all states \(side) this one are checked yet")
    }

    static func noOtherVersion(of chain: String) -> Notice {
        Notice("\(chain) finds versions by the form of values; change the value")
    }

    static func shrunk(_ runs: Int) -> Notice {
        Notice("shrunk in \(NumberWords.grouped(runs)) runs; w writes it, u takes it back")
    }

    static func written(_ name: String, _ note: String?) -> Notice {
        Notice("written: \(name)" + (note.map { "; \($0)" } ?? ""))
    }
}

/// Why a key has no effect at the moment.
extension Notice {
    static let notRebuilt = Notice("the program was not rebuilt")
    static let notRunning = Notice("nothing is running")
    static let noOtherCause = Notice("no document in the list fails for another reason")
    static let noFailures = Notice("no document fails")
    static func noOtherProblem(unchecked: Int) -> Notice {
        unchecked == 0
            ? Notice("no other document has a problem")
            : Notice("no other problem is known yet; not checked yet: \(NumberWords.grouped(unchecked))")
    }
    static let noChain = Notice("no chain recognizes this document")
    static let noTour = Notice("there is no tour of these documents; the command tour opens one")
    static let cannotMark = Notice("only a document that parses can be marked")
    static let noMark = Notice("no other document is marked; m marks one")
    static let onlyState = Notice("there is only one state; Esc leaves the timeline")
    static let notReadYet = Notice("the document is not read yet")
    static let noSteps = Notice("there are no steps to play")
    static let isTimeline = Notice("this is a timeline; Esc leaves it")
    static let aloneInFolder = Notice("there is no other document in its folder")
    static let firstState = Notice("this is the first state; G goes to the last one")
    static let lastState = Notice("this is the last state; g goes to the first one")
    static let noValue = Notice("there is no value under the cursor")
    static let followsInStep = Notice("f follows a value of the changes; 2 goes there")
    static let noValueButChanges = Notice("there is no value under the cursor; n goes to a change")
    static let noValueButDocument = Notice("there is no value under the cursor; v shows all values of this state")
    static let noValueInState = Notice("this state has no values that can be read; [ and ] go to others")
    static let commitsHaveAnOrder = Notice("commits are in their own order already")
    static let nothingToChange = Notice("there is no value to change")
    static let madeByMigration = Notice(
        "the migration made this value: change the document as it was read, in its first step (s)")
    static let notChanged = Notice("nothing is changed")
    static let notUndone = Notice("no change was taken back")
    static let cannotShrink = Notice("only a document that fails and parses can be shrunk, once at a time")

    static func noProblem(inTime direction: Int) -> Notice {
        Notice("no state \(direction > 0 ? "after" : "before") this has a problem")
    }

    static let stillTrying = Notice("no repair is known yet; experiments are still running")

    static func noRepair(_ hasPassingValues: Bool) -> Notice {
        Notice(
            hasPassingValues
                ? "no repair is known: what passes may mean something else; C offers it"
                : "no repair is proved here; C changes a value")
    }
}
