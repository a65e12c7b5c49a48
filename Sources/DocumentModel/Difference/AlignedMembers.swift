/// The members of an object by name, of duplicates the first.
///
/// Names are mostly asked for in the order of the object, where each is the one behind the last, or there are few.
struct AlignedMembers {
    /// The tape indices of the values, in the order of the object.
    private(set) var values: [Int]
    private let side: DifferenceBuilder.Side
    /// The position behind the member that was found last.
    private var next = 0
    /// How often all members were looked through.
    private var scanCount = 0
    /// The positions of the members with a name of that hash.
    private lazy var positions = Dictionary(grouping: values.indices) { [side, values] in side.hashes[values[$0] - 1] }

    /// So few members are always looked through.
    private static let largestScanned = 8
    /// So often more members are looked through before there is a table.
    private static let mostScans = 8

    /// The members of an object.
    ///
    /// - Parameter list: An empty list, to be used for the values.
    init(_ side: DifferenceBuilder.Side, object: Int, list: consuming [Int]) {
        self.side = side
        var values = list
        let end = Int(side.tape[object].next)
        var key = object + 1
        while key < end {
            values.append(key + 1)
            key = Int(side.tape[key + 1].next)
        }
        if side.hashes.objectsWithDuplicates.contains(object) {
            var seen: Set<ExactText> = []
            values = values.filter { seen.insert(ExactText(side.node($0 - 1).string ?? "")).inserted }
        }
        self.values = values
    }

    /// Gives the list of the values away.
    mutating func releaseList() -> [Int] {
        let list = values
        values = []
        return list
    }

    /// The position of the member that has the same name as the one of `value`.
    ///
    /// - Parameter comparison: Compares what is in this document with what is in the other.
    mutating func position(
        ofNameBefore value: Int, in other: DifferenceBuilder.Side, _ comparison: ValueComparison
    ) -> Int? {
        let hash = other.hashes[value - 1]
        func isMatch(_ position: Int) -> Bool {
            side.hashes[values[position] - 1] == hash
                && comparison.haveSameText(values[position] - 1, value - 1)
        }
        if next < values.count, isMatch(next) {
            next += 1
            return next - 1
        }
        let found: Int?
        if values.count <= Self.largestScanned || scanCount < Self.mostScans {
            scanCount += 1
            found = values.indices.first(where: isMatch)
        } else {
            let candidates = positions[hash]
            found = candidates?.first(where: isMatch)
        }
        if let found { next = found + 1 }
        return found
    }
}
