/// The members of an object by name and, if several have the same name, by their occurrence. They are stored in
/// sequence on a ``MemberStack``.
///
/// Names are usually looked up in the order of the object, so that each is right after the last one, or there are few
/// of them.
struct AlignedMembers {
    /// The places of the members on the stack, in the order of the object.
    let places: Range<Int>
    private let hashes: ValueHashes.View
    /// The place after the member found last.
    private var next: Int
    /// The number of searches through all members so far.
    private var scanCount = 0
    /// The places of members by the hashes of their names; created once it is worthwhile.
    private var placesByName: [UInt64: [Int]]?

    /// Up to this number of members, they are always searched linearly.
    private static let largestScanned = 8
    /// The number of linear searches through more members before a table is created.
    private static let mostScans = 8

    /// Pushes the members of an object onto a stack.
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

    /// Returns the place of the member with the same name and occurrence as another one.
    ///
    /// - Parameters:
    ///   - other: The hashes of the other member's document.
    ///   - stack: The stack with the members.
    ///   - comparison: Compares values of this document with values of the other one.
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

/// The members of the objects that are being compared, from the outermost object inwards. All of them share one list,
/// so that none has to be created for each object.
typealias MemberStack = OwnedList<StackedMember>

/// A member on a ``MemberStack``.
struct StackedMember {
    private let index: UInt32
    private var partnerPlace = UInt32.max
    /// The occurrence among the members with its name, from 1.
    let occurrence: UInt32

    init(_ value: Int, occurrence: UInt32) { (index, self.occurrence) = (UInt32(value), occurrence) }

    /// The tape index of the value.
    var value: Int { Int(index) }

    /// The place of the member with the same name in the other object, or nil if there is none.
    var partner: Int? {
        get { partnerPlace == .max ? nil : Int(partnerPlace) }
        set { partnerPlace = newValue.map { UInt32($0) } ?? .max }
    }
}
