import MigrationCore
import Testing

@testable import MigrationWorker

@Suite("Sentences about workers")
struct WorkerWordsTests {
    @Test(
        "progress says where a worker is",
        arguments: [
            (WorkerProgress.Place.reading(share: 0.5), "reading the document"),
            (.detecting, "looking for the version"),
            (.describing, "looking at the types of the chain"),
            (.decoding(.number(1)), "reading the document as version 1"),
            (.step(from: .unversioned, to: .number(1)), "in step none → 1"),
            (.reporting, "handing over what came of it"),
        ])
    func progress(place: WorkerProgress.Place, words: String) {
        #expect(WorkerProgress(place, seconds: 3, secondsHere: 2).words() == "ran 2 s \(words), still running")
    }

    @Test("progress gives the time of a place only if all of it was spent there, and writes steps with the given arrow")
    func time() {
        let progress = WorkerProgress(.step(from: .number(1), to: .number(2)), seconds: 12, secondsHere: 0)
        #expect(progress.words(arrow: "->") == "ran 12 s, now in step 1 -> 2, still running")
    }

    @Test(
        "an error says what happened and what to do about it",
        arguments: [
            (
                WorkerError.cannotStart("Too many open files"),
                "the process that runs the app's code cannot be started: Too many open files; "
                    + "--in-process runs the code in the program itself"
            ),
            (
                WorkerError.cannotReceive("this process may open no more files"),
                "what the process that runs the app's code sends cannot be received: this process may open no more files"
            ),
            (
                WorkerError.noAnswer(nil),
                "the process that runs the app's code does not answer: nothing came within 5 seconds; "
                    + "--in-process runs the code in the program itself"
            ),
            (
                WorkerError.chainsEnded(
                    Crash(.trap, lastWords: "A.swift:1: Fatal error: two chains of one name", isVerdict: true)),
                "the program's chains cannot be made: A.swift:1: Fatal error: two chains of one name; to see where, run it with --in-process "
                    + "in a debugger"
            ),
        ])
    func error(error: WorkerError, sentence: String) {
        #expect(error.description == sentence)
    }
}
