import DocumentModel
import SecondModule
import TestSupport
import Testing

@Suite("A type that two modules make a coding key")
struct ConformancesTests {
    @Test("a coding key with two conformances is read and written with that of the coding module")
    func both() throws {
        let document = try Document(json: #"{"plus":1,"minus":2,"+":3,"-":4}"#)
        for _ in 0..<3 {
            let characters = try DocumentDecoder().decode(CharactersOfSigns.self, from: document.root)
            #expect(characters == CharactersOfSigns(plus: 3, minus: 4))
            #expect(try DocumentEncoder().encode(characters) == Document(json: #"{"+":3,"-":4}"#))
            let words = try DocumentDecoder().decode(WordsOfSigns.self, from: document.root)
            #expect(words == WordsOfSigns(plus: 1, minus: 2))
            #expect(try DocumentEncoder().encode(words) == Document(json: #"{"plus":1,"minus":2}"#))
        }
    }
}
