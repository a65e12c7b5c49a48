import MigrationInspector

/// A courier's round as the app writes it today.
struct Round {
    var title: String
    var driver: String
    var isPractice: Bool
    var kilometers: Double
    var stops: [Stop]
    var version: Version = Self.version

    /// A stop. A parcel needs a weight, and a pallet also needs to say whether there is a forklift.
    struct Stop: Codable {
        var kind: String
        var street: String
        var kilograms: Double?
        var forklift: Bool?
    }
}

extension Round: Versionable {
    enum Version: Int, VersionType {
        case v1 = 1
        case v2 = 2
        case v3 = 3
    }

    static func migrate(to version: Version) -> Migration {
        switch version {
        case .v1: .none
        case .v2:
            .migrate { payload in
                let isPractice = payload["isPractice"] as? Bool ?? false
                guard let miles = payload.removeValue(forKey: "miles") as? Double, isPractice || miles > 0 else {
                    throw VersionedDecodingError.fieldNoLongerValid(
                        .init(codingPath: [PathKey("miles")], debugDescription: "A round leads somewhere"))
                }
                payload["kilometers"] = (miles * 16.09344).rounded() / 10
                // The remark is read and discarded.
                _ = payload.removeValue(forKey: "remark") as? String
            }
        case .v3:
            .migrate { payload in
                let isPractice = payload["isPractice"] as? Bool ?? false
                let stops = payload["stops"] as? [[String: Any]] ?? []
                payload["stops"] = try stops.enumerated().map { position, stop in
                    try weighed(stop, isPractice: isPractice, at: [PathKey("stops"), PathKey(position)])
                }
            }
        }
    }

    /// Returns a stop of version 3. On a practice round, the boxes may be empty.
    private static func weighed(
        _ stop: [String: Any], isPractice: Bool, at path: [any CodingKey]
    ) throws -> [String: Any] {
        var stop = stop
        _ = stop.removeValue(forKey: "doorCode") as? String
        let kind = stop["kind"] as? String
        let grams = stop.removeValue(forKey: "grams") as? Double
        if kind == "parcel" || kind == "pallet", grams == nil {
            throw DecodingError.keyNotFound(
                PathKey("grams"), .init(codingPath: path, debugDescription: "What is heavy needs a weight"))
        }
        if kind == "pallet", stop["forklift"] as? Bool == nil {
            throw DecodingError.keyNotFound(
                PathKey("forklift"),
                .init(codingPath: path, debugDescription: "What is large needs a forklift, or none"))
        }
        if let grams {
            guard isPractice || grams > 0 else {
                throw VersionedDecodingError.fieldNoLongerValid(
                    .init(
                        codingPath: path + [PathKey("kilograms")],
                        debugDescription: "A box of \(grams) grams has no weight"))
            }
            stop["kilograms"] = grams / 1_000
        }
        return stop
    }
}
