import MigrationCore

// Types that determine by themselves which shape they were stored in.

/// A member of a club, whose own `init(from:)` tries three shapes.
struct Member: Codable, Equatable {
    var name: String
    var id: String

    init(name: String, id: String) {
        self.name = name
        self.id = id
    }

    private struct MemberV3: Decodable { let name: String, id: String }
    private struct MemberV2: Decodable { let name: String, email: String }
    private struct MemberV1: Decodable { let first: String, last: String, email: String }

    init(from decoder: any Decoder) throws {
        self = try decoder.decodeFirst(
            FallbackShape(MemberV3.self) { Member(name: $0.name, id: $0.id) },
            FallbackShape(MemberV2.self, note: "the e-mail address becomes the identifier") {
                Member(name: $0.name, id: $0.email)
            },
            FallbackShape(MemberV1.self) { Member(name: "\($0.first) \($0.last)", id: $0.email) })
    }
}

/// The same type, written without this library.
struct HandmadeMember: Decodable {
    var name: String
    var id: String

    private struct MemberV3: Decodable { let name: String, id: String }
    private struct MemberV2: Decodable { let name: String, email: String }
    private struct MemberV1: Decodable { let first: String, last: String, email: String }

    init(from decoder: any Decoder) throws {
        do {
            let member = try MemberV3(from: decoder)
            (name, id) = (member.name, member.id)
        } catch {
            do {
                let member = try MemberV2(from: decoder)
                (name, id) = (member.name, member.email)
            } catch {
                let member = try MemberV1(from: decoder)
                (name, id) = ("\(member.first) \(member.last)", member.email)
            }
        }
    }
}

/// A club with members in every kind of place.
struct Club<Person: Decodable & SendableMetatype>: Decodable {
    var chair: Person?
    var members: [Person]?
    var byRole: [String: Person]?
    var rooms: [Room]?

    struct Room: Decodable {
        var keys: [Person]
    }
}

extension Club: Encodable where Person: Encodable {}
extension Club.Room: Encodable where Person: Encodable {}

/// A ticket, which was once a bare number, and may be for a member.
struct Ticket: Encodable, FallbackDecodable {
    var number: Int
    var holder: Member?

    private struct TicketV2: Decodable { let number: Int, holder: Member? }

    static let shapes = [
        FallbackShape(TicketV2.self) { Ticket(number: $0.number, holder: $0.holder) },
        FallbackShape(Int.self) { number in
            guard number > 0 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(codingPath: [], debugDescription: "Ticket \(number) is no longer valid"))
            }
            return Ticket(number: number)
        },
    ]
}
