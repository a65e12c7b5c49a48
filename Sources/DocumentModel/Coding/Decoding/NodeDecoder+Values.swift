import Foundation

extension NodeDecoder {
    /// Returns the value of any type at `index`, whose position is `place`.
    ///
    /// The types for which Foundation's decoders have special rules are handled here, wherever they are requested. The
    /// most common scalars are read directly from the document; their `init(from:)` would have the same result but take
    /// longer.
    func value<T: Decodable>(_ type: T.Type, at index: Int?, _ place: CodingPlace) throws -> T {
        if type == String.self { return known(try session.string(at: index, path: place.keys)) }
        if type == Int.self { return known(try session.integer(Int.self, at: index, path: place.keys)) }
        if type == Double.self { return known(try session.double(at: index, path: place.keys)) }
        if type == Bool.self { return known(try session.boolean(at: index, path: place.keys)) }
        if type == Date.self { return known(try naming(type, place) { try date(at: index, place) }) }
        if type == Data.self { return known(try data(at: index, place)) }
        if !session.isPropertyList {
            if type == URL.self { return known(try session.url(at: index, path: place.keys)) }
            if type == Decimal.self { return known(try session.decimal(at: index, path: place.keys)) }
            // The keys of a dictionary are data, so key strategies don't apply to them. The result has the requested
            // type, so the cast cannot fail.
            if !session.hasDefaultKeys, let dictionary = type as? any StringDictionary.Type {
                return try self.dictionary(dictionary, at: index, place) as! T
            }
        }
        return try deferred(type, at: index, place)
    }

    /// Returns a value whose type is known to be the requested one as that type. A cast would search for conversions,
    /// which takes many times as long as finding the value.
    @inline(__always)
    private func known<Value, T>(_ value: Value) -> T {
        precondition(Value.self == T.self)
        return unsafeBitCast(value, to: T.self)
    }

    /// Returns a value as its type decodes itself.
    @inline(__always)
    private func deferred<T: Decodable>(_ type: T.Type, at index: Int?, _ place: CodingPlace) throws -> T {
        try naming(type, place) { try standing(at: index, place) { try type.init(from: $0) } }
    }

    /// Adds the requested type to an error about the value itself; the innermost type wins.
    @inline(__always)
    private func naming<T, Result>(_ type: T.Type, _ place: CodingPlace, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DecodingError {
            session.record?.name(type, error, at: place.keys)
            throw error
        }
    }

    private static let noISODate = "Expected date string to be ISO8601-formatted."

    private func date(at index: Int?, _ place: CodingPlace) throws -> Date {
        try session.requireValue(Date.self, at: index, path: place.keys)
        if let date = index.flatMap({ session.node($0).date }) { return date }
        guard !session.isPropertyList else { throw session.typeMismatch(Date.self, at: index, path: place.keys) }
        do {
            return try written(at: index, place)
        } catch {
            session.record?.lastError?.dates = session.strategies.dates
            throw error
        }
    }

    /// Returns a date in the format of the strategy.
    private func written(at index: Int?, _ place: CodingPlace) throws -> Date {
        func seconds() throws -> Double { try session.double(at: index, path: place.keys) }
        switch session.strategies.dates {
        case .secondsSince1970: return Date(timeIntervalSince1970: try seconds())
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try seconds() / 1000)
        case .iso8601:
            let text = try session.string(at: index, path: place.keys)
            guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
                // JSONDecoder reports the path of the container here instead of that of the value.
                session.note(
                    DecodingErrorDetail(codingPath: place.keys, problem: .noDate, description: Self.noISODate))
                throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: Self.noISODate))
            }
            return date
        case .custom(let decode): return try standing(at: index, place) { try decode($0) }
        #if canImport(Darwin)
            case .formatted(let formatter):
                let text = try session.string(at: index, path: place.keys)
                guard let date = formatter.date(from: text) else {
                    throw DecodingError.dataCorrupted(
                        session.context(
                            place.keys, "Date string does not match format expected by formatter.", .noDate))
                }
                return date
        #endif
        case .deferredToDate: return try deferred(Date.self, at: index, place)
        @unknown default: return try deferred(Date.self, at: index, place)
        }
    }

    private func data(at index: Int?, _ place: CodingPlace) throws -> Data {
        try session.requireValue(Data.self, at: index, path: place.keys)
        if let data = index.flatMap({ session.node($0).data }) { return data }
        guard !session.isPropertyList else { throw session.typeMismatch(Data.self, at: index, path: place.keys) }
        switch session.strategies.data {
        case .base64:
            let text = try session.string(at: index, path: place.keys)
            guard let data = Data(base64Encoded: text) else {
                throw DecodingError.dataCorrupted(
                    session.context(place.keys, "Encountered Data is not valid Base64.", .noBase64))
            }
            return data
        case .custom(let decode): return try standing(at: index, place) { try decode($0) }
        case .deferredToData: return try deferred(Data.self, at: index, place)
        @unknown default: return try deferred(Data.self, at: index, place)
        }
    }

    private func dictionary(_ type: any StringDictionary.Type, at index: Int?, _ place: CodingPlace) throws -> Any {
        try session.requireValue([String: Any].self, at: index, path: place.keys)
        guard let index, session.view[index].kind == .object else {
            throw session.typeMismatch([String: Any].self, at: index, path: place.keys)
        }
        session.reader.learn()
        let inside = place.path
        return try type.make(of: session.node(index).members) { type, member, counts in
            let mark = session.record?.mark(in: member.value)
            session.record?.insert(member.value)
            let place = CodingPlace(inside, .key(PathCodingKey(member.name)))
            let value = try value(type, at: member.value.index, place)
            // A value that is decoded but discarded doesn't count as read.
            if !counts, let mark { session.record?.forget(since: mark) }
            return value
        }
    }
}

/// A dictionary with string keys.
private protocol StringDictionary {
    static func make(
        of members: DocumentNode.Members,
        _ value: (any Decodable.Type, DocumentNode.Member, _ counts: Bool) throws -> any Decodable
    ) throws -> Any
}

extension Dictionary: StringDictionary where Key == String, Value: Decodable {
    fileprivate static func make(
        of members: DocumentNode.Members,
        _ value: (any Decodable.Type, DocumentNode.Member, _ counts: Bool) throws -> any Decodable
    ) throws -> Any {
        var result: [String: Value] = [:]
        for member in members {
            // Duplicates are decoded too, and may fail, but only the first one counts.
            let counts = result[member.name] == nil
            let value = try value(Value.self, member, counts)
            if counts, let value = value as? Value { result[member.name] = value }
        }
        return result
    }
}
