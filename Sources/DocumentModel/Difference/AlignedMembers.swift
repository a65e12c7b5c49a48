/// The members of an object by name, and of several of one name by their occurrence; they stand one behind the other on a
/// ``MemberStack``.
///
/// Names are mostly asked for in the order of the object, where each is the one behind the last, or there are few.
struct AlignedMembers {
    /// Where they stand, in the order of the object.
    let places: Range<Int>
    private let hashes: ValueHashes.View
    /// Behind the member that was found last.
    private var next: Int
    /// How often all members were looked through.
    private var scanCount = 0
    /// Where the members with a name of that hash stand; made once it is worth it.
    private var placesByName: [UInt64: [Int]]?

    /// Up to this many members are always looked through.
    private static let largestScanned = 8
    /// How often more members are looked through before there is a table.
    private static let mostScans = 8

    /// Puts the members of an object on a stack.
    init(_ side: DifferenceBuilder.Side, object: Int, on stack: inout MemberStack) {
        hashes = side.hashes
        let tape = side.tape
        let start = stack.count
        let end = tape.next(after: object)
        let hasDuplicates = hashes.hasDuplicates(object)
        var counts: [ExactText: UInt32] = [:]
        var key = object + 1
        while key < end {
            var occurrence: UInt32 = 1
            if hasDuplicates {
                counts[ExactText(side.node(key).string ?? ""), default: 0] += 1
                occurrence = counts[ExactText(side.node(key).string ?? "")] ?? 1
            }
            stack.append(StackedMember(key + 1, occurrence: occurrence))
            key = tape.next(after: key + 1)
        }
        places = start..<stack.count
        next = start
    }

    /// Where the member stands that has the same name as another, and is of the same occurrence.
    ///
    /// - Parameters:
    ///   - other: The hashes of the document in which the other is.
    ///   - stack: That on which the members stand.
    ///   - comparison: Compares what is in this document with what is in the other.
    mutating func place(
        of member: StackedMember, in other: ValueHashes.View, on stack: borrowing MemberStack,
        _ comparison: ValueComparison
    ) -> Int? {
        let value = member.value
        let hash = other[value - 1]
        func isMatch(_ place: Int) -> Bool {
            let name = stack[place].value - 1
            return hashes[name] == hash && stack[place].occurrence == member.occurrence
                && comparison.haveSameText(name, value - 1)
        }
        if next < places.upperBound, isMatch(next) {
            next += 1
            return next - 1
        }
        let found: Int?
        if places.count <= Self.largestScanned || scanCount < Self.mostScans {
            scanCount += 1
            found = places.first(where: isMatch)
        } else {
            let byName = placesByName ?? Dictionary(grouping: places) { [hashes] in hashes[stack[$0].value - 1] }
            placesByName = byName
            found = byName[hash]?.first(where: isMatch)
        }
        if let found { next = found + 1 }
        return found
    }
}

/// The members of the objects that are being compared, from the outermost object inwards: one list for all of them, so
/// that none is made for each.
typealias MemberStack = OwnedList<StackedMember>

/// A member on a ``MemberStack``.
struct StackedMember {
    private let index: UInt32
    private var partnerPlace = UInt32.max
    /// Which of the members of its name it is, from 1.
    let occurrence: UInt32

    init(_ value: Int, occurrence: UInt32) { (index, self.occurrence) = (UInt32(value), occurrence) }

    /// The tape index of the value.
    var value: Int { Int(index) }

    /// Where the member of the other object stands that has the same name; nil where there is none.
    var partner: Int? {
        get { partnerPlace == .max ? nil : Int(partnerPlace) }
        set { partnerPlace = newValue.map { UInt32($0) } ?? .max }
    }
}
