#ifndef CPROCESS_WORKERS_H
#define CPROCESS_WORKERS_H

// What worker processes need: starting one, memory that both sides see, descriptors sent over a socket, and what a
// signal handler knows of a fault.

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

// Starts a program with `count` descriptors of the caller at the numbers from 0 and no others, in a session of its own,
// with no signal ignored, blocked or handled. The descriptors must not have numbers below `count`. Returns an error
// number, or 0.
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

// The variables of the environment, as they are, with NULL behind the last.
static inline char **cprocess_environment(void) {
#ifdef __APPLE__
    return *_NSGetEnviron();
#else
    extern char **environ;
    return environ;
#endif
}

// WIFEXITED, WEXITSTATUS and WTERMSIG are macros. Exit codes are returned as they are, signals as negative numbers.
static inline int cprocess_ending(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Whether a child has ended. It can be waited for afterwards.
static inline int cprocess_has_ended(pid_t process) {
    siginfo_t information;
    int result;
    do {
        information.si_pid = 0;
        result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT | WNOHANG);
    } while (result != 0 && errno == EINTR);
    return result != 0 || information.si_pid != 0;
}

// Whether a child is stopped now.
static inline int cprocess_is_stopped(pid_t process) {
    siginfo_t information;
    information.si_pid = 0;
    return waitid(P_PID, (id_t)process, &information, WSTOPPED | WNOWAIT | WNOHANG) == 0 && information.si_pid != 0;
}

// The processor time that another process has used, in seconds; negative where the system does not tell.
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

// A descriptor of a folder to come back to with fchdir, also of one that may be entered and not listed; or -1.
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

// The soft limit of a resource.
static inline uint64_t cprocess_current_limit(int resource) {
    struct rlimit limits;
    return getrlimit(resource, &limits) == 0 ? limits.rlim_cur : 0;
}

// Sets the soft limit of a resource, as far as the hard one lets it.
static inline void cprocess_limit(int resource, uint64_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return;
    limits.rlim_cur = value < limits.rlim_max ? value : limits.rlim_max;
    setrlimit(resource, &limits);
}

// Gives memory back to the system that was freed and is kept for later.
static inline void cprocess_trim_memory(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// What is printed is written at once.
static inline void cprocess_unbuffer_output(void) { setvbuf(stdout, NULL, _IONBF, 0); }

// MARK: Shared memory

// A descriptor of memory without a name, or -1.
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

// From here on the memory neither changes nor shrinks, where the system can promise that. No writable mapping of it may
// be left.
static inline int cprocess_seal(int descriptor) {
#ifdef __linux__
    return fcntl(descriptor, 1033 /* F_ADD_SEALS */, 15 /* F_SEAL_SEAL, SHRINK, GROW, WRITE */);
#else
    (void)descriptor;
    return 0;
#endif
}

// From here on the memory has the length that it has, where the system can promise that.
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
    // What is no memory has no seals: -1, all of whose bits are set.
    int seals = fcntl(descriptor, 1034 /* F_GET_SEALS */);
    return seals >= 0 && (seals & 14) == 14;
#else
    (void)descriptor;
    return 1;
#endif
}

static inline uint64_t cprocess_load(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_SEQ_CST); }
static inline void cprocess_store(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_SEQ_CST); }
// Puts `value` where `expected` stands, and returns what stood there.
static inline uint64_t cprocess_exchange(uint64_t *word, uint64_t expected, uint64_t value) {
    __atomic_compare_exchange_n(word, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}

// How many bytes a pipe holds that nobody has read yet, asked at the end that is written to; -1 where the system does
// not tell.
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

// Sends bytes and, with the first of them, descriptors. Returns the number of bytes that were taken, or -1.
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

// Receives bytes and the descriptors that came with them, of which there is room for `cprocess_most_descriptors`, and
// whether more came, or more than this process may have. Returns the number of bytes, 0 at the end, or -1.
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

// The handler runs on the signal stack, once.
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

// The instruction and the stack pointer at which a signal was raised; 0 where that is not known.
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

// Where an address lies (dladdr(3)), which GNU's C library declares only to programs that ask for its extensions.
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
