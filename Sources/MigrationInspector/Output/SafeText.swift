import DisplayText

/// Makes arbitrary text safe to print.
enum SafeText {
    /// Returns the text as one line: control characters and escape sequences become visible escapes, as on the screen.
    static func line(_ text: String) -> String { DisplayText(text).string }
}
