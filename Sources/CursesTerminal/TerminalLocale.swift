import CNcurses
import DisplayText
import Foundation
import InspectorUI

/// Determines from the environment's locale which characters the terminal can show.
enum TerminalLocale {
    /// Sets the process's LC_CTYPE, which ncurses depends on, and returns the characters that can be shown.
    ///
    /// Only LC_CTYPE is set, since other categories would change how the C library reads and writes numbers.
    static func activate(environment: [String: String]) -> Repertoire {
        if setlocale(LC_CTYPE, "") != nil, currentIsUTF8 { return .unicode }
        guard mayBeUTF8(named: name(in: environment)) else { return .ascii }
        // glibc has this locale since 2.35, and Debian for much longer. macOS calls it UTF-8.
        for name in ["C.UTF-8", "C.utf8", "UTF-8"] where setlocale(LC_CTYPE, name) != nil { return .unicode }
        return .ascii
    }

    /// Returns the locale's name, by POSIX's order of precedence.
    static func name(in environment: [String: String]) -> String? {
        ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }

    /// Returns whether a terminal probably understands UTF-8 although the locale of its environment did not provide
    /// it. Remote shells and containers often set no locale or the plain C locale, and a UTF-8 locale may not be
    /// installed on this machine. Any other locale means that the terminal uses another encoding.
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
