import Testing

@testable import DocumentModel

@Suite("Sets of nodes")
struct NodeSetTests {
    @Test("a node set knows whether it has any node of a range, wherever the range begins and ends")
    func ranges() {
        let count = 260
        for member in [0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 200, 259] {
            var set = NodeSet(nodeCount: count)
            set.insert(member..<member + 1)
            for start in [0, 1, 62, 63, 64, 65, 128, 199, 200, 259] {
                for end in start...count {
                    #expect(
                        set.containsAny(of: start..<end) == (start..<end).contains(member), "\(member) \(start) \(end)")
                }
            }
        }
    }
}
