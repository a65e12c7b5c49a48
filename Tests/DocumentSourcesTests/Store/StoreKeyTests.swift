import Foundation
import Testing

@testable import DocumentSources

@Suite("Names of rows")
struct StoreKeyTests {
    private static let affinities: [StoreAffinity] = [.text, .numeric, .integer, .real, .blob]

    private func key(_ affinities: StoreAffinity...) -> StoreKey {
        StoreKey(columns: affinities.map { StoreTable.Column(name: "K", affinity: $0) })
    }

    /// Short texts with all bytes that are special anywhere, and some words.
    private static let texts: [Data] = {
        let bytes = Array("%,/#0x17-.en ~".utf8) + [0, 0x1F, 0x20, 0x7E, 0x7F, 0x80, 0xC3, 0xA9, 0xFF]
        let short = [[]] + bytes.map { [$0] } + bytes.flatMap { first in bytes.map { [first, $0] } }
        let words = ["0x", "0xAB", "0xab", "0xg", "inf", "nan", "-inf", "1e5", "100000.0", "1.5", "é", "é,\u{301}"]
        return (short + words.map { Array($0.utf8) }).map { Data($0) }
    }()

    @Test("the name of a row leads back to its key, and can be part of a document's name", arguments: affinities)
    func roundTrip(affinity: StoreAffinity) {
        let key = key(affinity)
        var values = Self.texts.map(StoreValue.text) + Self.texts.map(StoreValue.blob)
        // In a text column, numbers are text.
        if affinity != .text {
            values += [.min, -1, 0, 7, .max].map(StoreValue.integer)
            values += [-1.5, 0, 1, 1e300, .leastNonzeroMagnitude, .infinity].map(StoreValue.real)
        }
        var names: Set<[UInt8]> = []
        for value in values {
            let name = key.name(of: [value])
            #expect(key.values(named: name) == [value], "\(name)")
            #expect(!name.utf8.contains { $0 < 0x20 || $0 == 0x7F || "/#,".utf8.contains($0) }, "\(name)")
            names.insert(Array(name.utf8))
        }
        #expect(names.count == Set(values).count)
    }

    @Test("the name of a key with several columns leads back to it, and has exactly as many columns")
    func composite() {
        let key = key(.text, .integer, .blob)
        for text in Self.texts {
            let values: [StoreValue] = [.text(text), .integer(-7), .text(text)]
            #expect(key.values(named: key.name(of: values)) == values)
        }
        #expect(key.name(of: [.text(Data("a,b".utf8)), .integer(2), .blob(Data([0, 0xFF]))]) == "a%2Cb,2,0x00FF")
        for name in ["", "a", "a,1", "a,1,b,c"] { #expect(key.values(named: name) == nil) }
        #expect(key.values(named: ",,") == Array(repeating: .text(Data()), count: 3))
    }

    @Test(
        "a name is read as a number or a blob only if it would be printed like that",
        arguments: [
            ("7", .integer(7)), ("007", .text(Data("007".utf8))), ("+7", .text(Data("+7".utf8))),
            ("7.0", .real(7)), ("7.00", .text(Data("7.00".utf8))), ("%37", .text(Data("7".utf8))),
            ("0xab", .blob(Data([0xAB]))), ("0x", .blob(Data())), ("0X", .text(Data("0X".utf8))),
            ("%2f%2F", .text(Data("//".utf8))), ("0xA", nil), ("0xAG", nil), ("0x１１", nil), ("%", nil), ("%4", nil),
            ("%GG", nil), ("a%%41", nil), ("%４", nil),
        ] as [(String, StoreValue?)])
    func reading(name: String, value: StoreValue?) {
        #expect(key(.blob).values(named: name) == value.map { [$0] })
        // If a column turns every number into text, a number is text.
        if case .integer = value { #expect(key(.text).values(named: name) == [.text(Data(name.utf8))]) }
        if case .real = value { #expect(key(.text).values(named: name) == [.text(Data(name.utf8))]) }
    }

    // MARK: - Columns

    @Test(
        "the declared type of a column decides what happens to its values, by SQLite's rules in their order",
        arguments: [
            ("INT", .integer), ("bigint unsigned", .integer), ("POINT", .integer), ("CHARINT", .integer),
            ("FLOATING POINT", .integer), ("VARCHAR(255)", .text), ("NCHAR", .text), ("clob", .text), ("TEXT", .text),
            ("TEXTBLOB", .text), ("", .blob), ("BLOB", .blob), ("REALBLOB", .blob), ("REAL", .real),
            ("FLOAT", .real), ("DOUBLE PRECISION", .real), ("NUMERIC", .numeric), ("DECIMAL(10,5)", .numeric),
            ("BOOLEAN", .numeric), ("DATE", .numeric), ("STRING", .numeric), ("JSON", .numeric),
        ] as [(String, StoreAffinity)])
    func affinity(type: String, affinity: StoreAffinity) {
        #expect(StoreAffinity(declaredType: type, isStrict: false) == affinity)
        #expect(StoreAffinity(declaredType: type, isStrict: true) == affinity)
    }

    @Test("ANY converts nothing in a strict table, and is a numeric type in any other")
    func anyType() {
        #expect(StoreAffinity(declaredType: "ANY", isStrict: true) == .blob)
        #expect(StoreAffinity(declaredType: "any", isStrict: true) == .blob)
        #expect(StoreAffinity(declaredType: "ANY", isStrict: false) == .numeric)
        #expect(StoreAffinity(declaredType: "MANY", isStrict: true) == .numeric)
    }

    @Test("SQLite's identifiers are the same regardless of the case of ASCII letters, and no others are")
    func identifiers() {
        for (left, right, areSame) in [
            ("a", "A", true), ("zBook_1", "ZBOOK_1", true), ("", "", true), ("é", "É", false), ("é", "e\u{301}", false),
            ("a", "ab", false), ("ab", "a", false), ("@", "`", false), ("[", "{", false), ("k", "\u{212A}", false),
        ] {
            #expect(left.isSameIdentifier(as: right) == areSame && right.isSameIdentifier(as: left) == areSame)
        }
        #expect("a\"b".quotedIdentifier == "\"a\"\"b\"" && "".quotedIdentifier == "\"\"")
    }
}
