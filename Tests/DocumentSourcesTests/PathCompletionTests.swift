import Foundation
import TestSupport
import Testing

@testable import DocumentSources

@Suite("Path completion")
struct PathCompletionTests {
    private let folder = try! TemporaryFolder()

    private func names(_ text: String) -> [String] {
        let base = folder.path + "/"
        return PathCompletion.names(beginning: base + text).map { String($0.dropFirst(base.count)) }
    }

    @Test("files and folders are completed in natural order, folders with a slash, and hidden ones only if typed")
    func order() throws {
        for name in ["day10.json", "day2.json", "days/a.json", ".hidden.json", "other.json"] {
            try folder.write("{}", to: name)
        }
        #expect(names("da") == ["day2.json", "day10.json", "days/"])
        #expect(names("") == ["day2.json", "day10.json", "days/", "other.json"])
        #expect(names("days/") == ["days/a.json"])
        #expect(names(".h") == [".hidden.json"])
        #expect(names("x").isEmpty && names("nowhere/x").isEmpty)
    }

    @Test("the home folder may be written as a tilde, which is kept")
    func home() {
        #expect(PathCompletion.names(beginning: "~") == ["~/"])
        #expect(PathCompletion.path("~/a b").description == NSHomeDirectory() + "/a b")
        #expect(PathCompletion.path("~a/b").description == "~a/b")
        #expect(PathCompletion.names(beginning: "~/").allSatisfy { $0.hasPrefix("~/") })
    }
}
