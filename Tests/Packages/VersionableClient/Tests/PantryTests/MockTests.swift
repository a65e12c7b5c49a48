import Pantry
import XCTest

@testable import MigrationCore

extension Versionable {
    /// Returns the names of the stored samples that don't open, as the library's README suggests.
    static func testMigrationPaths(in folder: String = mockDirectoryPath) throws -> [String] {
        let decoder = VersionableDecoder()
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().filter { file in
            let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
            return (try? decoder.decode(self, from: data)) == nil
        }
    }
}

final class MockTests: XCTestCase {
    func testVersionCanBeReadByItself() throws {
        let data = try JSONEncoder().encode(Jar(label: "x", grams: 1, version: .v2))
        let read = try JSONDecoder().decode(VersionContainer<Jar.Version>.self, from: data)
        XCTAssertEqual(read.version, .v2)
        XCTAssertEqual(VersionContainer<Jar.Version>(version: .v1).version, .v1)
    }

    func testFoldersOfSamplesAreNamed() {
        XCTAssertTrue(Jar.mockDirectoryRootPath.hasSuffix("/Desktop"))
        XCTAssertEqual(Jar.mockDirectoryPath, "\(Jar.mockDirectoryRootPath)/Jar/")
    }

    func testSamplesAreOpened() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try JSONEncoder().encode(Jar.mock).write(to: folder.appendingPathComponent("v3.json"))
        try encode(["version": 1]).write(to: folder.appendingPathComponent("v1.json"))
        try encode(["version": 3]).write(to: folder.appendingPathComponent("v3-empty.json"))
        XCTAssertEqual(try Jar.testMigrationPaths(in: folder.path), ["v3-empty.json"])
    }
}
