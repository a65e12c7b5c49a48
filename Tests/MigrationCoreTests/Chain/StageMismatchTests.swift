import Testing

@testable import MigrationCore

@Suite("Values passed to a stage")
struct StageMismatchTests {
    private class Base {}
    private final class Derived: Base {}

    @Test("a value is taken as the stage's type if that is its own type, a superclass, a protocol or an optional")
    func matching() throws {
        let derived = Derived()
        #expect(try StageMismatch.cast(derived, to: Derived.self) === derived)
        #expect(try StageMismatch.cast(derived, to: Base.self) === derived)
        #expect(try StageMismatch.cast(1, to: Int.self) == 1)
        #expect(try StageMismatch.cast(1, to: Int?.self) == 1)
        #expect(try StageMismatch.cast(Int?.some(1) as Any, to: Int?.self) == 1)
        #expect(try StageMismatch.cast(Int?.none as Any, to: Int?.self) == nil)
        #expect(try StageMismatch.cast(Int?.some(1) as Any, to: Int.self) == 1)
        #expect(try StageMismatch.cast(1, to: (any Equatable).self) as? Int == 1)
        #expect(try StageMismatch.cast(derived as Base, to: Derived.self) === derived)
        func boxed<Value>(_ value: Value) -> Any { value }
        #expect(try StageMismatch.cast(boxed(1 as any Equatable), to: Int.self) == 1)
    }

    @Test("a value of another type is refused, and both types are named")
    func mismatch() throws {
        #expect {
            try StageMismatch.cast(Base(), to: Derived.self)
        } throws: {
            "\($0)".contains("Base") && "\($0)".contains("Derived")
        }
        #expect {
            try StageMismatch.cast("1", to: Int.self)
        } throws: {
            "\($0)" == "a value of String came to the version of Int"
        }
        #expect(throws: StageMismatch.self) { try StageMismatch.cast(Int?.none as Any, to: Int.self) }
    }
}
