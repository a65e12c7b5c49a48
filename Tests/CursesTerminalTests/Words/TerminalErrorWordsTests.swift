import CursesTerminal
import Testing

@Suite("Sentences about terminals")
struct TerminalErrorWordsTests {
    @Test(
        "a terminal error says what is wrong and what to do",
        arguments: [
            (
                TerminalError.noTerminal,
                "There is no terminal: the screen needs one on standard output and one to read keys from."
            ),
            (
                .noTerminalType,
                "The environment variable TERM is not set; set it to your terminal's type, for example xterm-256color."
            ),
            (
                .unknownTerminalType("no-such-type"),
                "The terminal type \"no-such-type\" (TERM) is not known on this machine; "
                    + "try TERM=xterm-256color or TERM=vt100."
            ),
            (
                .unsuitableTerminalType("dumb"),
                "A terminal of type \"dumb\" (TERM) cannot place its cursor, so it cannot show a screen."
            ),
            (.cannotStart("vt100"), "ncurses could not start on a terminal of type \"vt100\" (TERM)."),
            (.noDescriptors, "The screen cannot start: the process has too many files open (see ulimit -n)."),
            (.alreadyOpen, "The terminal already shows a screen."),
        ])
    func error(error: TerminalError, sentence: String) {
        #expect(error.description == sentence)
    }
}
