import Foundation

/// A list with one owner. It is never shared, so it needs no reference count, and it is changed in place. An empty list
/// without capacity takes up no memory.
///
/// An array is a reference-counted object. In code that creates many short lists, such as the comparison of two small
/// documents, these objects cost more than the work on the lists.
///
/// ## Invariant
/// `count` elements from `memory` are initialized, and `capacity` are allocated with `malloc`. If the capacity is 0,
/// there is no memory, and no index is below the count. The memory grows with `realloc`, so no element may contain a
/// weak reference or need an alignment of more than 16 bytes.
struct OwnedList<Element: ~Copyable>: ~Copyable {
    private(set) var count = 0
    private(set) var capacity: Int
    private var memory: UnsafeMutablePointer<Element>?

    /// Creates an empty list with some capacity.
    init(capacity: Int = 0) {
        precondition(capacity >= 0)
        self.capacity = capacity
        memory = capacity > 0 ? .allocated(count: capacity) : nil
    }

    /// Creates a list of `count` elements, which `initialize` writes into the memory.
    init(count: Int, initialize: (UnsafeMutablePointer<Element>) -> Void) {
        self.init(capacity: count)
        if let memory { initialize(memory) }
        self.count = count
    }

    deinit {
        guard let memory else { return }
        memory.deinitialize(count: count)
        free(memory)
    }

    var isEmpty: Bool { count == 0 }

    var indices: Range<Int> { 0..<count }

    subscript(index: Int) -> Element {
        @inline(__always)
        _read {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            yield memory.unsafelyUnwrapped[index]
        }
        @inline(__always)
        _modify {
            precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
            yield &memory.unsafelyUnwrapped[index]
        }
    }

    @inline(__always)
    mutating func append(_ element: consuming Element) {
        if count == capacity { grow(by: 1) }
        (memory.unsafelyUnwrapped + count).initialize(to: element)
        count += 1
    }

    /// Reserves capacity for `more` elements.
    mutating func reserve(_ more: Int) {
        guard more > capacity - count else { return }
        // Grow at least by half, so that many small requests in a row move the elements only a few times.
        resize(to: count == 0 ? more : max(count + more, capacity + capacity / 2))
    }

    /// Grows the list for `more` elements. A short list at least doubles its capacity. A long list grows by half, so
    /// that the blocks it leaves are smaller.
    @inline(never)
    private mutating func grow(by more: Int) {
        let isShort = capacity * MemoryLayout<Element>.stride <= MallocedMemory.mostSlack
        resize(to: max(count + more, isShort ? 2 * capacity : capacity + capacity / 2, 4))
    }

    private mutating func resize(to capacity: Int) {
        memory = memory.map { $0.reallocated(count: capacity) } ?? .allocated(count: capacity)
        self.capacity = capacity
    }

    /// Appends `more` elements, which `initialize` writes into the memory.
    mutating func append(count more: Int, initialize: (UnsafeMutablePointer<Element>) -> Void) {
        guard more > 0 else { return }
        reserve(more)
        initialize(memory.unsafelyUnwrapped + count)
        count += more
    }

    /// Removes and returns the last element.
    mutating func removeLast() -> Element {
        precondition(count > 0)
        count -= 1
        return (memory.unsafelyUnwrapped + count).move()
    }

    /// Returns the list, and leaves an empty one.
    mutating func taken() -> OwnedList {
        var taken = OwnedList()
        swap(&taken, &self)
        return taken
    }

    /// Frees the unused capacity if it is large.
    mutating func trim() {
        if (capacity - count) * MemoryLayout<Element>.stride > MallocedMemory.mostRoomLeft { resize(to: max(1, count)) }
    }

    /// Returns the memory with the elements, with little unused capacity. The caller owns the elements, and must free
    /// the memory.
    consuming func released() -> (memory: UnsafeMutablePointer<Element>, count: Int) {
        let slack = (capacity - count) * MemoryLayout<Element>.stride
        if memory == nil || slack > MallocedMemory.mostSlack { resize(to: max(1, count)) }
        let released = (memory.unsafelyUnwrapped, count)
        discard self
        return released
    }

    /// Removes all elements but keeps the memory.
    mutating func removeAll() {
        memory?.deinitialize(count: count)
        count = 0
    }

    /// Calls `body` with the elements. The buffer is valid only during the call.
    @inline(__always)
    func withElements<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: memory, count: count))
    }

    /// Calls `body` with the elements, which it may change. The buffer is valid only during the call.
    @inline(__always)
    mutating func withMutableElements<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeMutableBufferPointer(start: memory, count: count))
    }
}

/// Several threads may read a list at the same time. Only its owner changes it, and not while another thread reads it.
extension OwnedList: @unchecked Sendable where Element: Sendable & ~Copyable {}

extension OwnedList where Element: BitwiseCopyable {
    /// Creates a list of the elements of several lists, in order. Each list is freed before the next one is copied.
    init(joining parts: consuming OwnedList<OwnedList>) {
        self = parts.isEmpty ? OwnedList() : parts[0].taken()
        reserve(parts.indices.dropFirst().reduce(0) { $0 + parts[$1].count })
        for part in parts.indices.dropFirst() {
            parts[part].withElements { append(contentsOf: $0) }
            parts[part] = OwnedList()
        }
    }

    /// Creates a list of equal elements.
    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        memory?.initialize(repeating: element, count: count)
        self.count = count
    }

    /// The last element, or nil if the list is empty.
    var last: Element? { count > 0 ? self[count - 1] : nil }

    /// Appends elements from other memory.
    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let source = elements.baseAddress, elements.count > 0 else { return }
        if count + elements.count > capacity { grow(by: elements.count) }
        (memory.unsafelyUnwrapped + count).initialize(from: source, count: elements.count)
        count += elements.count
    }

    /// Keeps the first `count` elements and removes the others.
    mutating func removeAll(after count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// Removes the elements for which `isRemoved` returns true.
    mutating func removeAll(where isRemoved: (Element) -> Bool) {
        var kept = 0
        for index in indices where !isRemoved(self[index]) {
            self[kept] = self[index]
            kept += 1
        }
        count = kept
    }

    /// Inserts an element into a sorted list, after the elements that are equal to it, in time proportional to the
    /// number of elements.
    @inline(__always)
    mutating func insert(_ element: Element, by areInOrder: (Element, Element) -> Bool) {
        append(element)
        withMutableElements { elements in
            var place = elements.count - 1
            while place > 0, areInOrder(element, elements[place - 1]) {
                elements[place] = elements[place - 1]
                place -= 1
            }
            elements[place] = element
        }
    }

    mutating func sort(by areInOrder: (Element, Element) -> Bool) {
        withMutableElements { elements in
            var elements = elements
            elements.sort(by: areInOrder)
        }
    }
}

extension OwnedList where Element: FixedWidthInteger & BitwiseCopyable {
    /// Creates a list of zeros. The system provides the memory of a long list only when it is written to.
    init(zeros count: Int) {
        // For a short list, `calloc` takes longer than writing the zeros, because in glibc it doesn't reuse the block
        // that the thread freed last.
        guard count * MemoryLayout<Element>.stride > MallocedMemory.mostSlack else {
            self.init(repeating: 0, count: count)
            return
        }
        self.init()
        memory = UnsafeMutableRawPointer.zeroed(byteCount: count * MemoryLayout<Element>.stride)
            .bindMemory(to: Element.self, capacity: count)
        (self.count, capacity) = (count, count)
    }
}

/// A view of a list's elements that checks each index. It is valid as long as the list's memory.
struct ElementsView<Element: BitwiseCopyable>: RandomAccessCollection {
    private let elements: UnsafeBufferPointer<Element>

    init(_ elements: UnsafeBufferPointer<Element>) { self.elements = elements }

    var startIndex: Int { 0 }
    var endIndex: Int { elements.count }

    @inline(__always)
    subscript(index: Int) -> Element {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: elements.count))
        return elements[index]
    }
}
