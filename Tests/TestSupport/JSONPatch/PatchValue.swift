import DocumentModel

/// A mutable value. The parts that no operation looks into stay cursors into the document they came from.
final class PatchValue {
    private enum Content {
        case node(DocumentNode)
        case object(PatchObject)
        case array(PatchArray)
    }

    private var content: Content

    init(_ node: DocumentNode) { content = .node(node) }

    private init(_ content: Content) { self.content = content }

    /// Returns an independent value equal to this one.
    func copy() -> PatchValue {
        switch content {
        case .node: PatchValue(content)
        case .object(let object): PatchValue(.object(object.copy()))
        case .array(let array): PatchValue(.array(array.copy()))
        }
    }

    func append(to builder: inout DocumentBuilder) {
        switch content {
        case .node(let node): builder.append(node)
        case .object(let object):
            builder.beginObject()
            for member in object.members {
                builder.key(member.name)
                member.value.append(to: &builder)
            }
            builder.end()
        case .array(let array):
            builder.beginArray()
            for element in array.elements { element.append(to: &builder) }
            builder.end()
        }
    }

    /// Returns the child that `token`, the last token of `path`, leads to.
    func child(_ token: String, path: String) throws -> PatchValue {
        switch try container(path) {
        case .object(let object):
            guard let value = object[token] else { throw JSONPatchError.Reason.nothing(at: path) }
            return value
        case .array(let array): return array[try Self.position(token, in: array, path: path)]
        }
    }

    func add(_ value: PatchValue, _ token: String, path: String) throws {
        switch try container(path) {
        case .object(let object): object.set(value, token)
        case .array(let array) where token == "-": array.insert(value, at: array.count)
        case .array(let array):
            array.insert(value, at: try Self.position(token, in: array, orEnd: true, path: path))
        }
    }

    func replace(_ token: String, with value: PatchValue, path: String) throws {
        switch try container(path) {
        case .object(let object):
            guard object[token] != nil else { throw JSONPatchError.Reason.nothing(at: path) }
            object.set(value, token)
        case .array(let array): array[try Self.position(token, in: array, path: path)] = value
        }
    }

    func remove(_ token: String, path: String) throws -> PatchValue {
        switch try container(path) {
        case .object(let object):
            guard let value = object.remove(token) else { throw JSONPatchError.Reason.nothing(at: path) }
            return value
        case .array(let array): return array.remove(at: try Self.position(token, in: array, path: path))
        }
    }

    private enum Container {
        case object(PatchObject)
        case array(PatchArray)
    }

    private func container(_ path: String) throws -> Container {
        switch content {
        case .object(let object): return .object(object)
        case .array(let array): return .array(array)
        case .node(let node) where node.kind == .object:
            let object = PatchObject(node)
            content = .object(object)
            return .object(object)
        case .node(let node) where node.kind == .array:
            let array = PatchArray(node.elements.map { PatchValue($0) })
            content = .array(array)
            return .array(array)
        case .node(let node): throw JSONPatchError.Reason.notAContainer(path, kind: node.kind)
        }
    }

    /// Returns the index for a token of digits without leading zeros (RFC 6901, section 4).
    private static func position(
        _ token: String, in array: PatchArray, orEnd: Bool = false, path: String
    ) throws -> Int {
        let digits = token.utf8
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }), digits.count == 1 || digits.first != 0x30,
            let position = Int(token), position < array.count + (orEnd ? 1 : 0)
        else { throw JSONPatchError.Reason.notAPosition(path, count: array.count) }
        return position
    }
}

/// The members of an object in order.
final class PatchObject {
    typealias Member = (name: String, value: PatchValue)

    /// The members, with `nil` for a removed one.
    private var places: [Member?]
    /// The index of the first member with each name.
    private var slots: [ExactText: Int]
    private let hasDuplicates: Bool

    init(_ node: DocumentNode) {
        places = []
        slots = [:]
        for member in node.members {
            let name = ExactText(member.name)
            if slots[name] == nil { slots[name] = places.count }
            places.append((name.string, PatchValue(member.value)))
        }
        hasDuplicates = slots.count < places.count
    }

    private init(places: [Member?], slots: [ExactText: Int], hasDuplicates: Bool) {
        self.places = places
        self.slots = slots
        self.hasDuplicates = hasDuplicates
    }

    func copy() -> PatchObject {
        PatchObject(
            places: places.map { $0.map { ($0.name, $0.value.copy()) } }, slots: slots, hasDuplicates: hasDuplicates)
    }

    subscript(name: String) -> PatchValue? {
        slots[ExactText(name)].flatMap { places[$0]?.value }
    }

    /// The members that have not been removed.
    var members: [Member] { places.compactMap { $0 } }

    func set(_ value: PatchValue, _ name: String) {
        if let slot = slots[ExactText(name)] {
            removeDuplicates(of: name)
            places[slot] = (name, value)
        } else {
            slots[ExactText(name)] = places.count
            places.append((name, value))
        }
    }

    func remove(_ name: String) -> PatchValue? {
        guard let slot = slots.removeValue(forKey: ExactText(name)) else { return nil }
        let value = places[slot]?.value
        removeDuplicates(of: name)
        places[slot] = nil
        return value
    }

    /// Removes every member with this name, so that an operation never uncovers a second member with the same name.
    private func removeDuplicates(of name: String) {
        guard hasDuplicates else { return }
        for slot in places.indices where places[slot]?.name.utf8.elementsEqual(name.utf8) == true {
            places[slot] = nil
        }
    }
}

/// The elements of an array in chunks, so that an insertion or removal moves few other elements.
///
/// The search for an element starts at the chunk of the last operation, because operations usually follow the order of
/// the array.
final class PatchArray {
    private static let chunkLimit = 1024

    private var chunks: [[PatchValue]] = []
    private(set) var count: Int
    /// The chunk of the last operation, and the index of its first element.
    private var current = 0
    private var currentStart = 0

    init(_ elements: [PatchValue]) {
        count = elements.count
        for start in stride(from: 0, to: max(1, elements.count), by: Self.chunkLimit / 2) {
            chunks.append(Array(elements[start..<min(elements.count, start + Self.chunkLimit / 2)]))
        }
    }

    func copy() -> PatchArray { PatchArray(elements.map { $0.copy() }) }

    var elements: [PatchValue] { Array(chunks.joined()) }

    subscript(position: Int) -> PatchValue {
        get {
            find(position)
            return chunks[current][position - currentStart]
        }
        set {
            find(position)
            chunks[current][position - currentStart] = newValue
        }
    }

    func insert(_ value: PatchValue, at position: Int) {
        find(position)
        chunks[current].insert(value, at: position - currentStart)
        count += 1
        guard chunks[current].count > Self.chunkLimit else { return }
        let half = Array(chunks[current][(Self.chunkLimit / 2)...])
        chunks[current].removeLast(half.count)
        chunks.insert(half, at: current + 1)
    }

    func remove(at position: Int) -> PatchValue {
        find(position)
        count -= 1
        return chunks[current].remove(at: position - currentStart)
    }

    /// Makes the chunk with the element at `position` the current one, or the last chunk for the end of the array.
    private func find(_ position: Int) {
        while position < currentStart {
            current -= 1
            currentStart -= chunks[current].count
        }
        while position >= currentStart + chunks[current].count, current + 1 < chunks.count {
            currentStart += chunks[current].count
            current += 1
        }
    }
}
