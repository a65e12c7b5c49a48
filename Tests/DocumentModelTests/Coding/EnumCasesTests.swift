import Testing

@testable import DocumentModel

@Suite("The cases of an enum")
struct EnumCasesTests {
    private enum Word: String {
        case love, meh
        case hate = "loathe"
    }
    private enum Listed: String, CaseIterable {
        case a, b, c
        static let allCases: [Listed] = [.c, .a]
    }
    private enum Only: Int { case only = 7 }

    @Test("raw values are in the order of declaration, unless the enum lists its cases itself")
    func rawValues() {
        #expect(EnumCases.rawValues(of: Word.self) == ["love", "meh", "loathe"])
        #expect(EnumCases.rawValues(of: Listed.self) == ["c", "a"])
        #expect(EnumCases.rawValues(of: Only.self) == ["7"])
    }

    @Test("raw values are not reported for types without cases, or for other kinds of raw values")
    func others() {
        struct Options: OptionSet { let rawValue: Int }
        enum Half: Double { case half = 0.5 }
        enum Holding: RawRepresentable {
            case number(Int)
            var rawValue: Int { 0 }
            init?(rawValue: Int) { self = .number(rawValue) }
        }
        for type: any Any.Type in [Options.self, Half.self, Holding.self, Int.self, Never.self, [Word].self] {
            #expect(EnumCases.rawValues(of: type) == nil)
        }
        #expect(EnumCases(Int.self) == nil)
        #expect(EnumCases(Never.self).map { $0.withPayload + $0.withoutPayload } == 0)
        #expect(EnumCases(Holding.self).map { [$0.withPayload, $0.withoutPayload] } == [1, 0])
    }

    /// Refuses the raw values of cases that are numbered from 0, as an enum would whose memory holds its raw value.
    private enum Refusing: RawRepresentable {
        case first, second
        var rawValue: Int { if case .first = self { 5 } else { 6 } }
        init?(rawValue: Int) { nil }
    }

    @Test("raw values are not reported for an enum that does not recognize its own")
    func refusing() { #expect(EnumCases.rawValues(of: Refusing.self) == nil) }
}
