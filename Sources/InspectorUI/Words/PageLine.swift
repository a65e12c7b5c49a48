/// A line of a page of text.
enum PageLine: Sendable {
    case heading(String)
    case keys([InspectorKey], String)
    case text(String)
    /// Signs as they look on the screen, and their meaning.
    case signs([StyledText], String)
    case gap
}
