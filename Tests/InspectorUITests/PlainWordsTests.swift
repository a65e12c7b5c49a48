import DocumentModel
import MigrationCore
import Testing

@testable import InspectorUI

@Suite("Plain words")
struct PlainWordsTests {
    @Test(
        "what Swift's decoders say is said in plain words",
        arguments: [
            (
                "No value associated with key CodingKeys(stringValue: \"number\", intValue: nil) (\"number\").",
                "no value for number"
            ),
            ("No value associated with key Index 2 (\"Index 2\").", "no value for Index 2"),
            ("Expected to decode Int but found a string instead.", "expected Int, found a string"),
            ("Expected to decode String but found number instead.", "expected String, found a number"),
            (
                "Expected to decode Dictionary<String, Any> but found an array instead.",
                "expected an object, found an array"
            ),
            ("Expected to decode Array<Any> but found bool instead.", "expected an array, found a Boolean"),
            ("Cannot get unkeyed decoding container -- found null value instead", "expected an array, found null"),
            ("Cannot get keyed decoding container -- found null value instead", "expected an object, found null"),
            ("Cannot get value of type String -- found null value instead", "expected String, found null"),
            ("Cannot get value of String -- found null value instead", "expected String, found null"),
            ("Parsed JSON number <9.5> does not fit in Int.", "9.5 does not fit in Int"),
            (
                "BookV1: Expected to decode Bool but found null instead at $.active",
                "BookV1: expected Bool, found null at $.active"
            ),
            (
                "Cannot initialize Kind from invalid String value carrierPigeon",
                "carrierPigeon is none of the values of Kind"
            ),
        ])
    func decoders(message: String, words: String) {
        #expect(PlainWords.of(message) == words)
    }

    @Test("a message of a decoder inside another is reworded as well, and an app's own is left alone")
    func inside() {
        #expect(
            PlainWords.of("BookMetadataV1: Expected to decode Bool but found null instead. (at $.active)")
                == "BookMetadataV1: expected Bool, found null (at $.active)")
        for message in ["Star rating 9 is no longer valid", "", "No value associated with key name"] {
            #expect(PlainWords.of(message) == message)
        }
    }

    @Test("of a message that lists what was tried, the screen says its beginning: the list is below it")
    func tried() {
        let failure = MigrationFailure(
            kind: .unsupportedVersion, message: "Poem has no version 7; tried 3 (Poem), 2 (PoemV2)")
        #expect(failure.words == "Poem has no version 7")
        #expect(failure.message.hasSuffix("2 (PoemV2)"))
    }
}
