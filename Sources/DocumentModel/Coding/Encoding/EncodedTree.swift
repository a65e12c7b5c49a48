import Foundation

/// The values that one encoding has made so far.
///
/// Nodes are only added to the list, and containers refer to them, so a type may fill several containers in turn, return
/// to a container that it left, or encode a key twice. The document is written in one pass at the end.
struct EncodedTree {
    /// A scalar, a value of another document, or a container, whose contents are at that position in a list.
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
        case object(Int)
        case array(Int)
    }

    /// A value in a container. The name is empty for an element of an array.
    private struct Link {
        var name: String
        var node: Int
    }

    private var nodes: [Value] = []
    /// The contents of the containers. A member that is encoded again keeps its position and gets another node.
    private var contents: [NameLookup<Link>] = []

    // MARK: - Nodes

    /// Adds a value that isn't in a container yet, and returns its node.
    mutating func add(_ value: Value) -> Int {
        nodes.append(value)
        return nodes.count - 1
    }

    /// Adds an object without members, and returns its node and the position of its contents.
    mutating func addObject() -> (node: Int, contents: Int) {
        contents.append(NameLookup())
        return (add(.object(contents.count - 1)), contents.count - 1)
    }

    /// Adds an array without elements, and returns its node and the position of its contents.
    mutating func addArray() -> (node: Int, contents: Int) {
        contents.append(NameLookup())
        return (add(.array(contents.count - 1)), contents.count - 1)
    }

    /// Returns the contents of a node that is an object, or nil if it isn't. A spliced object becomes a container, so
    /// that members can be added to it.
    mutating func object(at node: Int) -> Int? {
        if case .object(let object) = nodes[node] { return object }
        guard case .spliced(let spliced) = nodes[node], spliced.kind == .object else { return nil }
        contents.append(NameLookup())
        let object = contents.count - 1
        nodes[node] = .object(object)
        // Add all members, even if several have the same name.
        for member in spliced.members {
            let link = Link(name: member.name, node: add(.spliced(member.value)))
            contents[object].append(link, hash: member.name.nameHash)
        }
        return object
    }

    /// Returns the contents of a node that is an array, or nil if it isn't. A spliced array becomes a container, so that
    /// elements can be added to it.
    mutating func array(at node: Int) -> Int? {
        if case .array(let array) = nodes[node] { return array }
        guard case .spliced(let spliced) = nodes[node], spliced.kind == .array else { return nil }
        contents.append(NameLookup())
        let array = contents.count - 1
        nodes[node] = .array(array)
        for element in spliced.elements { append(add(.spliced(element)), to: array) }
        return array
    }

    // MARK: - Members

    /// Returns the node of the member with that name or a canonically equivalent one.
    mutating func member(_ name: String, of object: Int) -> Int? {
        contents[object].position(of: name.nameHash) { $0.name == name }.map { contents[object][$0].node }
    }

    /// Sets a member of an object. As in Foundation's encoders, a member that already exists keeps its position and the
    /// spelling of its name.
    mutating func setMember(_ name: String, of object: Int, to node: Int) {
        let hash = name.nameHash
        if let position = contents[object].position(of: hash, where: { $0.name == name }) {
            contents[object][position].node = node
        } else {
            contents[object].append(Link(name: name, node: node), hash: hash)
        }
    }

    /// Adds the members of another object to an object. If a name is repeated in the other object, its first value
    /// counts.
    mutating func addMembers(of other: Int, to object: Int) {
        var names: Set<String> = []
        for (_, link) in contents[other].members where names.insert(link.name).inserted {
            setMember(link.name, of: object, to: link.node)
        }
    }

    /// Sorts the members of an object by name, byte by byte, as JSONEncoder sorts keys.
    mutating func sortMembers(of object: Int) {
        contents[object].sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    // MARK: - Elements

    /// The number of values in a container.
    func count(of container: Int) -> Int { contents[container].count }

    /// Appends an element to an array.
    mutating func append(_ node: Int, to array: Int) {
        contents[array].append(Link(name: "", node: node), hash: 0)
    }

    /// Inserts an element into an array, at the end if the array is shorter.
    mutating func insert(_ node: Int, at position: Int, of array: Int) {
        let rest = contents[array].removeAll(from: position)
        append(node, to: array)
        for link in rest { append(link.node, to: array) }
    }

    /// Appends the elements of one array to another.
    mutating func addElements(of other: Int, to array: Int) {
        for (_, link) in contents[other].members { append(link.node, to: array) }
    }

    // MARK: - Writing

    /// Appends a value with everything inside it.
    func write(_ node: Int, to builder: inout DocumentBuilder, isPropertyList: Bool) {
        switch nodes[node] {
        case .string(let value): builder.string(value)
        case .number(let text): builder.number(text)
        case .integer(let value): builder.number(value)
        case .boolean(let value): builder.boolean(value)
        case .null where isPropertyList: builder.string(PropertyListNull.string)
        case .null: builder.null()
        case .date(let value): builder.date(value)
        case .data(let value): builder.data(value)
        case .spliced(let value): builder.append(value, asPropertyList: isPropertyList)
        case .object(let object):
            builder.beginObject()
            for (_, link) in contents[object].members {
                builder.key(link.name)
                write(link.node, to: &builder, isPropertyList: isPropertyList)
            }
            builder.end()
        case .array(let array):
            builder.beginArray()
            for (_, link) in contents[array].members {
                write(link.node, to: &builder, isPropertyList: isPropertyList)
            }
            builder.end()
        }
    }

    /// Sorts the members of all objects by name.
    mutating func sortAllMembers() {
        for case .object(let object) in nodes { sortMembers(of: object) }
    }
}
