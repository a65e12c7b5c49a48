import CAttacks
import Foundation
import MigrationInspector

@main
struct Inspect: MigrationInspectorProgram {
    static let chains: [MigrationChain] = {
        switch ProcessInfo.processInfo.environment["FAULTY_CHAINS"] {
        case "sleep": Thread.sleep(forTimeInterval: 60)
        case "keys":
            let keys = [StoredPreference("coat", Int.self), StoredPreference("coat", String.self)]
            return [MigrationChain(preferences: "Cloakroom", keys: keys)]
        case nil: break
        case let attack? where CAttacks.attack(attack) != 0: break
        default: fatalError("two chains of one name")
        }
        let guests = ShapeVersions(GuestV1.self).then(Guest.self) { Guest(guest: $0.guest, seat: 0) }
        return [
            MigrationChain(Task.self), MigrationChain(Siege.self), MigrationChain(named: "Guest", shapes: guests),
        ]
    }()
}
