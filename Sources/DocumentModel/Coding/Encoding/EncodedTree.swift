import Foundation

/// The values that one encoding has made so far.
///
/// Nodes, and links that put them into containers, are only added to lists, and their texts to one list of bytes. So a
/// type may fill several containers in turn, return to a container that it left, or encode a key twice. The document is
/// written in one pass at the end.
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
        enum Kind { case string, number, integer, object, array, other }

        var kind: Kind
        /// The text of a string or a number, or the position of a value of another kind.
        var start = 0
        var end = 0
        /// The first and the last link of a container; -1 if it is empty.
        var first = -1
        var last = -1
        var count = 0
    }

    /// A value in a container. A member that is encoded again keeps its link and gets another node.
    private struct Link {
        /// The hash and the text of the name; 0 for an element of an array.
        var hash: UInt64 = 0
        var nameStart = 0
        var nameEnd = 0
        var node: Int
        /// The next link in the container; -1 for the last one.
        var next = -1
    }

    private var nodes: [Node] = []
    private var links: [Link] = []
    private var text = ByteWriter()
    /// The values that are neither text nor containers.
    private var others: [Value] = []
    /// The links of large objects, by the nodes of the objects.
    private var lookups: [Int: NameLookup<Int>] = [:]

    // MARK: - Nodes

    /// Adds a value that isn't in a container yet, and returns its node.
    mutating func add(_ value: Value) -> Int {
        let start = text.count
        var kind: Node.Kind
        switch value {
        case .string(let string): (kind, _) = (.string, text.append(string))
        case .number(let number): (kind, _) = (.number, text.append(number))
        case .integer(let integer): (kind, _) = (.integer, text.append(decimal: integer))
        case .object: kind = .object
        case .array: kind = .array
        case .boolean, .null, .date, .data, .spliced:
            others.append(value)
            return add(Node(kind: .other, start: others.count - 1))
        }
        return add(Node(kind: kind, start: start, end: text.count))
    }

    private mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Returns whether the node is an object. A spliced object becomes a container, so that members can be added to it.
    mutating func isObject(_ node: Int) -> Bool {
        if let object = spliced(node), object.kind == .object {
            nodes[node] = Node(kind: .object)
            // Add all members, even if several have the same name.
            for member in object.members {
                appendLink(member.name, hash: member.name.nameHash, add(.spliced(member.value)), to: node)
            }
        }
        return nodes[node].kind == .object
    }

    /// Returns whether the node is an array. A spliced array becomes a container, so that elements can be added to it.
    mutating func isArray(_ node: Int) -> Bool {
        if let array = spliced(node), array.kind == .array {
            nodes[node] = Node(kind: .array)
            for element in array.elements { append(add(.spliced(element)), to: node) }
        }
        return nodes[node].kind == .array
    }

    private func spliced(_ node: Int) -> DocumentNode? {
        if nodes[node].kind == .other, case .spliced(let value) = others[nodes[node].start] { value } else { nil }
    }

    // MARK: - Members

    /// Returns the node of the member with that name or a canonically equivalent one.
    mutating func member(_ name: String, of object: Int) -> Int? {
        link(name, hash: name.nameHash, of: object).map { links[$0].node }
    }

    /// Sets a member of an object. As in Foundation's encoders, a member that already exists keeps its position and the
    /// spelling of its name.
    mutating func setMember(_ name: String, of object: Int, to node: Int) {
        let hash = name.nameHash
        if let link = link(name, hash: hash, of: object) {
            links[link].node = node
        } else {
            appendLink(name, hash: hash, node, to: object)
        }
    }

    /// Adds the members of another object to an object. If a name is repeated in the other object, its first value
    /// counts.
    mutating func addMembers(of other: Int, to object: Int) {
        var names: Set<String> = []
        for link in links(of: other) {
            let name = String(decoding: bytes(ofName: link), as: UTF8.self)
            if names.insert(name).inserted { setMember(name, of: object, to: links[link].node) }
        }
    }

    /// Sorts the members of an object by name, byte by byte, as JSONEncoder sorts keys.
    mutating func sortMembers(of object: Int) {
        var sorted = links(of: object)
        sorted.sort { bytes(ofName: $0).lexicographicallyPrecedes(bytes(ofName: $1)) }
        relink(sorted, in: object)
    }

    /// Sorts the members of all objects by name.
    mutating func sortAllMembers() {
        for node in nodes.indices where nodes[node].kind == .object { sortMembers(of: node) }
    }

    // MARK: - Elements

    /// The number of values in a container.
    func count(of container: Int) -> Int { nodes[container].count }

    /// Appends an element to an array.
    mutating func append(_ node: Int, to array: Int) { append(Link(node: node), to: array) }

    /// Inserts an element into an array, at the end if the array is shorter.
    mutating func insert(_ node: Int, at position: Int, of array: Int) {
        append(node, to: array)
        var elements = links(of: array)
        guard position < elements.count - 1 else { return }
        elements.insert(elements.removeLast(), at: position)
        relink(elements, in: array)
    }

    /// Appends the elements of one array to another.
    mutating func addElements(of other: Int, to array: Int) {
        for link in links(of: other) { append(links[link].node, to: array) }
    }

    // MARK: - Links

    private func links(of container: Int) -> [Int] {
        var all: [Int] = []
        var link = nodes[container].first
        while link >= 0 {
            all.append(link)
            link = links[link].next
        }
        return all
    }

    private mutating func relink(_ order: [Int], in container: Int) {
        for (link, next) in zip(order, order.dropFirst()) { links[link].next = next }
        if let last = order.last { links[last].next = -1 }
        (nodes[container].first, nodes[container].last) = (order.first ?? -1, order.last ?? -1)
    }

    private mutating func append(_ link: Link, to container: Int) {
        links.append(link)
        let last = nodes[container].last
        if last >= 0 { links[last].next = links.count - 1 } else { nodes[container].first = links.count - 1 }
        nodes[container].last = links.count - 1
        nodes[container].count += 1
    }

    private mutating func appendLink(_ name: String, hash: UInt64, _ node: Int, to object: Int) {
        let start = text.count
        text.append(name)
        append(Link(hash: hash, nameStart: start, nameEnd: text.count, node: node), to: object)
        if !lookups.isEmpty { lookups[object]?.append(links.count - 1, hash: hash) }
    }

    private func bytes(ofName link: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: text.bytes[links[link].nameStart..<links[link].nameEnd])
    }

    /// Returns whether the name of a link, which has the same hash, equals a name.
    private func hasName(_ link: Int, _ name: String) -> Bool {
        name.withBytes { FastHash.haveSameBytes($0, bytes(ofName: link)) }
            || String(decoding: bytes(ofName: link), as: UTF8.self) == name
    }

    private mutating func link(_ name: String, hash: UInt64, of object: Int) -> Int? {
        guard nodes[object].count > NameLookup<Int>.mostSearched else {
            var link = nodes[object].first
            while link >= 0, links[link].hash != hash || !hasName(link, name) { link = links[link].next }
            return link >= 0 ? link : nil
        }
        if lookups[object] == nil {
            var lookup = NameLookup<Int>()
            for link in links(of: object) { lookup.append(link, hash: links[link].hash) }
            lookups[object] = lookup
        }
        guard var lookup = lookups.removeValue(forKey: object) else { return nil }
        let position = lookup.position(of: hash) { hasName($0, name) }
        let link = position.map { lookup[$0] }
        lookups[object] = lookup
        return link
    }

    // MARK: - Writing

    /// Appends a value with everything inside it.
    func write(_ node: Int, to builder: inout DocumentBuilder, isPropertyList: Bool) {
        let node = nodes[node]
        switch node.kind {
        case .string: builder.string(utf8: UnsafeRawBufferPointer(rebasing: text.bytes[node.start..<node.end]))
        case .integer: builder.integer(utf8: UnsafeRawBufferPointer(rebasing: text.bytes[node.start..<node.end]))
        case .number: builder.number(String(decoding: text.bytes[node.start..<node.end], as: UTF8.self))
        case .other: write(others[node.start], to: &builder, isPropertyList: isPropertyList)
        case .object, .array:
            if node.kind == .object { builder.beginObject() } else { builder.beginArray() }
            var link = node.first
            while link >= 0 {
                if node.kind == .object { builder.key(utf8: bytes(ofName: link)) }
                write(links[link].node, to: &builder, isPropertyList: isPropertyList)
                link = links[link].next
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
