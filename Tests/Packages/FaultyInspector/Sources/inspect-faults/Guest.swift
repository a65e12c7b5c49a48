import Foundation
import MigrationInspector

/// A guest, recognized by shape: its version is only known by decoding it.
struct GuestV1: Codable {
    var guest: String
    var fault: Fault

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guest = try container.decode(String.self, forKey: .guest)
        fault = try container.decode(Fault.self, forKey: .fault)
        // Made-up values, with which the program finds out the fields, do nothing.
        if guest.count > 3 { happen(fault, guest) }
    }
}

struct Guest: Codable {
    var guest: String
    var seat: Int
}

/// Appends a byte to the file named in the environment, to count how often a step was taken.
func noteStep() {
    guard let path = getenv("FAULTY_LOG") else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    _ = write(file, "2", 1)
    close(file)
}
