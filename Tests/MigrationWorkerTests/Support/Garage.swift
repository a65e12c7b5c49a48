import MigrationCore

/// Documents of several shapes that share names of fields, some of which hold values of other kinds.
struct Garage: Codable {
    struct Car: Codable { var plate: String, seats: Int }
    struct Owner: Codable { var name: String, phone: String }
    /// A garage that knows only the plates of its cars.
    struct Middle: Codable { var name: String, city: String?, owner: Owner, cars: [String] }
    struct Oldest: Codable { var name: String, cars: String }

    var cars: [Car], name: String, owner: Owner

    static var chains: [MigrationChain] {
        [
            MigrationChain(
                named: "shaped garage",
                shapes: ShapeVersions(Oldest.self).then(Middle.self) {
                    Middle(name: $0.name, city: nil, owner: Owner(name: $0.name, phone: ""), cars: [$0.cars])
                }
                .then(Garage.self) { Garage($0) }),
            MigrationChain(fallback: Parked.self, named: "parked garage"),
        ]
    }

    init(_ old: Middle) {
        (cars, name, owner) = (old.cars.map { Car(plate: $0, seats: 4) }, old.name, old.owner)
    }
}

/// A garage that finds out its shape itself.
struct Parked: Encodable {
    var garage: Garage
}

extension Parked: FallbackDecodable {
    static let shapes = [
        FallbackShape(Garage.self) { Parked(garage: $0) },
        FallbackShape(Garage.Middle.self) { Parked(garage: Garage($0)) },
        FallbackShape(Garage.Oldest.self) { old in
            let owner = Garage.Owner(name: old.name, phone: "")
            return Parked(garage: Garage(.init(name: old.name, city: nil, owner: owner, cars: [old.cars])))
        },
    ]
}
