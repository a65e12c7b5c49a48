#ifndef CPROCESS_WORKERS_H
#define CPROCESS_WORKERS_H

// Support for worker processes: starting them, shared memory, sending descriptors over a socket, and the details of a
// fault in a signal handler.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __APPLE__
#include <crt_externs.h>
#include <stdlib.h>
#include <sys/ucontext.h>
#else
#include <sys/syscall.h>
#include <ucontext.h>
#endif

// MARK: Starting

// Starts a program in a new session, with no signal ignored, blocked or handled. The program gets `count` descriptors
// of the caller, numbered from 0, and no others. The caller's descriptors must not have numbers below `count`.
// Returns an error number, or 0.
static inline int cprocess_spawn(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count
) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#ifdef __linux__
    flags |= 0x80; // POSIX_SPAWN_SETSID
#else
    flags |= POSIX_SPAWN_SETSID;
#endif
#ifdef __APPLE__
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    code = posix_spawnattr_setflags(&attributes, flags);
    for (int number = 0; number < count && !code; number++)
        code = posix_spawn_file_actions_adddup2(&actions, descriptors[number], number);
#ifndef __APPLE__
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(&actions, count);
#endif
    if (!code) code = posix_spawn(process, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// The variables of the environment, terminated by NULL.
static inline char **cprocess_environment(void) {
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    extern char **environ;
    return environ;
#endif
}

// WIFEXITED, WEXITSTATUS and WTERMSIG are macros. Returns the exit code, or the signal as a negative number.
static inline int cprocess_ending(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Returns whether a child has ended. The caller can still wait for the child afterwards.
static inline int cprocess_has_ended(pid_t process) {
    siginfo_t information;
    int result;
    do {
        information.si_pid = 0;
        result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT | WNOHANG);
    } while (result != 0 && errno == EINTR);
    return result != 0 || information.si_pid != 0;
}

// Returns whether a child is stopped now.
static inline int cprocess_is_stopped(pid_t process) {
    siginfo_t information;
    information.si_pid = 0;
    return waitid(P_PID, (id_t)process, &information, WSTOPPED | WNOWAIT | WNOHANG) == 0 && information.si_pid != 0;
}

// Returns the processor time that another process has used, in seconds; negative if the system cannot report it.
static inline double cprocess_processor_seconds(pid_t process) {
#ifdef __linux__
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return -1;
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
#else
    (void)process;
    return -1;
#endif
}

// Returns a descriptor of a folder to return to with fchdir, or -1. Also works for folders that can be entered but
// not listed.
static inline int cprocess_open_folder(const char *path) {
#if defined(O_SEARCH)
    return open(path, O_SEARCH | O_CLOEXEC);
#elif defined(__linux__)
    return open(path, 010000000 /* O_PATH */ | O_DIRECTORY | O_CLOEXEC);
#else
    return open(path, O_RDONLY | O_CLOEXEC);
#endif
}

// MARK: Limits and streams

enum {
    cprocess_stack = RLIMIT_STACK,
    cprocess_core = RLIMIT_CORE,
    cprocess_memory = RLIMIT_AS,
    cprocess_descriptors = RLIMIT_NOFILE
};

// Returns the soft limit of a resource.
static inline uint64_t cprocess_current_limit(int resource) {
    struct rlimit limits;
    return getrlimit(resource, &limits) == 0 ? limits.rlim_cur : 0;
}

// Sets the soft limit of a resource, capped at the hard limit.
static inline void cprocess_limit(int resource, uint64_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    limits.rlim_cur = value < limits.rlim_max ? value : limits.rlim_max;
    setrlimit(resource, &limits);
}

// Returns freed memory to the system that the allocator keeps for later.
static inline void cprocess_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Makes output to stdout unbuffered.
static inline void cprocess_unbuffer_output(void) { setvbuf(stdout, NULL, _IONBF, 0); }

// MARK: Shared memory

// Returns a descriptor of anonymous memory, or -1.
static inline int cprocess_shared_memory(void) {
#ifdef __APPLE__
    static int number = 0;
    char name[32];
    for (;;) {
        snprintf(name, sizeof name, "/mi.%d.%d", getpid(), __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED));
        int descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (descriptor < 0 && errno == EEXIST) continue;
        if (descriptor >= 0) {
            shm_unlink(name);
            fcntl(descriptor, F_SETFD, FD_CLOEXEC);
        }
        return descriptor;
    }
#else
    return (int)syscall(SYS_memfd_create, "document", 3 /* MFD_CLOEXEC | MFD_ALLOW_SEALING */);
#endif
}

// Prevents any further change of the memory or its size, if the system supports that. No writable mapping of it may
// be left.
static inline int cprocess_seal(int descriptor) {
#ifdef __linux__
    return fcntl(descriptor, 1033 /* F_ADD_SEALS */, 15 /* F_SEAL_SEAL, SHRINK, GROW, WRITE */);
#else
    (void)descriptor;
    return 0;
#endif
}

// Prevents any further change of the memory's size, if the system supports that.
static inline int cprocess_seal_length(int descriptor) {
#ifdef __linux__
    return fcntl(descriptor, 1033 /* F_ADD_SEALS */, 7 /* F_SEAL_SEAL, SHRINK, GROW */);
#else
    (void)descriptor;
    return 0;
#endif
}

static inline int cprocess_is_sealed(int descriptor) {
#ifdef __linux__
    // A descriptor of anything but memory has no seals: the result is -1, which has all bits set.
    int seals = fcntl(descriptor, 1034 /* F_GET_SEALS */);
    return seals >= 0 && (seals & 14) == 14;
#else
    (void)descriptor;
    return 1;
#endif
}

static inline uint64_t cprocess_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline void cprocess_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
// Sets the word to `value` if it equals `expected`, and returns the earlier value.
static inline uint64_t cprocess_exchange(uint64_t *word, uint64_t expected, uint64_t value) {
    __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

// Returns the number of unread bytes in a pipe, given its write end; -1 if the system cannot report it.
static inline int cprocess_unread_bytes(int pipe) {
#ifdef __linux__
    int count = 0;
    return ioctl(pipe, FIONREAD, &count) == 0 ? count : -1;
#else
    (void)pipe;
    return -1;
#endif
}

// MARK: Frames

enum { cprocess_most_descriptors = 64 };

// Sends bytes, with descriptors attached to the first of them. Returns the number of bytes that were accepted, or -1.
static inline long cprocess_send(int socket, const void *bytes, unsigned long size, const int *descriptors, int count) {
    struct iovec part = {(void *)bytes, size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * cprocess_most_descriptors)];
    } control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * (unsigned)count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * (unsigned)count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (unsigned)count);
    }
#ifdef MSG_NOSIGNAL
    return sendmsg(socket, &message, MSG_NOSIGNAL);
#else
    return sendmsg(socket, &message, 0);
#endif
}

// Receives bytes and the descriptors attached to them. `descriptors` must have room for `cprocess_most_descriptors`.
// Sets `is_cut` if more descriptors were sent than that, or than this process may open. Returns the number of bytes,
// 0 at the end, or -1.
static inline long cprocess_receive(
    int socket, void *bytes, unsigned long size, int *descriptors, int *count, int *is_cut, int waits
) {
    struct iovec part = {bytes, size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int) * cprocess_most_descriptors)];
    } control;
    struct msghdr message;
    memset(&message, 0, sizeof message);
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    int flags = waits ? 0 : MSG_DONTWAIT;
#ifdef MSG_CMSG_CLOEXEC
    flags |= MSG_CMSG_CLOEXEC;
#endif
    *count = 0;
    *is_cut = 0;
    long length = recvmsg(socket, &message, flags);
    if (length < 0) return length;
    *is_cut = (message.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        memcpy(descriptors + *count, CMSG_DATA(header), sizeof(int) * (unsigned)found);
        *count += found;
    }
    return length;
}

// MARK: Faults

typedef void (*cprocess_signal_handler)(int, siginfo_t *, void *);

// Installs a handler that runs once, on the signal stack.
static inline int cprocess_handle_signal(int number, cprocess_signal_handler handler) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

static inline int cprocess_is_handled(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL;
}

static inline int cprocess_is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

// The instruction pointer and the stack pointer when a signal was raised; 0 if they are not known.
static inline uint64_t cprocess_instruction(const void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[16 /* REG_RIP */];
#elif defined(__linux__) && defined(__aarch64__)
    return ((const ucontext_t *)context)->uc_mcontext.pc;
#elif defined(__APPLE__) && defined(__arm64__)
    return ((const ucontext_t *)context)->uc_mcontext->__ss.__pc;
#elif defined(__APPLE__) && defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext->__ss.__rip;
#else
    return 0;
#endif
}

static inline uint64_t cprocess_stack_pointer(const void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[15 /* REG_RSP */];
#elif defined(__linux__) && defined(__aarch64__)
    return ((const ucontext_t *)context)->uc_mcontext.sp;
#elif defined(__APPLE__) && defined(__arm64__)
    return ((const ucontext_t *)context)->uc_mcontext->__ss.__sp;
#elif defined(__APPLE__) && defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext->__ss.__rsp;
#else
    return 0;
#endif
}

// The module and symbol at an address (dladdr(3)). glibc declares the function only for programs that request its
// extensions.
typedef struct {
    const char *module;
    void *base;
    const char *symbol;
    void *symbol_address;
} cprocess_place;
#ifdef __APPLE__
extern int cprocess_find_place(const void *address, cprocess_place *place) __asm__("_dladdr");
#else
extern int cprocess_find_place(const void *address, cprocess_place *place) __asm__("dladdr");
#endif

static inline uint64_t cprocess_fault_address(const siginfo_t *information) { return (uint64_t)information->si_addr; }

#endif
