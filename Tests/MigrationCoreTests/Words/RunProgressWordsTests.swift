import MigrationCore
import Testing

@Suite("The progress of a run in words")
struct RunProgressWordsTests {
    @Test(
        "the progress of a run says what it is doing",
        arguments: [
            (RunProgress.Activity.reading(share: 0.5), "reading the document"),
            (.detecting, "looking for the version"),
            (.describing, "looking at the types of the chain"),
            (.decoding(.number(1)), "reading the document as version 1"),
            (.step(from: .unversioned, to: .number(1)), "in step none → 1"),
            (.reporting, "handing over the result"),
        ])
    func progress(activity: RunProgress.Activity, words: String) {
        #expect(RunProgress(activity, seconds: 3, secondsHere: 2).words() == "ran 2 s \(words), still running")
    }

    @Test("the progress of a run gives the time of an activity only if all of the time was spent on it")
    func time() {
        let progress = RunProgress(.step(from: .number(1), to: .number(2)), seconds: 12, secondsHere: 0)
        #expect(progress.words(arrow: "->") == "ran 12 s, now in step 1 -> 2, still running")
    }
}
