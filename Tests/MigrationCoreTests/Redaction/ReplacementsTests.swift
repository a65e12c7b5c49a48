import DocumentModel
import Foundation
import TestSupport
import Testing

@testable import MigrationCore

@Suite("Replacements")
struct ReplacementsTests {
    private func replacements() -> Replacements { Replacements(random: SeededGenerator(seed: 7)) }

    private func number(_ text: String, _ replacements: Replacements) -> String {
        if case .number(let other) = replacements[.number(text)] { other } else { "" }
    }

    @Test("letters become letters of the same case and alphabet, digits become digits, and everything else stays")
    func plain() {
        let replacements = replacements()
        for text in ["Ada Lovelace, 12b", "Ärger über Öl", "Добрый день", "東京 2", "a-b_c/d (e)!", "0171 20"] {
            let other = replacements[text]
            #expect(other != text && other.unicodeScalars.count == text.unicodeScalars.count)
            for (new, old) in zip(other.unicodeScalars, text.unicodeScalars) {
                #expect(new.properties.generalCategory == old.properties.generalCategory, "\(text) → \(other)")
                #expect(new == old || new.properties.isAlphabetic || new.properties.numericType != nil)
            }
        }
        #expect(replacements["?!"] == "?!" && replacements[""] == "")
    }

    @Test("equal values have equal replacements, and different values different ones")
    func consistent() {
        let replacements = replacements()
        let texts = (0..<2_000).map { "n\($0)" }
        let others = texts.map { replacements[$0] }
        #expect(others == texts.map { replacements[$0] } && Set(others).count == texts.count)
        #expect(number("5.00", replacements) == number("5", replacements) + ".00")
        #expect(number("1.50", replacements) == number("1.5", replacements) + "0")
    }

    @Test("a value is not replaced by itself, even if every value of its form is the replacement of another")
    func crowded() {
        for seed in 0..<20 {
            let replacements = Replacements(random: SeededGenerator(seed: UInt64(seed)))
            for digit in 0...9 { #expect(number("\(digit)", replacements) != "\(digit)") }
        }
    }

    @Test("a document in base64 without padding is redacted, and stays without padding")
    func base64() throws {
        let text = try #require(#"{"a":"bcdef"}"#.data(using: .utf8)).base64EncodedString().replacing("=", with: "")
        let document = try Document(json: #"{"held": "\#(text)"}"#)
        let copy = try replacements().redactedCopies(of: [document], redactsNames: false)[0]
        let held = try #require(copy.root["held"])
        #expect(held.string?.contains("=") == false && held.string?.count == text.count)
        let inner = try #require(held.held?.document.root["a"]?.string)
        #expect(inner != "bcdef" && inner.count == 5)
    }

    @Test("replacements differ from run to run")
    func random() { #expect(Replacements()["Ada Lovelace"] != Replacements()["Ada Lovelace"]) }

    @Test(
        "a number keeps its sign, its digits, its exponent, and whether it is whole",
        arguments: ["7", "42", "-300", "0.25", "-12.5", "6.02e23", "1706702400", "9223372036854775807", "0"])
    func number(text: String) {
        for seed in 0..<50 {
            let other = number(text, Replacements(random: SeededGenerator(seed: UInt64(seed))))
            #expect(other != text && other.count == text.count, "\(text) → \(other)")
            #expect(other.map { $0.isNumber } == text.map { $0.isNumber })
            #expect(Int(text) == nil || Int(other) != nil)
            #expect(abs(Double(text) ?? 0) >= 1 || text == "0" || abs(Double(other) ?? 1) < 1)
        }
    }

    @Test(
        "a date or a time becomes another one in the same spelling",
        arguments: [
            ("2024-01-31", "yyyy-MM-dd"), ("20240131", "yyyyMMdd"), ("31/12/2024", "dd/MM/yyyy"),
            ("31.12.24", "dd.MM.yy"), ("2024-01-31T12:34:56Z", "yyyy-MM-dd'T'HH:mm:ss'Z'"),
            ("2024-01-31 23:59", "yyyy-MM-dd HH:mm"), ("23:59:59", "HH:mm:ss"),
            ("Wed, 31 Jan 2024 12:34:56 GMT", "EEE, dd MMM yyyy HH:mm:ss 'GMT'"),
        ])
    func date(text: String, form: String) throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = form
        formatter.isLenient = false
        for seed in 0..<10 {
            let other = Replacements(random: SeededGenerator(seed: UInt64(seed)))[text]
            let date = try #require(formatter.date(from: other), "\(text) → \(other)")
            #expect(other != text && other.count == text.count)
            #expect(formatter.string(from: date) == other)
        }
    }

    @Test("a date with fractions of seconds and a zone is still one in ISO 8601")
    func fractions() throws {
        let other = replacements()["2024-01-31T12:34:56.789+02:00"]
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        #expect(formatter.date(from: other) != nil, "\(other)")
    }

    @Test("a UUID, a hash, a URL and an e-mail address keep their form")
    func addresses() throws {
        let replacements = replacements()
        let uuid = replacements["69F07AB0-7C5A-4B0C-8B6B-0C3A4D0FBB6D"]
        #expect(UUID(uuidString: uuid) != nil && uuid.split(separator: "-")[2].first == "4")
        let hash = replacements["0fd9a1b35f1fa5d3a9c33cf5b2a51bb1c6bd0e2e"]
        #expect(hash.count == 40 && hash.allSatisfy(\.isHexDigit))
        let url = try #require(URL(string: replacements["https://example.org:8080/a%20b?q=1#top"]))
        #expect(url.scheme == "https" && url.port != nil && url.query()?.first == "q" || url.query() != nil)
        let address = replacements["ada@example.org"]
        #expect(address.split(separator: "@").map(\.count) == [3, 11] && address.contains("."))
    }

    @Test("a long row of digits or hexadecimal letters takes time in proportion to its length")
    func long() {
        let text = String(repeating: "1", count: 200_000) + String(repeating: "f", count: 200_000)
        #expect(replacements()[text].count == text.count)
    }

    @Test("messages are the same if they differ in numbers, in quoted values, and in words that were replaced")
    func messages() {
        let replacements = replacements()
        let other = replacements["Swimming"]
        func isSame(_ message: String, _ original: String) -> Bool {
            replacements.isSame(message: message, as: original)
        }
        #expect(isSame("unknown workout \(other)", "unknown workout Swimming"))
        #expect(isSame("'\(other)' is no workout of 7", "'Swimming' is no workout of 12"))
        #expect(!isSame("no value for author", "no value for rating"))
        #expect(!isSame("unknown workout \(other)", "unknown workout Climbing"))
    }
}
