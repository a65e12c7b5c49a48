import Foundation
import MigrationInspector

/// A guest, known by its shape: which version a document is, decoding finds out.
struct GuestV1: Codable {
    var guest: String
    var fault: Fault

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guest = try container.decode(String.self, forKey: .guest)
        fault = try container.decode(Fault.self, forKey: .fault)
        // Nothing comes of made-up values, by which the program learns which fields there are.
        if guest.count > 3 { happen(fault, guest) }
    }
}

struct Guest: Codable {
    var guest: String
    var seat: Int
}

/// Adds a byte to the file that the environment names: how often a step was taken can be seen there.
func noteStep() {
    guard let path = getenv("FAULTY_LOG") else { return }
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    _ = write(file, "2", 1)
    close(file)
}
