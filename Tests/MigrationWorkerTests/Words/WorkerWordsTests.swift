import MigrationCore
import Testing

@testable import MigrationWorker

@Suite("Sentences about workers")
struct WorkerWordsTests {
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
