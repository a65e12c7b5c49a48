/// What is wrong with a text that is not a document.
public enum ParseProblem: Hashable, Sendable, Codable {
    /// Something stands where something else would be right.
    case unexpected(found: FoundText, expected: ExpectedText)

    // MARK: Of every text

    /// It looks like something that is not read.
    case foreign(ForeignFormat)
    /// There is nothing but, perhaps, white space.
    case empty(isWhitespace: Bool)
    /// A byte that is no part of a character.
    case notUTF8(byte: UInt8)
    /// A code unit that is no part of a character of the encoding that the first bytes announce.
    case notInEncoding(TextEncoding)
    /// As many bytes as no document may have, perhaps only once they are UTF-8.
    case tooLarge(byteCount: Int, isTranscoded: Bool)
    /// Objects and arrays inside one another, deeper than ``Document/deepestNesting``.
    case tooDeep

    // MARK: Of JSON

    /// The text ends inside a string.
    case endInString(start: SourceLocation, inSingleQuotes: Bool = false)
    /// A control character in a string, which must be escaped there.
    case controlCharacter(UInt8)
    /// The escape of one half of a surrogate pair alone.
    case halfSurrogatePair(unit: UInt32)
    /// A number with more digits behind a 0.
    case leadingZero
    /// A property list in the old OpenStep text form.
    case openStep

    // MARK: Of JSON5

    /// Something that JSON5 has, in a text that is to be JSON.
    case json5(JSON5Construct)
    /// A comment that does not end.
    case unendedComment
    /// The escape of the character U+0000, which JSONDecoder refuses in JSON5.
    case nullEscape
    /// A hexadecimal number of more than 64 bits.
    case hexadecimalTooLarge

    // MARK: Of XML

    /// An encoding that the declaration names, and that is unknown or not that of the text.
    case encoding(name: String, isKnown: Bool)
    /// The text of an element of that name is no value of its kind.
    case content(String, element: String)
    /// Something inside an element that may not stand there.
    case markup(MisplacedMarkup, insideElement: String)
    /// Something that does not end.
    case unendedMarkup(UnendedMarkup)
    /// An ampersand that begins nothing known; the name is nil where none follows.
    case reference(name: String?)
    /// The declaration of an entity.
    case entityDeclaration

    // MARK: Of binary property lists

    /// What is wrong, and with the object at which byte.
    case binary(BinaryPropertyListProblem, offset: Int?)
}

/// What stands at a place of a text.
public enum FoundText: Hashable, Sendable, Codable {
    case end
    /// A character, by its code point.
    case character(UInt32)
    /// A byte that is no part of a character.
    case byte(UInt8)
    /// A word of letters and digits, or the beginning of it.
    case word(String)
    /// A tag of XML, without its attributes.
    case tag(String)
    /// Text between the tags of XML, or the beginning of it.
    case text(String)
}

/// What would be right at a place of a text.
public enum ExpectedText: Hashable, Sendable, Codable {
    case end

    // Of JSON.
    case value, valueOrBracket, name, nameOrBrace, colon, commaOrBrace, commaOrBracket
    case digit, digitOfFraction, digitOfExponent, hexadecimalDigits, escape

    // Of JSON5.
    case anyName, anyNameOrBrace
    case hexadecimalDigit, twoHexadecimalDigits, endOfNumber, escapeOfJSON5, escapeInName
    /// A value, perhaps this word.
    case word(String)

    // Of XML.
    /// A tag as it is written.
    case tag(String)
    case anyElement, elementInList, lastTagOfList, elementOrEndOfArray, keyOrEndOfDictionary, elementForKey
    case endOfTag(name: String)
    case attributeEquals, attributeValue, escapedAngleBracket
}

/// What XML has besides tags and text, and a property list has not inside its values.
public enum MisplacedMarkup: String, Hashable, Sendable, Codable {
    case comment, processingInstruction, reference
}

/// What has to end in XML.
public enum UnendedMarkup: String, Hashable, Sendable, Codable {
    case comment, processingInstruction, section, documentType, attributeValue
}

/// What JSON5 has and JSON has not.
public enum JSON5Construct: Hashable, Sendable, Codable {
    case comment
    /// A string or a name in single quotation marks.
    case singleQuotes
    /// A name without quotation marks.
    case bareName(String)
    case hexadecimalNumber, plusSign
    /// A number that begins, or ends, with its decimal point.
    case leadingPoint, trailingPoint
    /// `Infinity` or `NaN`.
    case notFinite(String)
    /// A backslash at the end of a line in a string.
    case continuedLine
    /// The escape of that letter.
    case escape(String)
    /// White space other than that of JSON.
    case whiteSpace(UInt8)
    /// Anything of it.
    case any
}

/// What is wrong with a binary property list.
public enum BinaryPropertyListProblem: Hashable, Sendable, Codable {
    /// It does not begin as one of a version that is known.
    case header(String)
    /// It is too short for a trailer.
    case noTrailer(byteCount: Int)
    /// The trailer contradicts the file.
    case trailer
    /// The table names a byte where no object can be.
    case misplacedObject(at: UInt64)
    /// An object is longer than what is there.
    case truncated
    case integerBeyond64Bits, notASCII, lengthNotInteger, keyNotString, dateNotNumber
    case identifier(UInt64)
    case unknownKind(UInt8)
    /// A reference to an object, of `count`, that there is not.
    case reference(UInt64, count: Int)
    /// A dictionary or an array that contains itself.
    case cycle
    /// Objects that are used so often that a file of `byteCount` bytes stands for more than can be read.
    case unfolding(byteCount: Int)
}
