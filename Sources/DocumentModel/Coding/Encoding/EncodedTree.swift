import Foundation

/// The values that one encoding has made so far.
///
/// Nodes are only ever added to the list. Containers link their values, so a type may fill several containers in turn,
/// return to one that it left, or encode a key twice. The document is written in one pass at the end.
struct EncodedTree {
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
        case object, array
    }

    private struct Node {
        var value: Value
        /// The first and the last link of a container.
        var first: Int?
        var last: Int?
        var count = 0
    }

    /// A value in a container. A member that is encoded again keeps its link and gets another node.
    private struct Link {
        /// Empty for an element of an array.
        var name: String
        var node: Int
        var next: Int?
    }

    private var nodes: [Node] = []
    private var links: [Link] = []
    /// The links of large objects by name, by the node of the object.
    private var linksByName: [Int: [String: Int]] = [:]

    /// Up to this number of members, names are searched linearly.
    private static let mostCompared = 8

    // MARK: - Nodes

    /// Adds a value that isn't in a container yet, and returns its node.
    mutating func add(_ value: Value) -> Int {
        nodes.append(Node(value: value))
        return nodes.count - 1
    }

    /// Whether the node is an object. A spliced object becomes a container, so that members can be added to it.
    mutating func isObject(_ node: Int) -> Bool {
        if case .spliced(let object) = nodes[node].value, object.kind == .object {
            nodes[node].value = .object
            // Every member has a link, even if it has the name of another one.
            for member in object.members { appendLink(member.name, add(.spliced(member.value)), to: node) }
        }
        if case .object = nodes[node].value { return true }
        return false
    }

    /// Whether the node is an array. A spliced array becomes a container, so that elements can be added to it.
    mutating func isArray(_ node: Int) -> Bool {
        if case .spliced(let array) = nodes[node].value, array.kind == .array {
            nodes[node].value = .array
            for element in array.elements { append(add(.spliced(element)), to: node) }
        }
        if case .array = nodes[node].value { return true }
        return false
    }

    // MARK: - Members

    /// Returns the node of the member with that name or a canonically equivalent one.
    mutating func member(_ name: String, of object: Int) -> Int? {
        link(name, of: object).map { links[$0].node }
    }

    /// Sets a member of an object. As in Foundation's encoders, a member that already exists keeps its position and the
    /// spelling of its name.
    mutating func setMember(_ name: String, of object: Int, to node: Int) {
        if let link = link(name, of: object) {
            links[link].node = node
        } else {
            appendLink(name, node, to: object)
        }
    }

    /// Adds the members of another object to an object. If a name is repeated in the other object, its first value
    /// counts.
    mutating func addMembers(of other: Int, to object: Int) {
        var names: Set<String> = []
        for link in links(of: other) where names.insert(links[link].name).inserted {
            setMember(links[link].name, of: object, to: links[link].node)
        }
    }

    /// Sorts the members of an object by name, byte by byte, as JSONEncoder sorts keys.
    mutating func sortMembers(of object: Int) {
        let sorted = links(of: object).sorted {
            links[$0].name.utf8.lexicographicallyPrecedes(links[$1].name.utf8)
        }
        relink(sorted, in: object)
    }

    // MARK: - Elements

    /// The number of values in a container.
    func count(of container: Int) -> Int { nodes[container].count }

    /// Appends an element to an array.
    mutating func append(_ node: Int, to array: Int) { appendLink("", node, to: array) }

    /// Inserts an element into an array, at the end if the array is shorter.
    mutating func insert(_ node: Int, at position: Int, of array: Int) {
        append(node, to: array)
        var elements = links(of: array)
        guard position < elements.count - 1, let new = elements.popLast() else { return }
        elements.insert(new, at: position)
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
        while let current = link {
            all.append(current)
            link = links[current].next
        }
        return all
    }

    private mutating func relink(_ order: [Int], in container: Int) {
        for (link, next) in zip(order, order.dropFirst()) { links[link].next = next }
        if let last = order.last { links[last].next = nil }
        (nodes[container].first, nodes[container].last) = (order.first, order.last)
    }

    private mutating func appendLink(_ name: String, _ node: Int, to container: Int) {
        let link = links.count
        links.append(Link(name: name, node: node))
        if let last = nodes[container].last { links[last].next = link } else { nodes[container].first = link }
        nodes[container].last = link
        nodes[container].count += 1
        linksByName[container]?[name] = link
    }

    private mutating func link(_ name: String, of object: Int) -> Int? {
        var link = nodes[object].first
        if nodes[object].count > Self.mostCompared {
            if let known = linksByName[object] { return known[name] }
            let all = links(of: object)
            linksByName[object] = Dictionary(all.map { (links[$0].name, $0) }) { first, _ in first }
            return linksByName[object]?[name]
        }
        while let current = link, links[current].name != name { link = links[current].next }
        return link
    }

    // MARK: - Writing

    /// Appends a value with everything inside it.
    func write(_ node: Int, to builder: inout DocumentBuilder, isPropertyList: Bool) {
        switch nodes[node].value {
        case .string(let value): builder.string(value)
        case .number(let text): builder.number(text)
        case .integer(let value): builder.number(value)
        case .boolean(let value): builder.boolean(value)
        case .null where isPropertyList: builder.string(PropertyListNull.string)
        case .null: builder.null()
        case .date(let value): builder.date(value)
        case .data(let value): builder.data(value)
        case .spliced(let value): builder.append(value, asPropertyList: isPropertyList)
        case .object:
            builder.beginObject()
            var link = nodes[node].first
            while let current = link {
                builder.key(links[current].name)
                write(links[current].node, to: &builder, isPropertyList: isPropertyList)
                link = links[current].next
            }
            builder.end()
        case .array:
            builder.beginArray()
            var link = nodes[node].first
            while let current = link {
                write(links[current].node, to: &builder, isPropertyList: isPropertyList)
                link = links[current].next
            }
            builder.end()
        }
    }

    /// Sorts the members of all objects by name.
    mutating func sortAllMembers() {
        for node in nodes.indices {
            if case .object = nodes[node].value { sortMembers(of: node) }
        }
    }
}
