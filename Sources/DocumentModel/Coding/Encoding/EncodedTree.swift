import Foundation

/// The values that one encoding has made so far.
///
/// Nodes are only added to a list, and their texts to a list of bytes. Containers link their nodes, so a type may fill
/// several containers in turn, return to a container that it left, or encode a key twice. The document is written in
/// one pass at the end.
struct EncodedTree: ~Copyable {
    /// A scalar, a value of another document, or an empty container.
    enum Value {
        case string(String)
        /// A number, as it is written.
        case number(String)
        case integer(Int64)
        case boolean(Bool)
        case null
        case date(Date)
        case data(Data)
        /// A value of another document, with everything inside it.
        case spliced(DocumentNode)
        case object
        case array
    }

    private struct Node {
        enum Kind { case string, number, integer, object, array, other, replaced }

        var kind: Kind
        /// The text of a string or a number; the first and the last node in a container, or -1 if it is empty; the
        /// position of a value of another kind; or the node that replaced this one.
        var start: Int32
        var end: Int32
        /// The number of nodes in a container.
        var count: Int32 = 0
        /// The next node in the same container; -1 for the last one.
        var next: Int32 = -1
        /// The name of a member.
        var nameStart: Int32 = 0
        var nameEnd: Int32 = 0
        var hash: UInt64 = 0

        var text: Range<Int> { Int(start)..<Int(end) }
        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }

        static let object = Node(kind: .object, start: -1, end: -1)
        static let array = Node(kind: .array, start: -1, end: -1)
    }

    private var nodes: [Node] = []
    private var text = ByteWriter()
    /// The values that are neither text nor containers.
    private var others: [Value] = []
    /// The members of large objects, by the nodes of the objects.
    private var lookups: [Int: NameLookup<Int>] = [:]

    // MARK: - Nodes

    /// Adds a value that isn't in a container yet, and returns its node.
    mutating func add(_ value: Value) -> Int {
        let start = text.count
        var node = Node.object
        switch value {
        case .object: break
        case .array: node = .array
        case .string(let string):
            text.append(string)
            node = Node(kind: .string, start: Int32(start), end: Int32(text.count))
        case .number(let number):
            text.append(number)
            node = Node(kind: .number, start: Int32(start), end: Int32(text.count))
        case .integer(let integer):
            text.append(String(integer))
            node = Node(kind: .integer, start: Int32(start), end: Int32(text.count))
        case .boolean, .null, .date, .data, .spliced:
            node = Node(kind: .other, start: Int32(others.count), end: 0)
            others.append(value)
        }
        nodes.append(node)
        return nodes.count - 1
    }

    /// Returns whether the node is an object. A spliced object becomes a container, so that members can be added to it.
    mutating func isObject(_ node: Int) -> Bool { isContainer(node, .object, .object) }

    /// Returns whether the node is an array. A spliced array becomes a container, so that elements can be added to it.
    mutating func isArray(_ node: Int) -> Bool { isContainer(node, .array, .array) }

    private mutating func isContainer(_ node: Int, _ kind: Node.Kind, _ splicedKind: NodeKind) -> Bool {
        if nodes[node].kind == .other, case .spliced(let value) = others[Int(nodes[node].start)],
            value.kind == splicedKind
        {
            (nodes[node].kind, nodes[node].start, nodes[node].end) = (kind, -1, -1)
            // Add all members, even if several have the same name.
            for child in value.children {
                let inside = add(.spliced(child.value))
                if let name = child.key?.string {
                    append(inside, named: name, name.nameHash, to: node)
                } else {
                    append(inside, to: node)
                }
            }
        }
        return nodes[node].kind == kind
    }

    // MARK: - Members

    /// Returns the node of the member with that name or a canonically equivalent one.
    mutating func member(_ name: String, of object: Int) -> Int? {
        guard let member = position(of: name, name.nameHash, in: object) else { return nil }
        return value(at: member)
    }

    /// Sets a member of an object. As in Foundation's encoders, a member that already exists keeps its position and the
    /// spelling of its name.
    mutating func setMember(_ name: String, of object: Int, to node: Int) {
        let hash = name.nameHash
        guard let member = position(of: name, hash, in: object) else {
            return append(node, named: name, hash, to: object)
        }
        let old = value(at: member)
        if old != node { (nodes[old].kind, nodes[old].start) = (.replaced, Int32(node)) }
    }

    /// Adds a member to an object, as ``setMember(_:of:to:)`` does.
    mutating func setMember(_ name: String, of object: Int, to value: Value) {
        let node = add(value)
        setMember(name, of: object, to: node)
    }

    /// Adds the members of another object to an object. If a name is repeated in the other object, its first value
    /// counts.
    mutating func addMembers(of other: Int, to object: Int) {
        var names: Set<String> = []
        for node in contents(of: other) {
            let name = String(decoding: text.bytes[nodes[node].name], as: UTF8.self)
            nodes[node].next = -1
            if names.insert(name).inserted { setMember(name, of: object, to: node) }
        }
    }

    /// Sorts the members of an object by name, byte by byte, as JSONEncoder sorts keys.
    mutating func sortMembers(of object: Int) {
        var sorted = contents(of: object)
        sorted.sort { text.bytes[nodes[$0].name].lexicographicallyPrecedes(text.bytes[nodes[$1].name]) }
        relink(sorted, in: object)
    }

    /// Sorts the members of all objects by name.
    mutating func sortAllMembers() {
        for node in nodes.indices where nodes[node].kind == .object { sortMembers(of: node) }
    }

    // MARK: - Elements

    /// The number of values in a container.
    func count(of container: Int) -> Int { Int(nodes[container].count) }

    /// Appends an element to an array, or a member that has a name already to an object.
    mutating func append(_ node: Int, to container: Int) {
        let last = Int(nodes[container].end)
        if last >= 0 { nodes[last].next = Int32(node) } else { nodes[container].start = Int32(node) }
        nodes[container].end = Int32(node)
        nodes[container].count += 1
    }

    /// Inserts an element into an array, at the end if the array is shorter.
    mutating func insert(_ node: Int, at position: Int, of array: Int) {
        append(node, to: array)
        var elements = contents(of: array)
        guard position < elements.count - 1 else { return }
        elements.insert(elements.removeLast(), at: position)
        relink(elements, in: array)
    }

    /// Appends the elements of one array to another.
    mutating func addElements(of other: Int, to array: Int) {
        for node in contents(of: other) {
            nodes[node].next = -1
            append(node, to: array)
        }
    }

    // MARK: - Contents

    /// Returns the node that is written for a node of a container.
    private func value(at node: Int) -> Int {
        var node = node
        while nodes[node].kind == .replaced { node = Int(nodes[node].start) }
        return node
    }

    private func contents(of container: Int) -> [Int] {
        var all: [Int] = []
        var node = Int(nodes[container].start)
        while node >= 0 {
            all.append(node)
            node = Int(nodes[node].next)
        }
        return all
    }

    private mutating func relink(_ order: [Int], in container: Int) {
        for (node, next) in zip(order, order.dropFirst()) { nodes[node].next = Int32(next) }
        if let last = order.last { nodes[last].next = -1 }
        (nodes[container].start, nodes[container].end) = (Int32(order.first ?? -1), Int32(order.last ?? -1))
    }

    private mutating func append(_ node: Int, named name: String, _ hash: UInt64, to object: Int) {
        (nodes[node].nameStart, nodes[node].hash) = (Int32(text.count), hash)
        text.append(name)
        nodes[node].nameEnd = Int32(text.count)
        append(node, to: object)
        if !lookups.isEmpty { lookups[object]?.append(node, hash: hash) }
    }

    /// Returns whether a node, whose name has the same hash, has a name.
    private func hasName(_ node: Int, _ name: String) -> Bool {
        let bytes = UnsafeRawBufferPointer(rebasing: text.bytes[nodes[node].name])
        return name.withBytes { FastHash.haveSameBytes($0, bytes) } || String(decoding: bytes, as: UTF8.self) == name
    }

    /// Returns the first node in an object that was added with that name or a canonically equivalent one.
    private mutating func position(of name: String, _ hash: UInt64, in object: Int) -> Int? {
        guard nodes[object].count > NameLookup<Int>.mostSearched else {
            var node = Int(nodes[object].start)
            while node >= 0, nodes[node].hash != hash || !hasName(node, name) { node = Int(nodes[node].next) }
            return node >= 0 ? node : nil
        }
        var lookup = NameLookup<Int>()
        if let known = lookups.removeValue(forKey: object) {
            lookup = known
        } else {
            for node in contents(of: object) {
                // In an object of another document, names may be repeated; the first one counts.
                let name = String(decoding: text.bytes[nodes[node].name], as: UTF8.self)
                let first = lookup.position(of: nodes[node].hash) { hasName($0, name) }
                if first == nil { lookup.append(node, hash: nodes[node].hash) }
            }
        }
        let position = lookup.position(of: hash) { hasName($0, name) }
        let node = position.map { lookup[$0] }
        lookups[object] = lookup
        return node
    }

    // MARK: - Writing

    /// Appends a value with everything inside it.
    func write(_ node: Int, to builder: inout DocumentBuilder, isPropertyList: Bool) {
        let node = nodes[value(at: node)]
        switch node.kind {
        case .string: builder.string(utf8: UnsafeRawBufferPointer(rebasing: text.bytes[node.text]))
        case .integer: builder.integer(utf8: UnsafeRawBufferPointer(rebasing: text.bytes[node.text]))
        case .number: builder.number(String(decoding: text.bytes[node.text], as: UTF8.self))
        case .other: write(others[Int(node.start)], to: &builder, isPropertyList: isPropertyList)
        case .replaced: break
        case .object, .array:
            if node.kind == .object { builder.beginObject() } else { builder.beginArray() }
            var inside = Int(node.start)
            while inside >= 0 {
                if node.kind == .object {
                    builder.key(utf8: UnsafeRawBufferPointer(rebasing: text.bytes[nodes[inside].name]))
                }
                write(inside, to: &builder, isPropertyList: isPropertyList)
                inside = Int(nodes[inside].next)
            }
            builder.end()
        }
    }

    private func write(_ value: Value, to builder: inout DocumentBuilder, isPropertyList: Bool) {
        switch value {
        case .boolean(let value): builder.boolean(value)
        case .null where isPropertyList: builder.string(PropertyListNull.string)
        case .null: builder.null()
        case .date(let value): builder.date(value)
        case .data(let value): builder.data(value)
        case .spliced(let value): builder.append(value, asPropertyList: isPropertyList)
        case .string, .number, .integer, .object, .array: preconditionFailure("a value that has a node of its own kind")
        }
    }
}
