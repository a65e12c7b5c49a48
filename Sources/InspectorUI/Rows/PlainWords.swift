import MigrationCore

/// Messages of Swift's decoders in plain words: what was expected and what is there.
///
/// Swift's own sentences name its machinery (`No value associated with key CodingKeys(stringValue: "author", intValue: nil)
/// ("author").`), and say at their end what a person looks for. Only the sentences of ours and Foundation's decoders are
/// reworded, wherever in a message they stand; everything else, above all what an app's own errors say, stays as it is.
public enum PlainWords {
    /// The message, with the sentences of decoders reworded.
    public static func of(_ message: String) -> String {
        // Nobody reads a longer one, and looking through it takes time at every drawing.
        guard message.utf8.count <= longest else { return message }
        var words = message
        words.replace(/No value associated with key .+? \("(.*?)"\)\./) { "no value for \($0.1)" }
        words.replace(/Expected to decode (.+?) but found (.+?) instead\.?/) { match in
            "expected \(type(match.1)), found \(found(match.2))"
        }
        words.replace(/Cannot get (.+?) -- found null value instead/) { match in
            "expected \(type(match.1)), found null"
        }
        words.replace(/Parsed (?:JSON|property list) number <(.+?)> does not fit in (.+?)\./) { match in
            "\(match.1) does not fit in \(match.2)"
        }
        if let match = words.wholeMatch(of: /Cannot initialize (.+?) from invalid .+? value (.+)/) {
            return "\(match.2) is none of the values of \(match.1)"
        }
        return words
    }

    /// A type of Swift's by the name that it has in a document.
    private static func type(_ name: Substring) -> Substring {
        let name = name.trimmingPrefix("value of ").trimmingPrefix("type ")
        if name == "unkeyed decoding container" || name.hasPrefix("Array<") { return "an array" }
        if name == "keyed decoding container" || name.hasPrefix("Dictionary<") { return "an object" }
        return name
    }

    private static func found(_ kind: Substring) -> Substring {
        switch kind {
        case "number": "a number"
        case "bool", "a boolean": "a Boolean"
        case "a dictionary": "an object"
        case "a null value": "null"
        default: kind
        }
    }

    private static let longest = 4000
}

extension MigrationFailure {
    /// What the error says, for the screen; reports keep the ``message``.
    var words: String {
        let words = PlainWords.of(message)
        guard kind == .unsupportedVersion else { return words }
        // What came of each version that was tried stands below it, in a table.
        if words.hasPrefix("No shape fits: ") { return "No shape fits" }
        return words.firstRange(of: "; tried ").map { String(words[..<$0.lowerBound]) } ?? words
    }

    /// The same, with the field that it is about, for a place where that is not seen.
    var wordsWithPath: String {
        guard let path, !path.components.isEmpty, kind != .unsupportedVersion else { return words }
        return "\(path): \(words)"
    }
}
