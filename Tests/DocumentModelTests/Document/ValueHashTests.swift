import Testing

@testable import DocumentModel

@Suite("Hashes of values")
struct ValueHashTests {
    private func object(_ members: [(name: String, value: Int)]) throws -> DocumentNode {
        try Document(json: "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}").root
    }

    @Test("count the first of two members with one name, wherever these are among few or many", arguments: 2...12)
    func duplicates(count: Int) throws {
        let members = (0..<count).map { (name: "name \($0)", value: $0) }
        let hash = try object(members).valueHash
        #expect(try object(members.reversed()).valueHash == hash)
        for first in 0..<count {
            for last in first + 1..<count {
                var twice = members
                twice[last] = (name: members[first].name, value: 1000)
                var once = members
                once.remove(at: last)
                #expect(try object(twice).valueHash == object(once).valueHash)
                #expect(try object(twice).isEqual(to: object(once)))
                #expect(try object(twice).valueHash != hash)
            }
        }
    }
}
