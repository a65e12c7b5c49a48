/// The encoder that types use when they are encoded onto a tape.
struct TapeEncoder: Encoder, SingleValueEncodingContainer {
    /// A single reference, whose session and place change when the encoder is reused (``EncoderStack``).
    private let cursor: TapeCursor

    init(_ cursor: TapeCursor) { self.cursor = cursor }

    private var session: TapeEncodingSession { cursor.session.takeUnretainedValue() }
    private var place: TapeEncodingSession.Place { cursor.place }

    var codingPath: [any CodingKey] { session.path(to: place) }

    var userInfo: [CodingUserInfoKey: Any] { session.rules.strategies.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        cursor.session._withUnsafeGuaranteedRef { $0.keyedContainer(at: $0.beginObject(at: place)) }
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        TapeUnkeyedContainer(session: session, place: session.beginArray(at: place))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Writes a value of another document here.
    func splice(_ node: DocumentNode) { try? write(.spliced(node)) }

    // MARK: - A single value

    func encodeNil() throws { try write(.null) }
    func encode(_ value: Bool) throws { try write(.boolean(value)) }
    func encode(_ value: String) throws { try write(.string(value)) }
    func encode(_ value: Double) throws { try write(session.rules.real(value, path: [])) }
    func encode(_ value: Float) throws { try write(session.rules.real(value, path: [])) }
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { try write(.number(String(value))) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128) throws { try write(session.rules.wideInteger(value, path: [])) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128) throws { try write(session.rules.wideInteger(value, path: [])) }

    func encode<T: Encodable>(_ value: T) throws {
        try session.write(value, at: place)
    }

    private func write(_ value: EncodedValue) throws { try session.write(value, at: place) }
}

/// A container for an object on a tape.
struct TapeKeyedContainer<Key: CodingKey>: TapeContainer {
    /// A single reference, whose session and place change when the container is reused.
    private let cursor: TapeCursor

    init(_ cursor: TapeCursor) { self.cursor = cursor }

    private var session: TapeEncodingSession { cursor.session.takeUnretainedValue() }
    private var place: TapeEncodingSession.Place { cursor.place }

    /// Calls `body` with the session, without reference counting.
    @inline(__always)
    private func inSession<Result>(_ body: (TapeEncodingSession) throws -> Result) rethrows -> Result {
        try cursor.session._withUnsafeGuaranteedRef(body)
    }

    var codingPath: [any CodingKey] { session.path(to: place) }

    private var rules: EncodingSession { session.rules }

    // MARK: - Scalars

    func encodeNil(forKey key: Key) throws { try write(.null, key) }
    func encode(_ value: Bool, forKey key: Key) throws { try write(.boolean(value), key) }
    func encode(_ value: String, forKey key: Key) throws {
        try inSession { session in
            try begin(key, session)
            session.write(string: value)
        }
    }
    func encode(_ value: Double, forKey key: Key) throws { try write(rules.real(value, path: []), key) }
    func encode(_ value: Float, forKey key: Key) throws { try write(rules.real(value, path: []), key) }
    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws {
        try inSession { session in
            try begin(key, session)
            session.write(integer: value)
        }
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128, forKey key: Key) throws { try write(rules.wideInteger(value, path: []), key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try write(rules.wideInteger(value, path: []), key) }

    // MARK: - Other values

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        try inSession { session in
            try begin(key, session)
            if try !session.write(value) { session.writeEmptyObject() }
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        session.keyedContainer(at: nested(true, key))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        TapeUnkeyedContainer(session: session, place: nested(false, key))
    }

    func superEncoder() -> any Encoder { session.superEncoder() }

    func superEncoder(forKey key: Key) -> any Encoder { session.superEncoder() }

    // MARK: - Members

    private func nested(_ isObject: Bool, _ key: Key) -> TapeEncodingSession.Place {
        inSession { isBegun(key, $0) ? $0.beginNested(isObject) : .none }
    }

    private func isBegun(_ key: Key, _ session: TapeEncodingSession) -> Bool {
        let name = session.hasDefaultKeys ? key.stringValue : session.rules.name(of: key, in: [])
        return session.beginMember(name, of: place)
    }

    private func begin(_ key: Key, _ session: TapeEncodingSession) throws {
        guard isBegun(key, session) else { throw TapeEncodingSession.Disturbed() }
    }

    private func write(_ value: EncodedValue, _ key: Key) throws {
        try inSession { session in
            try begin(key, session)
            session.write(scalar: value)
        }
    }
}

/// A container for an array on a tape.
struct TapeUnkeyedContainer: UnkeyedEncodingContainer {
    let session: TapeEncodingSession
    let place: TapeEncodingSession.Place

    var codingPath: [any CodingKey] { session.path(to: place) }

    var count: Int { session.count(of: place) }

    private var rules: EncodingSession { session.rules }

    // MARK: - Scalars

    func encodeNil() throws { try write(.null) }
    func encode(_ value: Bool) throws { try write(.boolean(value)) }
    func encode(_ value: String) throws {
        try begin()
        session.write(string: value)
    }
    func encode(_ value: Double) throws { try write(rules.real(value, path: [])) }
    func encode(_ value: Float) throws { try write(rules.real(value, path: [])) }
    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws {
        try begin()
        session.write(integer: value)
    }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: Int128) throws { try write(rules.wideInteger(value, path: [])) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
    func encode(_ value: UInt128) throws { try write(rules.wideInteger(value, path: [])) }

    // MARK: - Other values

    func encode<T: Encodable>(_ value: T) throws {
        try begin()
        if try !session.write(value) { session.writeEmptyObject() }
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        session.keyedContainer(at: nested(true))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        TapeUnkeyedContainer(session: session, place: nested(false))
    }

    func superEncoder() -> any Encoder { session.superEncoder() }

    // MARK: - Elements

    private func nested(_ isObject: Bool) -> TapeEncodingSession.Place {
        session.beginElement(of: place) ? session.beginNested(isObject) : .none
    }

    private func begin() throws {
        guard session.beginElement(of: place) else { throw TapeEncodingSession.Disturbed() }
    }

    private func write(_ value: EncodedValue) throws {
        try begin()
        session.write(scalar: value)
    }
}
