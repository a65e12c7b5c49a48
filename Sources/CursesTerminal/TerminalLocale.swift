import CNcurses
import DisplayText
import Foundation
import InspectorUI

/// Which characters the terminal is to be spoken to in, from the environment's locale.
enum TerminalLocale {
    /// Sets the process's LC_CTYPE, which is what ncurses goes by, and says what can be shown.
    ///
    /// Only LC_CTYPE: the other categories would change how the C library reads and writes numbers.
    static func activate(environment: [String: String]) -> Repertoire {
        if setlocale(LC_CTYPE, "") != nil, currentIsUTF8 { return .unicode }
        guard mayBeUTF8(named: name(in: environment)) else { return .ascii }
        // glibc has it from 2.35 on, Debian long before; macOS calls it UTF-8.
        for name in ["C.UTF-8", "C.utf8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil { return .unicode }
        return .ascii
    }

    /// The name that decides, by POSIX's precedence.
    static func name(in environment: [String: String]) -> String? {
        ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// Whether a terminal in an environment with this locale, which gave no UTF-8, is likely to understand it. Nothing
    /// said, or the bare C locale, is what remote shells and containers come with; a UTF-8 locale may be missing on
    /// this machine. Any other locale says that the terminal speaks something else.
    static func mayBeUTF8(named name: String?) -> Bool {
        guard let name, name != "C", name != "POSIX" else { return true }
        let codeset = name.uppercased().replacing("-", with: "")
        return codeset.contains("UTF8")
    }

    private static var currentIsUTF8: Bool {
        guard let codeset = nl_langinfo(nl_item(CODESET)) else { return false }
        return String(cString: codeset).uppercased() == "UTF-8"
    }
}
