import DocumentModel
import Foundation
import MigrationCore

/// A binary number as a type, so that there are as many types as chains.
protocol ChainNumber: SendableMetatype { static var value: Int { get } }
enum Zero: ChainNumber { static var value: Int { 0 } }
enum Twice<Half: ChainNumber>: ChainNumber { static var value: Int { 2 * Half.value } }
enum TwiceAndOne<Half: ChainNumber>: ChainNumber { static var value: Int { 2 * Half.value + 1 } }

/// The chains of a worker.
enum Registry {
    static let schemes = Reduction.ofWorker.enumerated().map { Scheme($1, slot: $0, seed: Arguments.current.seed) }
}

// MARK: - The chain

extension Scheme {
    /// Returns the chain for the program.
    ///
    /// - Parameter index: The index of the scheme in the registry.
    static func chain(at index: Int) -> MigrationChain { chain(index, digits(of: index)[...], Zero.self) }

    private static func digits(of number: Int) -> [Bool] {
        number == 0 ? [] : digits(of: number / 2) + [number % 2 == 1]
    }

    @inline(never)
    private static func chain<Number: ChainNumber>(
        _ index: Int, _ digits: ArraySlice<Bool>, _: Number.Type
    ) -> MigrationChain {
        guard let digit = digits.first else { return chain(Registry.schemes[index], Number.self) }
        return digit
            ? chain(index, digits.dropFirst(), TwiceAndOne<Number>.self)
            : chain(index, digits.dropFirst(), Twice<Number>.self)
    }

    private static func chain<Number: ChainNumber>(_ scheme: Scheme, _: Number.Type) -> MigrationChain {
        typealias V1 = First<Number>
        typealias V2 = Later<V1>
        typealias V3 = Later<V2>
        typealias V4 = Later<V3>
        let name = scheme.name
        switch (scheme.system, scheme.versions.count) {
        case (.types, 2): return MigrationChain(V2.self, named: name)
        case (.types, 3): return MigrationChain(V3.self, named: name)
        case (.types, _): return MigrationChain(V4.self, named: name)
        case (.closures, 2): return MigrationChain(Payload<Number, Two>.self, named: name)
        case (.closures, 3): return MigrationChain(Payload<Number, Three>.self, named: name)
        case (.closures, _): return MigrationChain(Payload<Number, Four>.self, named: name)
        case (.fallback, 2): return MigrationChain(fallback: Fallen<V2>.self, named: name)
        case (.fallback, 3): return MigrationChain(fallback: Fallen<V3>.self, named: name)
        case (.fallback, _): return MigrationChain(fallback: Fallen<V4>.self, named: name)
        case (.shapes, let count):
            let two = ShapeVersions(V1.self).then(V2.self) { try V2(from: $0) }
            if count == 2 { return MigrationChain(named: name, shapes: two) }
            let three = two.then(V3.self) { try V3(from: $0) }
            if count == 3 { return MigrationChain(named: name, shapes: three) }
            return MigrationChain(named: name, shapes: three.then(V4.self) { try V4(from: $0) })
        }
    }
}

/// An error defined by an app.
struct OwnError: Error, CustomStringConvertible {
    let description: String
}

extension Refusal {
    /// The error that an app throws.
    var thrown: any Error {
        isOwn
            ? OwnError(description: message)
            : VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: path.parts.map(\.codingKey), debugDescription: message))
    }
}

extension Path.Part {
    fileprivate var codingKey: PathCodingKey {
        switch self {
        case .key(let name): PathCodingKey(name)
        case .index(let index): PathCodingKey(index: index)
        case .all: PathCodingKey("*")
        }
    }
}

extension Scheme {
    /// Runs a step as a type does.
    func step(_ index: Int, _ value: Value) throws -> Value {
        var value = value
        do throws(Refusal) { try take(index, &value, Progress()) } catch { throw error.thrown }
        return value
    }
}

// MARK: - Types

/// A version of a chain that knows its index.
protocol Version: VersionedCodable, SendableMetatype {
    static var index: Int { get }
    static var scheme: Scheme { get }
    var value: Value { get }
}

struct First<Number: ChainNumber>: Version {
    let value: Value

    typealias PreviousVersion = NothingEarlier
    static var index: Int { 0 }
    static var scheme: Scheme { Registry.schemes[Number.value] }
    static var version: Int? { 1 }

    init(from decoder: any Decoder) throws { value = try Self.scheme.versions[0].decode(from: decoder) }
    func encode(to encoder: any Encoder) throws { try Self.scheme.versions[0].encode(value, to: encoder) }
}

struct Later<Earlier: Version>: Version {
    let value: Value

    typealias PreviousVersion = Earlier
    static var index: Int { Earlier.index + 1 }
    static var scheme: Scheme { Earlier.scheme }
    static var version: Int? { index + 1 }

    init(from old: Earlier) throws { value = try Self.scheme.step(Earlier.index, old.value) }
    init(from decoder: any Decoder) throws { value = try Self.scheme.versions[Self.index].decode(from: decoder) }
    func encode(to encoder: any Encoder) throws { try Self.scheme.versions[Self.index].encode(value, to: encoder) }
}

// MARK: - Fallbacks

extension Version {
    /// Returns the shapes of this version and all older ones, newest first. Each of them leads to the newest version.
    fileprivate static func shapes<Newest>(
        to newest: Newest.Type, _ migrate: @escaping @Sendable (Self) throws -> Newest
    ) -> [FallbackShape<Fallen<Newest>>] {
        let shape = FallbackShape(Self.self) { Fallen(newest: try migrate($0)) }
        guard let previous = PreviousVersion.self as? any Version.Type else { return [shape] }
        func older<Older: Version>(_ type: Older.Type) -> [FallbackShape<Fallen<Newest>>] {
            type.shapes(to: newest) { old in
                guard let old = old as? PreviousVersion else { throw OwnError(description: "no version") }
                return try migrate(Self(from: old))
            }
        }
        return [shape] + older(previous)
    }
}

/// A value that detects its version by itself.
struct Fallen<Newest: Version>: FallbackDecodable, Encodable {
    let newest: Newest

    static var shapes: [FallbackShape<Fallen>] { Newest.shapes(to: Newest.self) { $0 } }

    func encode(to encoder: any Encoder) throws { try newest.encode(to: encoder) }
}

// MARK: - Closures

enum Two: Int, VersionType {
    case v1 = 1
    case v2
}
enum Three: Int, VersionType {
    case v1 = 1
    case v2, v3
}
enum Four: Int, VersionType {
    case v1 = 1
    case v2, v3, v4
}

struct Payload<Number: ChainNumber, Version: VersionType>: Versionable
where Version.RawValue == Int {
    let value: Value
    let version: Version

    private static var scheme: Scheme { Registry.schemes[Number.value] }

    static func migrate(to version: Version) -> Migration {
        guard version.rawValue > 1 else { return .none }
        let (scheme, index) = (scheme, version.rawValue - 2)
        return .migrate { payload in
            var value = Value(payload: payload)
            do throws(Refusal) { try scheme.take(index, &value, Progress()) } catch { throw error.thrown }
            payload = value.payload as? [String: Any] ?? [:]
        }
    }

    init(from decoder: any Decoder) throws {
        version = try decoder.container(keyedBy: PathCodingKey.self).decode(
            Version.self, forKey: PathCodingKey("version"))
        let schemas = Self.scheme.versions
        value = try schemas[schemas.count - 1].decode(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        try container.encode(version, forKey: PathCodingKey("version"))
        let schemas = Self.scheme.versions
        try schemas[schemas.count - 1].encode(value, to: encoder)
    }
}

extension Value {
    init(payload: Any) {
        switch payload {
        case let object as [String: Any]:
            var members = Members()
            for name in object.keys.sorted() { members[name] = object[name].map(Value.init(payload:)) }
            self = .object(members)
        case let array as [Any]: self = .list(array.map(Value.init(payload:)), [:])
        case let text as String: self = .text(text)
        case let number as NSNumber:
            self = number.objCType[0] == 0x63 ? .leaf(.bool(number.boolValue), [:]) : .number(number.doubleValue)
        default: self = .leaf(.null, [:])
        }
    }

    var payload: Any {
        switch self {
        case .object(let members):
            Dictionary(uniqueKeysWithValues: members.names.map { ($0, members[$0]?.payload ?? NSNull()) })
        case .list(let elements, _): elements.map(\.payload)
        case .leaf(.text(let text), _): text
        case .leaf(.number(let number), _):
            number == number.rounded() && number.magnitude < 1e15 ? Int(number) as Any : number as Any
        case .leaf(.bool(let bool), _): bool
        case .leaf(.null, _): NSNull()
        }
    }
}

// MARK: - Containers

extension Schema {
    func decode(from decoder: any Decoder) throws -> Value {
        try decode(try decoder.container(keyedBy: PathCodingKey.self))
    }

    private func decode(_ container: KeyedDecodingContainer<PathCodingKey>) throws -> Value {
        var members = Members()
        for field in fields {
            let key = PathCodingKey(field.name)
            switch field.shape {
            case .leaf(let kind): members[field.name] = try kind.decode(container, key, field.isOptional)
            case .object(let schema):
                members[field.name] = try schema.decode(
                    container.nestedContainer(keyedBy: PathCodingKey.self, forKey: key))
            case .list(let shape, let skips):
                var list = try container.nestedUnkeyedContainer(forKey: key)
                members[field.name] = try Self.decode(shape, skips, &list)
            }
        }
        return .object(members)
    }

    private static func decode(
        _ shape: Shape, _ skips: Bool, _ list: inout any UnkeyedDecodingContainer
    ) throws -> Value {
        var elements: [Value] = []
        while !list.isAtEnd {
            switch shape {
            case .object(let schema) where skips:
                let element = try list.superDecoder()
                if let value = try? schema.decode(from: element) { elements.append(value) }
            case .object(let schema):
                elements.append(try schema.decode(list.nestedContainer(keyedBy: PathCodingKey.self)))
            case .leaf(.whole): elements.append(.number(Double(try list.decode(Int.self))))
            default: elements.append(.text(try list.decode(String.self)))
            }
        }
        return .list(elements, [:])
    }

    func encode(_ value: Value, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PathCodingKey.self)
        try encode(value, &container)
    }

    private func encode(_ value: Value, _ container: inout KeyedEncodingContainer<PathCodingKey>) throws {
        for field in fields where !field.isUnwritten {
            guard let member = value[field.name] else { continue }
            let key = PathCodingKey(field.name)
            switch (field.shape, member) {
            case (.leaf(let kind), _): try kind.encode(member, &container, key)
            case (.object(let schema), _):
                var inner = container.nestedContainer(keyedBy: PathCodingKey.self, forKey: key)
                try schema.encode(member, &inner)
            case (.list(let shape, _), .list(let elements, _)):
                var list = container.nestedUnkeyedContainer(forKey: key)
                for element in elements {
                    switch (shape, element.scalar) {
                    case (.object(let schema), _):
                        var inner = list.nestedContainer(keyedBy: PathCodingKey.self)
                        try schema.encode(element, &inner)
                    case (_, .number(let number)?): try list.encode(Int(number))
                    case (_, .text(let text)?): try list.encode(text)
                    default: break
                    }
                }
            default: break
            }
        }
    }
}

extension Kind {
    fileprivate func decode(
        _ container: KeyedDecodingContainer<PathCodingKey>, _ key: PathCodingKey, _ isOptional: Bool
    ) throws -> Value? {
        func read<Read: Decodable>(_ type: Read.Type, _ make: (Read) -> Scalar) throws -> Value? {
            if isOptional { return try container.decodeIfPresent(type, forKey: key).map { .leaf(make($0), [:]) } }
            return .leaf(make(try container.decode(type, forKey: key)), [:])
        }
        return switch self {
        case .text, .day, .link, .digits, .pair: try read(String.self, Scalar.text)
        case .whole: try read(Int.self) { .number(Double($0)) }
        case .decimal: try read(Double.self, Scalar.number)
        case .bool: try read(Bool.self, Scalar.bool)
        case .choice(.color): try read(Choice.Color.self) { .text($0.rawValue) }
        case .choice(.size): try read(Choice.Size.self) { .text($0.rawValue) }
        case .choice(.form): try read(Choice.Form.self) { .text($0.rawValue) }
        }
    }

    fileprivate func encode(
        _ value: Value, _ container: inout KeyedEncodingContainer<PathCodingKey>, _ key: PathCodingKey
    ) throws {
        switch (self, value.scalar) {
        case (.choice(.color), .text(let text)?): try container.encode(Choice.Color(rawValue: text), forKey: key)
        case (.choice(.size), .text(let text)?): try container.encode(Choice.Size(rawValue: text), forKey: key)
        case (.choice(.form), .text(let text)?): try container.encode(Choice.Form(rawValue: text), forKey: key)
        case (.whole, .number(let number)?): try container.encode(Int(number), forKey: key)
        case (_, .number(let number)?): try container.encode(number, forKey: key)
        case (_, .text(let text)?): try container.encode(text, forKey: key)
        case (_, .bool(let bool)?): try container.encode(bool, forKey: key)
        default: break
        }
    }
}
