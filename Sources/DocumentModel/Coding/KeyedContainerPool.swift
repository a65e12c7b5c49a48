/// Keyed containers for keys of one type, each of which is given out again as soon as it has come back.
///
/// A type asks for a container for each of its values, uses it, and lets go of it. To make one takes the runtime long:
/// it looks up the container's type and its box, and makes the box. A container is no more than a reference to its box
/// (``KeyedContainerLayout``), so it has come back when nobody else refers to that. Then it is given out again for
/// another value, which its cursor is told. Types within types of their own kind take one container for each level.
///
/// `Container` is a `KeyedEncodingContainer` or a `KeyedDecodingContainer`, as a type of its own, since generic code
/// would have to look that up as well.
class KeyedContainerPool<Container, Cursor: ContainerCursor>: ContainerPool<Cursor> {
    /// The container whose cursor was given out, or added, last.
    @inline(never)
    final var container: Container {
        UnsafeMutableRawPointer(lastBox).assumingMemoryBound(to: Container.self).pointee
    }
}

/// What a container that is given out again has inside its box: where it stands.
protocol ContainerCursor: AnyObject {
    /// Lets go of a coding that is over.
    func leave()
    /// Keeps what it refers to of the coding, since somebody has the container and may have it longer.
    func keep()
}

/// The containers for keys of any one type, by their cursors.
///
/// ## Invariant
/// From `boxes` and `cursors` on, `count` are initialized and `capacity` allocated. A box is a container. Each cursor is
/// retained once.
class ContainerPool<Cursor: ContainerCursor> {
    @exclusivity(unchecked) private var boxes = UnsafeMutablePointer<ContainerBox>.allocate(capacity: 1)
    /// The cursors, which are kept.
    @exclusivity(unchecked) private var cursors = UnsafeMutablePointer<Unmanaged<Cursor>>.allocate(capacity: 1)
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 1
    /// That which was given out last and may still be out; those behind it are free. Those before it are looked at only
    /// when there is no room for more.
    @exclusivity(unchecked) private var last = -1
    /// Whether a coding uses it, and another pool that the same uses.
    @exclusivity(unchecked) fileprivate var isUsed = false
    @exclusivity(unchecked) fileprivate var next: Unmanaged<ContainerPool>?
    /// How many containers stay when a coding is over.
    private static var mostKept: Int { 8 }

    init() {}

    deinit {
        boxes.deinitialize(count: count)
        boxes.deallocate()
        for place in 0..<count { cursors[place].release() }
        cursors.deallocate()
    }

    /// Puts a new container into memory. Every pool is one of a type of container, which says how.
    func makeContainer(_ cursor: Cursor, at memory: UnsafeMutableRawPointer) {
        preconditionFailure("a pool of no containers")
    }

    /// The cursor of a container that nobody has; nil where there is none. It is kept here.
    @inline(__always)
    final func takeFree() -> Unmanaged<Cursor>? {
        while last >= 0, isFree(last) { last -= 1 }
        if last + 1 == capacity { makeRoom() }
        if last + 1 == count { return nil }
        last += 1
        return cursors[last]
    }

    /// Puts those that are out before the others, and takes more memory where more than half of them are. So a type that
    /// lets go of a container only when it has the next takes two, and looking at all of them is rare.
    @inline(never)
    private final func makeRoom() {
        last = -1
        for place in 0..<count where !isFree(place) {
            last += 1
            if place == last { continue }
            swap(&boxes[place], &boxes[last])
            swap(&cursors[place], &cursors[last])
        }
        guard 2 * (last + 1) > capacity else { return }
        boxes = boxes.moved(count: count, capacity: 2 * capacity)
        cursors = cursors.moved(count: count, capacity: 2 * capacity)
        capacity *= 2
    }

    /// Makes a container with a cursor, where ``takeFree()`` found none.
    @inline(never)
    final func add(_ cursor: Cursor) {
        (cursors + count).initialize(to: .passRetained(cursor))
        makeContainer(cursor, at: UnsafeMutableRawPointer(boxes + count))
        last = count
        count += 1
    }

    @inline(__always)
    fileprivate final var lastBox: UnsafeMutablePointer<ContainerBox> { boxes + last }

    @inline(__always)
    private final func isFree(_ place: Int) -> Bool {
        let box = boxes + place
        return isKnownUniquelyReferenced(&box.pointee)
    }

    /// Lets go of a coding that is over. Containers that somebody still has are not given out again.
    fileprivate final func rest() {
        last = -1
        for place in (0..<count).reversed() {
            let isFree = isFree(place)
            cursors[place]._withUnsafeGuaranteedRef { if isFree { $0.leave() } else { $0.keep() } }
            if !isFree || place >= Self.mostKept { remove(place) }
        }
    }

    private final func remove(_ place: Int) {
        (boxes + place).deinitialize(count: 1)
        cursors[place].release()
        count -= 1
        (boxes + place).moveInitialize(from: boxes + place + 1, count: count - place)
        (cursors + place).moveInitialize(from: cursors + place + 1, count: count - place)
    }
}

/// Stands for the class of the standard library's boxes. Asked of a reference to `AnyObject` whether it is the only one,
/// Swift says no where the code is not specialized for it.
private final class ContainerBox {}

extension UnsafeMutablePointer {
    /// The same values in other memory, with room for more.
    fileprivate func moved(count: Int, capacity: Int) -> Self {
        let memory = Self.allocate(capacity: capacity)
        memory.moveInitialize(from: self, count: count)
        deallocate()
        return memory
    }
}

/// The pools that one coding uses. They are not retained: the coding's ``KnownTypes`` keep them.
struct UsedPools<Cursor: ContainerCursor> {
    private var first: Unmanaged<ContainerPool<Cursor>>?

    /// Notes a pool.
    @inline(__always)
    mutating func insert(_ pool: ContainerPool<Cursor>) {
        if pool.isUsed { return }
        pool.isUsed = true
        pool.next = first
        first = .passUnretained(pool)
    }

    /// Has all pools let go of the coding.
    mutating func rest() {
        while let pool = first {
            first = pool._withUnsafeGuaranteedRef { pool in
                pool.rest()
                pool.isUsed = false
                return pool.next.take()
            }
        }
    }
}
