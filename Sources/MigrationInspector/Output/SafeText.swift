import DisplayText

/// Text that may hold anything, made safe to print.
enum SafeText {
    /// One line: control characters and escape sequences become visible escapes, as on the screen.
    static func line(_ text: String) -> String { DisplayText(text).string }
}
