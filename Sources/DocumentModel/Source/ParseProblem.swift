/// A problem with a text that isn't a document.
public enum ParseProblem: Hashable, Sendable, Codable {
    /// The text contains something other than what is expected.
    case unexpected(found: FoundText, expected: ExpectedText)

    // MARK: In any text

    /// The text looks like a format that isn't supported.
    case foreign(ForeignFormat)
    /// The text is empty, or contains only white space.
    case empty(isWhitespace: Bool)
    /// A byte that isn't part of a valid character.
    case notUTF8(byte: UInt8)
    /// A code unit that isn't part of a valid character in the encoding that the first bytes indicate.
    case notInEncoding(TextEncoding)
    /// More bytes than a document may have, possibly only after conversion to UTF-8.
    case tooLarge(byteCount: Int, isTranscoded: Bool)
    /// Objects and arrays that are nested more deeply than ``Document/deepestNesting``.
    case tooDeep

    // MARK: In JSON

    /// The text ends inside a string.
    case endInString(start: SourceLocation, inSingleQuotes: Bool = false)
    /// A control character in a string, which must be escaped.
    case controlCharacter(UInt8)
    /// The escape of an unpaired surrogate.
    case halfSurrogatePair(unit: UInt32)
    /// A number with more digits after a leading 0.
    case leadingZero
    /// A property list in the old OpenStep text format.
    case openStep

    // MARK: In JSON5

    /// A construct of JSON5 in a text that should be JSON.
    case json5(JSON5Construct)
    /// The text contains comments and no value.
    case onlyComments
    /// A comment that doesn't end.
    case unendedComment
    /// The escape of the character U+0000, which JSONDecoder refuses in JSON5.
    case nullEscape
    /// A hexadecimal number of more than 64 bits.
    case hexadecimalTooLarge

    // MARK: In XML

    /// An encoding in the declaration that is unknown or differs from that of the text.
    case encoding(name: String, isKnown: Bool)
    /// The text of an element isn't a valid value for its name.
    case content(String, element: String)
    /// Markup that isn't allowed inside the element.
    case markup(MisplacedMarkup, insideElement: String)
    /// Markup that doesn't end.
    case unendedMarkup(UnendedMarkup)
    /// An ampersand that doesn't begin a known reference; the name is nil if no name follows.
    case reference(name: String?)
    /// The declaration of an entity.
    case entityDeclaration

    // MARK: In binary property lists

    /// A problem, and the offset of the object that has it.
    case binary(BinaryPropertyListProblem, offset: Int?)
}

/// The text found at a location.
public enum FoundText: Hashable, Sendable, Codable {
    case end
    /// A character, as its code point.
    case character(UInt32)
    /// A byte that isn't part of a valid character.
    case byte(UInt8)
    /// A word of letters and digits, or its beginning.
    case word(String)
    /// An XML tag without its attributes.
    case tag(String)
    /// Text between XML tags, or its beginning.
    case text(String)
}

/// The text expected at a location.
public enum ExpectedText: Hashable, Sendable, Codable {
    case end

    // In JSON.
    case value, valueOrBracket, name, nameOrBrace, colon, commaOrBrace, commaOrBracket
    case digit, digitOfFraction, digitOfExponent, hexadecimalDigits, escape

    // In JSON5.
    case anyName, anyNameOrBrace
    case hexadecimalDigit, twoHexadecimalDigits, endOfNumber, escapeOfJSON5, escapeInName
    /// A value, possibly this word.
    case word(String)

    // In XML.
    /// A tag as it is written.
    case tag(String)
    case anyElement, elementInList, lastTagOfList, elementOrEndOfArray, keyOrEndOfDictionary, elementForKey
    case endOfTag(name: String)
    case attributeEquals, attributeValue, escapedAngleBracket
}

/// XML markup that isn't allowed inside the values of a property list.
public enum MisplacedMarkup: String, Hashable, Sendable, Codable {
    case comment, processingInstruction, reference
}

/// XML markup that has to be ended.
public enum UnendedMarkup: String, Hashable, Sendable, Codable {
    case comment, processingInstruction, section, documentType, attributeValue
}

/// A construct of JSON5 that JSON doesn't have.
public enum JSON5Construct: Hashable, Sendable, Codable {
    case comment
    /// A string or a name in single quotation marks.
    case singleQuotes
    /// A name without quotation marks.
    case bareName(String)
    case hexadecimalNumber, plusSign
    /// A number that begins or ends with its decimal point.
    case leadingPoint, trailingPoint
    /// `Infinity` or `NaN`.
    case notFinite(String)
    /// A backslash at the end of a line in a string.
    case continuedLine
    /// An escape with that letter.
    case escape(String)
    /// White space that JSON doesn't have.
    case whiteSpace(UInt8)
    /// Any construct.
    case any
}

/// A problem with a binary property list.
public enum BinaryPropertyListProblem: Hashable, Sendable, Codable {
    /// The header isn't that of a known version.
    case header(String)
    /// The file is too short for a trailer.
    case noTrailer(byteCount: Int)
    /// The trailer contradicts the file.
    case trailer
    /// The table contains an offset at which no object can be.
    case misplacedObject(at: UInt64)
    /// An object extends past the available bytes.
    case truncated
    case integerBeyond64Bits, notASCII, lengthNotInteger, keyNotString, dateNotNumber
    case identifier(UInt64)
    case unknownKind(UInt8)
    /// A reference to an object that doesn't exist; there are `count` objects.
    case reference(UInt64, count: Int)
    /// A dictionary or an array that contains itself.
    case cycle
    /// Objects that are used so often that a file of `byteCount` bytes represents more than can be read.
    case unfolding(byteCount: Int)
}
