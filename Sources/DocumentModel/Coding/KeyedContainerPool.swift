/// Reuses keyed containers for keys of one type, as soon as they are no longer referenced.
///
/// A type requests a container for each of its values, uses it, and releases it. Creating one takes long, because the
/// runtime looks up the types of the container and its box, and allocates the box. A container is only a reference to
/// its box (``KeyedContainerLayout``), so it is free when there is no other reference to the box. It is then reused for
/// another value, which is stored in its cursor. Recursive types use one container for each level.
///
/// `Container` is a `KeyedEncodingContainer` or a `KeyedDecodingContainer`. It is a type parameter because generic code
/// would otherwise have to look up the type.
class KeyedContainerPool<Container, Cursor: ContainerCursor>: ContainerPool<Cursor> {
    /// The container whose cursor was taken or added last.
    @inline(never)
    final var container: Container {
        UnsafeMutableRawPointer(lastBox).assumingMemoryBound(to: Container.self).pointee
    }
}

/// The content of a reusable container's box: its position.
protocol ContainerCursor: AnyObject {
    /// Releases its references after a coding.
    func leave()
    /// Retains what it refers to, because the container is still referenced and may outlive the coding.
    func keep()
}

/// The containers for keys of one type, with their cursors.
///
/// ## Invariant
/// `boxes` and `cursors` each have `count` initialized elements and room for `capacity`. A box is a container. Each
/// cursor is retained once.
class ContainerPool<Cursor: ContainerCursor> {
    @exclusivity(unchecked) private var boxes = UnsafeMutablePointer<ContainerBox>.allocate(capacity: 1)
    /// The cursors, which are retained.
    @exclusivity(unchecked) private var cursors = UnsafeMutablePointer<Unmanaged<Cursor>>.allocate(capacity: 1)
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var capacity = 1
    /// The last container that was taken and may still be in use. Those after it are free. Those before it are checked
    /// only when there is no room for more.
    @exclusivity(unchecked) private var last = -1
    /// Whether a coding uses this pool, and the next pool that it uses.
    @exclusivity(unchecked) fileprivate var isUsed = false
    @exclusivity(unchecked) fileprivate var next: Unmanaged<ContainerPool>?
    /// The maximum number of containers to keep after a coding.
    private static var mostKept: Int { 8 }

    init() {}

    deinit {
        boxes.deinitialize(count: count)
        boxes.deallocate()
        for place in 0..<count { cursors[place].release() }
        cursors.deallocate()
    }

    /// Creates a container at an address. Subclasses for a type of container override this.
    func makeContainer(_ cursor: Cursor, at memory: UnsafeMutableRawPointer) {
        preconditionFailure("a pool of no containers")
    }

    /// Returns the cursor of a free container, or nil if there is none. The pool keeps it alive.
    @inline(__always)
    final func takeFree() -> Unmanaged<Cursor>? {
        while last >= 0, isFree(last) { last -= 1 }
        if last + 1 == capacity { makeRoom() }
        if last + 1 == count { return nil }
        last += 1
        return cursors[last]
    }

    /// Moves containers in use before the others, and allocates more memory if more than half are in use. A type that
    /// releases a container only after it has the next one thus uses two containers, and checking all of them is rare.
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

    /// Creates a container with a cursor, after ``takeFree()`` found none.
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

    /// Releases everything after a coding. Containers that are still referenced are not reused.
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

/// Represents the class of the standard library's boxes. For a reference to `AnyObject`, `isKnownUniquelyReferenced`
/// returns false in code that isn't specialized.
private final class ContainerBox {}

extension UnsafeMutablePointer {
    /// Moves the values to other memory with more capacity.
    fileprivate func moved(count: Int, capacity: Int) -> Self {
        let memory = Self.allocate(capacity: capacity)
        memory.moveInitialize(from: self, count: count)
        deallocate()
        return memory
    }
}

/// The pools that one coding uses. They are not retained, because the coding's ``KnownTypes`` keep them alive.
struct UsedPools<Cursor: ContainerCursor> {
    private var first: Unmanaged<ContainerPool<Cursor>>?

    /// Adds a pool.
    @inline(__always)
    mutating func insert(_ pool: ContainerPool<Cursor>) {
        if pool.isUsed { return }
        pool.isUsed = true
        pool.next = first
        first = .passUnretained(pool)
    }

    /// Releases the coding in all pools.
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
