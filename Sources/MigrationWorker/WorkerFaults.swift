import CProcess
import Foundation

/// Records, in a worker, the kind of fault that ends the process and where in the code it happened, on the page that
/// the parent can still read afterward.
///
/// A trap in an optimized program prints no message, and neither does a stack overflow. The handler runs on an
/// alternate stack, and the signal then ends the process as it normally would.
enum WorkerFaults {
    private nonisolated(unsafe) static var page: UnsafeMutablePointer<WorkerFault>?
    private nonisolated(unsafe) static var mainThread = pthread_self()

    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    private static let stackLength = 64 << 10

    /// The number of bytes that must be available for a fault not to count as out of memory.
    private static let spare = 32 << 20

    /// The distance from the stack pointer within which a fault counts as a stack overflow: function frames are
    /// smaller, and the pages below the stack belong to nothing else.
    private static let frame: UInt64 = 1 << 20

    /// Installs the handlers. Call this on the main thread. Existing handlers are kept, such as those of Swift's
    /// backtraces if the environment enables them.
    static func note(in page: UnsafeMutablePointer<WorkerFault>) {
        self.page = page
        mainThread = pthread_self()
        // Calling exit(3) runs this on the calling thread. Calls that end the process immediately, such as _exit(2),
        // don't run it.
        atexit {
            WorkerFaults.page?.pointee.thread = WorkerFault.Thread.current(main: WorkerFaults.mainThread).rawValue
        }
        var stack = stack_t()
        let memory = mmap(nil, stackLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let memory, memory != MAP_FAILED else { return }
        stack.ss_sp = memory
        stack.ss_size = stackLength
        sigaltstack(&stack, nil)
        for signal in signals where cprocess_is_handled(signal) == 0 { cprocess_handle_signal(signal, handler) }
    }

    /// Uses only memory that was allocated before the fault. By the standard, `dladdr` isn't safe to call in a handler;
    /// if it hangs, the time limit ends the process.
    private static let handler: cprocess_signal_handler = { signal, information, context in
        guard let page = WorkerFaults.page, page.pointee.signal == 0 else { return }
        page.pointee.signal = signal
        page.pointee.thread = WorkerFault.Thread.current(main: WorkerFaults.mainThread).rawValue
        let memory = mmap(nil, WorkerFaults.spare, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        if memory == MAP_FAILED {
            page.pointee.kind = WorkerFault.Kind.outOfMemory.rawValue
        } else if signal == SIGSEGV || signal == SIGBUS {
            let address = cprocess_fault_address(information)
            let pointer = cprocess_stack_pointer(context)
            if address &+ WorkerFaults.frame > pointer, address < pointer &+ WorkerFaults.frame {
                page.pointee.kind = WorkerFault.Kind.stackOverflow.rawValue
            }
        }
        let instruction = cprocess_instruction(context)
        page.pointee.offset = instruction
        var found = cprocess_place()
        if cprocess_find_place(UnsafeRawPointer(bitPattern: UInt(instruction)), &found) != 0, let base = found.base {
            page.pointee.offset = instruction - UInt64(UInt(bitPattern: base))
            if let name = found.module {
                let last =
                    strrchr(name, Int32(UInt8(ascii: "/"))).map { $0 + 1 } ?? UnsafeMutablePointer(mutating: name)
                withUnsafeMutableBytes(of: &page.pointee.module) { bytes in
                    _ = strncpy(bytes.baseAddress!.assumingMemoryBound(to: CChar.self), last, bytes.count - 1)
                }
            }
        }
        // The handler has been removed (SA_RESETHAND). A fault recurs and ends the process; a signal that was sent is
        // raised again.
        raise(signal)
    }
}
