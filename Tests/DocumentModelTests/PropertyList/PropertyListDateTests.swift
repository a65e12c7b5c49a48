import Foundation
import Testing

@testable import DocumentModel

@Suite("The text of a date")
struct PropertyListDateTests {
    @Test(
        "the text of a date is what Foundation writes",
        arguments: [0, 1, -1, 0.5, -0.5, 86_399, -86_400, 1e9, 3e11, -6.3e10, -7e10, 5e11, -1e11] as [Double])
    func foundation(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let data = try PropertyListSerialization.data(fromPropertyList: date, format: .xml, options: 0)
        let text = PropertyListDate.text(wholeSeconds: seconds)
        #expect(String(decoding: data, as: UTF8.self).contains("<date>\(text)</date>"))
        #expect(PropertyListDate.date(text.utf8) == Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)))
    }

    @Test("the text of a date has the fraction of a second, if there is one")
    func fractions() {
        for (seconds, text) in [
            (0.25, "2001-01-01T00:00:00.25Z"), (-0.25, "2000-12-31T23:59:59.75Z"), (1, "2001-01-01T00:00:01Z"),
            (0.00001, "2001-01-01T00:00:00.00001Z"), (0.1, "2001-01-01T00:00:00.1Z"),
        ] {
            #expect(PropertyListDate.text(Date(timeIntervalSinceReferenceDate: seconds)) == text)
        }
    }

    @Test("the text of a date is read back in every year that is written")
    func farYears() {
        for seconds in [1e17, 9e16, -1e17] as [Double] {
            let text = PropertyListDate.text(wholeSeconds: seconds)
            #expect(PropertyListDate.date(text.utf8) == Date(timeIntervalSinceReferenceDate: seconds), "\(text)")
        }
    }

    @Test("a date has some text, however far away it is")
    func far() {
        for seconds in [1e17, -1e17, 1e300, -.infinity, .greatestFiniteMagnitude] as [Double] {
            #expect(PropertyListDate.text(Date(timeIntervalSinceReferenceDate: seconds)).hasSuffix("Z"))
        }
    }

    @Test("the text of a date is read strictly")
    func strictness() {
        for text in [
            "", "2024-01-31", "2024-1-31T12:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
            "2023-02-29T00:00:00Z",
            "2024-01-31T24:00:00Z", "2024-01-31T12:60:00Z", "2024-01-31T12:00:00", "2024-01-31T12:00:00Z ",
            "024-01-31T12:00:00Z",
            "2024-01-31T12:00:00.5Z", "99999999999-01-01T00:00:00Z",
        ] {
            #expect(PropertyListDate.date(text.utf8) == nil, "\(text)")
        }
    }
}
