import MigrationCore
import Testing

@Suite("Words about copies of stores that cannot be made")
struct StoreCopyWordsTests {
    @Test("a problem with the copy of a store says what is wrong")
    func words() {
        #expect("\(StoreProblem.rowNotInCopy)" == "a row of the copy could not be changed: it is not there")
        #expect("\(StoreProblem.logNotInCopy)" == "the copy's log could not be put into it")
    }
}
