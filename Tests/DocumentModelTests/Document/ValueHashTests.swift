import Testing

@testable import DocumentModel

@Suite("Hashes of values")
struct ValueHashTests {
    private func object(_ members: [(name: String, value: Int)]) throws -> DocumentNode {
        try Document(json: "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}").root
    }

    @Test(
        "a hash counts both of two members with one name, in order, among few or many members",
        arguments: 2...12)
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
                var other = once
                other.insert(twice[last], at: 0)
                var moved = once
                moved.insert(twice[last], at: moved.count / 2 + 1)
                #expect(try object(twice).valueHash != object(once).valueHash)
                #expect(try !object(twice).isEqual(to: object(once)))
                #expect(try object(twice).valueHash != object(other).valueHash)
                #expect(try !object(twice).isEqual(to: object(other)))
                let isSame = try object(twice).isEqual(to: object(moved))
                #expect(try isSame == (object(twice).valueHash == object(moved).valueHash))
                #expect(try object(twice).valueHash != hash)
            }
        }
    }
}
