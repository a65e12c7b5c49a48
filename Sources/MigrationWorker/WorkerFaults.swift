import CProcess
import Foundation

/// In a worker: notes what kind of fault ends the process, and where in the code it happened, on the page that the
/// parent can still read then.
///
/// A trap of an optimized program says nothing, and neither does a stack that overflows. The handler runs on a stack of
/// its own, and the signal then ends the process as it would have.
enum WorkerFaults {
    private nonisolated(unsafe) static var page: UnsafeMutablePointer<WorkerFault>?
    private nonisolated(unsafe) static var mainThread = pthread_self()

    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
    private static let stackLength = 64 << 10

    /// How much memory has to be there for a fault not to count as the lack of it.
    private static let spare = 32 << 20

    /// How far from the stack pointer a fault counts as a stack that overflowed: a function's frame is smaller, and
    /// the pages below the stack are no one else's.
    private static let frame: UInt64 = 1 << 20

    /// Installs the handlers, on the main thread. Handlers that are there already, as those of Swift's backtraces where
    /// the environment asks for them, stay.
    static func note(in page: UnsafeMutablePointer<WorkerFault>) {
        self.page = page
        mainThread = pthread_self()
        // A call of exit(3) runs this on its own thread. What ends the process at once, as _exit(2), runs nothing.
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

    /// Takes nothing but what was there before the fault. `dladdr` is not among the functions that a handler may call
    /// by the standard; should it wait for ever, the time limit ends it.
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
        // The handler is gone (SA_RESETHAND): a fault happens again and ends the process; one that was sent is repeated.
        raise(signal)
    }
}
