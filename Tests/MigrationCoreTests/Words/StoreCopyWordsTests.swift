import MigrationCore
import Testing

@Suite("The words of a copy of a store that cannot be made")
struct StoreCopyWordsTests {
    @Test("say what is wrong with the copy")
    func words() {
        #expect("\(StoreProblem.rowNotInCopy)" == "a row of the copy could not be changed: it is not there")
        #expect("\(StoreProblem.logNotInCopy)" == "the copy's log could not be put into it")
    }
}
