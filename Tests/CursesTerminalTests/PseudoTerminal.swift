import Foundation

/// A terminal without a screen: what a program writes to it can be looked at, and keys are pressed by writing.
///
/// A thread reads all the time, since a terminal that nobody reads makes programs wait.
final class PseudoTerminal: @unchecked Sendable {
    /// The program's side, by name, for a program in another process.
    let path: String
    /// The program's side, open.
    let slave: Int32
    private let master: Int32
    private let lock = NSLock()
    /// Guarded by `lock`; everything else is constant.
    private var received: [UInt8] = []

    struct Unavailable: Error {}

    init(width: UInt16 = 80, height: UInt16 = 24) throws {
        // Declared in a header that Swift's module of the C library leaves out.
        typealias OpenPTY =
            @convention(c) (
                UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
                UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Int32
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "openpty") else { throw Unavailable() }
        var ends: (master: Int32, slave: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard unsafeBitCast(symbol, to: OpenPTY.self)(&ends.master, &ends.slave, &name, nil, nil) == 0 else {
            throw Unavailable()
        }
        (master, slave) = ends
        path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        resize(width: width, height: height)
        let reader = Thread { [master, weak self] in
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = read(master, &bytes, bytes.count)
                guard count > 0, let self else { return }
                self.lock.withLock { self.received += bytes[..<count] }
            }
        }
        reader.start()
    }

    deinit {
        close(slave)
        close(master)
    }

    func resize(width: UInt16, height: UInt16) {
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func press(_ keys: String) {
        _ = write(master, keys, keys.utf8.count)
    }

    /// Waits until the program has written this, for two seconds at most.
    func shows(_ text: String) -> Bool {
        for _ in 0..<200 {
            if output.contains(text) { return true }
            usleep(10_000)
        }
        return false
    }

    var output: String {
        lock.withLock { String(decoding: received, as: UTF8.self) }
    }

    /// The terminal's settings as text, for comparing.
    var settings: String {
        var settings = termios()
        tcgetattr(slave, &settings)
        return "\(settings.c_iflag) \(settings.c_oflag) \(settings.c_cflag) \(settings.c_lflag) \(settings.c_cc)"
    }
}
