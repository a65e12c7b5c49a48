import Foundation

/// Runs of the inspector on a terminal.
enum InspectorScreen {
    /// How long a screen is waited for.
    private static let patience = Duration.seconds(60)

    /// Runs the inspector on a terminal of 80 columns and 24 lines until all the words stand on it, and quits it.
    ///
    /// - Returns: When they did, in seconds from the start of the process.
    static func time(_ path: String, until words: [String]) throws -> Double {
        let terminal = try openTerminal(width: 80, height: 24)
        defer { for side in [terminal.ours, terminal.theirs] { close(side) } }
        let start = ContinuousClock.now
        let process = try InspectorProcess.start(
            [path], variables: ["TERM": "xterm-256color", "LANG": "C.UTF-8"],
            descriptors: [terminal.theirs, terminal.theirs, terminal.theirs])
        var time: Duration?
        var ending: Int32 = 0
        var (written, bytes) = (Data(), [UInt8](repeating: 0, count: 65_536))
        // What it writes at its end is read too: it would wait.
        while waitpid(process, &ending, WNOHANG) == 0 {
            var request = pollfd(fd: terminal.ours, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, 1) > 0 { written += bytes[..<max(0, read(terminal.ours, &bytes, bytes.count))] }
            let now = start.duration(to: .now)
            if now > patience { kill(process, SIGKILL) }
            guard time == nil, words.allSatisfy({ written.range(of: Data($0.utf8)) != nil }) else { continue }
            time = now
            _ = write(terminal.ours, "q", 1)
        }
        guard let time, ending == 0 else {
            throw InspectorProcess.Failure(description: "'\(words.joined(separator: "' and '"))' did not come")
        }
        return time / .seconds(1)
    }

    /// A terminal of which this program is the other side (openpty(3)).
    private static func openTerminal(width: UInt16, height: UInt16) throws -> (ours: Int32, theirs: Int32) {
        // Declared in a header that Swift's module of the C library leaves out.
        typealias OpenPTY =
            @convention(c) (
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Int32
        var sides = (ours: Int32(-1), theirs: Int32(-1))
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "openpty"),
            unsafeBitCast(symbol, to: OpenPTY.self)(&sides.ours, &sides.theirs, nil, nil, &size) == 0
        else { throw InspectorProcess.Failure(description: "there is no terminal") }
        for side in [sides.ours, sides.theirs] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
        return sides
    }
}
