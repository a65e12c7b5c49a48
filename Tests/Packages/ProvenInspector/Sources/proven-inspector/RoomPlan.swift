import MigrationInspector

/// An error in the bookings of a room.
enum RoomPlanError: Error {
    case noSuchMinute
    case nobodyComes(guests: Int)
}

/// The bookings of a room, in minutes since midnight.
struct RoomPlanV1: Codable {
    var room: String
    var floor: String
    var keyCode: String
    var bookings: [Booking]

    struct Booking: Codable {
        var begins: Int
        var ends: Int
        var guests: Int
    }
}

/// The bookings of a room, in readable times.
struct RoomPlanV2: Codable {
    var room: String
    var floor: String
    var bookings: [Booking]

    init(_ old: RoomPlanV1) throws {
        room = old.room
        floor = old.floor
        bookings = try old.bookings.map { try Booking($0) }
    }

    struct Booking: Codable {
        var start: String
        var end: String
        var guests: Int

        init(_ old: RoomPlanV1.Booking) throws {
            start = try Self.time(ofMinute: old.begins)
            end = try Self.time(ofMinute: old.ends)
            guests = old.guests
            guard old.ends >= old.begins else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [], debugDescription: "A booking ends before it begins"))
            }
        }

        /// Returns a minute since midnight as hours and minutes, like `09:05`.
        private static func time(ofMinute minute: Int) throws -> String {
            guard (0..<1_440).contains(minute) else { throw RoomPlanError.noSuchMinute }
            return [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        }
    }
}

/// The bookings of a room as the app writes them today, with a seat for the host.
struct RoomPlanV3: Codable {
    var name: String
    var level: Int
    var bookings: [Booking]

    init(_ old: RoomPlanV2) throws {
        guard let number = Int(old.floor) else {
            throw VersionedDecodingError.fieldNoLongerValid(
                .init(codingPath: [CodingKeys.level], debugDescription: "A floor is a number now"))
        }
        name = old.room
        level = number
        bookings = try old.bookings.map { try Booking($0) }
    }

    struct Booking: Codable {
        var start: String
        var end: String
        var seats: Int

        init(_ old: RoomPlanV2.Booking) throws {
            guard old.guests > 0 else { throw RoomPlanError.nobodyComes(guests: old.guests) }
            start = old.start
            end = old.end
            seats = old.guests + 1
        }
    }
}
