import Foundation
import TestSupport
import Testing

@testable import DocumentModel

/// A type may keep its decoder and be read through it later, while another value is being decoded or none is.
/// Foundation's decoder moves on to other values meanwhile, and so does this one.
@Suite("Kept decoders")
struct KeptDecoderTests {
    private enum Names: String, CodingKey { case name, first, second }

    /// A value that keeps only its decoder.
    private struct Extractor: Decodable {
        let decoder: any Decoder

        init(from decoder: any Decoder) { self.decoder = decoder }

        func name() throws -> Int { try decoder.container(keyedBy: Names.self).decode(Int.self, forKey: .name) }
    }

    private struct Pair: Decodable {
        let first: Extractor
        let second: Extractor
        let names: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Names.self)
            first = try container.decode(Extractor.self, forKey: .first)
            second = try container.decode(Extractor.self, forKey: .second)
            names = [try first.name(), try second.name(), try Extractor(from: decoder).name()]
        }
    }

    private let json = #"{"name":1,"first":{"name":2},"second":{"name":3}}"#

    @Test("kept decoders are at the same values as those of Foundation")
    func extracted() throws {
        let foundation = try JSONDecoder().decode(Pair.self, from: Data(json.utf8))
        let pair = try DocumentDecoder().decode(Pair.self, from: Document(json: json).root)
        #expect(pair.names == foundation.names)
        #expect(try pair.first.name() == foundation.first.name())
        #expect(try pair.second.name() == foundation.second.name())
        let path = pair.first.decoder.codingPath.map(\.stringValue)
        #expect(path == foundation.first.decoder.codingPath.map(\.stringValue))
    }
}
