import MigrationCore
import MigrationWorker
import Testing

@testable import InspectorUI

@Suite("Sentences about a running document")
struct WorkerProgressWordsTests {
    @Test("the progress sentence says how to stop, with an arrow that the terminal can show")
    func running() {
        let progress = WorkerProgress(.step(from: .number(1), to: .number(2)), seconds: 3, secondsHere: 3)
        #expect(progress.words(.unicode) == "ran 3 s in step 1 → 2, still running; x stops it")
        #expect(progress.words(.ascii) == "ran 3 s in step 1 -> 2, still running; x stops it")
        #expect(WorkerProgress.word == "running")
    }
}
