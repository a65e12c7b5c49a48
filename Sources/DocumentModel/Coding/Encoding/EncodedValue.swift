import Foundation

/// A value that is being encoded. Containers are references, because types may fill several of them alternately, and
/// may continue to do so long after they were created.
enum EncodedValue {
    case string(String)
    case number(String)
    case boolean(Bool)
    case null
    case date(Date)
    case data(Data)
    case object(EncodedObject)
    case array(EncodedArray)
    /// A value of another document, with everything inside it unchanged.
    case spliced(DocumentNode)

    func append(to builder: inout DocumentBuilder, session: EncodingSession) {
        switch self {
        case .string(let value): builder.string(value)
        case .number(let text): builder.number(text)
        case .boolean(let value): builder.boolean(value)
        case .null where session.isPropertyList: builder.string(PropertyListNull.string)
        case .null: builder.null()
        case .date(let value): builder.date(value)
        case .data(let value): builder.data(value)
        case .object(let object):
            builder.beginObject()
            object.forEachMember(sorted: session.strategies.sortsKeys) { name, value in
                builder.key(name)
                value.append(to: &builder, session: session)
            }
            builder.end()
        case .array(let array):
            builder.beginArray()
            for element in array.elements { element.append(to: &builder, session: session) }
            builder.end()
        case .spliced(let node): builder.append(node, asPropertyList: session.isPropertyList)
        }
    }
}

extension EncodedValue {
    /// The members, if this is an object.
    var object: EncodedObject? {
        switch self {
        case .object(let object): object
        case .spliced(let node) where node.kind == .object: EncodedObject(node)
        default: nil
        }
    }

    /// The elements, if this is an array.
    var array: EncodedArray? {
        switch self {
        case .array(let array): array
        case .spliced(let node) where node.kind == .array: EncodedArray(node)
        default: nil
        }
    }
}

extension EncodedValue? {
    /// Returns the object to add more members to: a new one, or an existing one. As in Foundation's encoders, any other
    /// existing value is a programming error.
    func object(orStop message: @autoclosure () -> String) -> EncodedObject {
        guard let self else { return EncodedObject() }
        guard let object = self.object else { preconditionFailure(message()) }
        return object
    }

    /// Returns the array to add more elements to; see ``object(orStop:)``.
    func array(orStop message: @autoclosure () -> String) -> EncodedArray {
        guard let self else { return EncodedArray() }
        guard let array = self.array else { preconditionFailure(message()) }
        return array
    }
}

/// The elements of an array so far.
final class EncodedArray {
    var elements: [EncodedValue] = []

    init() {}

    /// Creates an array that begins with the elements of `node`.
    init(_ node: DocumentNode) { elements = node.elements.map { .spliced($0) } }
}
