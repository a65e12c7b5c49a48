import Foundation
import Testing

@testable import MigrationInspector

@Suite("Standard output")
struct ConsoleTests {
    @Test("is kept for reports: what an app's own code prints goes to standard error")
    func keptForReports() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            Console.keepForReports()
            print("the app's own words")
            try Console.print("the report")
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "the report\n")
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("the app's own words"))
    }

    @Test("is given back for what is written by its name")
    func givenBack() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            Console.keepForReports()
            print("the app's own words")
            Console.giveBack()
            try Data("the document".utf8).withUnsafeBytes { bytes in
                guard write(STDOUT_FILENO, bytes.baseAddress, bytes.count) == bytes.count else {
                    throw ConsoleError(message: "cut short")
                }
            }
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "the document")
    }
}
