import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Sentences about a running document")
struct RunProgressWordsTests {
    @Test("the progress sentence says how to stop, with an arrow that the terminal can show")
    func running() {
        let progress = RunProgress(.step(from: .number(1), to: .number(2)), seconds: 3, secondsHere: 3)
        #expect(progress.words(.unicode) == "ran 3 s in step 1 → 2, still running; x stops it")
        #expect(progress.words(.ascii) == "ran 3 s in step 1 -> 2, still running; x stops it")
        #expect(RunProgress.word == "running")
    }
}
