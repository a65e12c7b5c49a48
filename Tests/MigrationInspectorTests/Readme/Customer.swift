import Foundation
import MigrationCore
import Testing

/// As the first release wrote it.
private struct CustomerV1: Codable {
    var name: String
    var email: String
}

/// As the app writes it today.
private struct CustomerV2: Codable {
    var name: String
    var id: String
}

private let customers = MigrationChain(
    named: "Customer",
    shapes: ShapeVersions(CustomerV1.self)
        .then(CustomerV2.self) { CustomerV2(name: $0.name, id: $0.email) })

private struct Customer: Encodable {
    var name: String
    var id: String
}

extension Customer: FallbackDecodable {
    static let shapes = [
        FallbackShape(CustomerV2.self) { Customer(name: $0.name, id: $0.id) },
        FallbackShape(CustomerV1.self) { Customer(name: $0.name, id: $0.email) },
    ]
}

private let fallingBack = MigrationChain(fallback: Customer.self)

@Suite("The README's examples of shapes")
struct CustomerTests {
    private let old = Data(#"{"name": "Ada", "email": "ada@example.org"}"#.utf8)

    @Test("a list of shapes and a FallbackDecodable type both make a chain")
    func chains() {
        for chain in [customers, fallingBack] {
            #expect(chain.check(old, source: "ada.json").outcome == .migrated)
            #expect(
                chain.check(Data(#"{"name": "Ada"}"#.utf8), source: "ada.json").failure?.kind == .unsupportedVersion)
        }
    }

    @Test("a document that also fits an older shape has a warning")
    func warning() {
        let both = Data(#"{"name": "Ada", "id": "1", "email": "ada@example.org"}"#.utf8)
        for chain in [customers, fallingBack] {
            #expect(chain.check(both, source: "ada.json").warnings.count == 1)
        }
    }

    @Test("a plain decoder decodes a FallbackDecodable type at any depth")
    func plainDecoder() throws {
        let data = Data("{\"all\": [\(String(decoding: old, as: UTF8.self))]}".utf8)
        let customers = try JSONDecoder().decode([String: [Customer]].self, from: data)
        #expect(customers["all"]?.first?.id == "ada@example.org")
    }
}
