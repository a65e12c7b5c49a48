#ifndef CPROCESS_PROGRAMS_H
#define CPROCESS_PROGRAMS_H

// Programs of others that work for this one.

#include "workers.h"

// Starts a program as `cprocess_spawn` does. The last of the descriptors is the reading end of a pipe that nothing is written to, and
// whose writing end only this process has: once that is closed, because this process closes it or ends, in whatever way, the system
// sends a signal to the program and its process group (fcntl(2), F_SETSIG): SIGKILL ends it whatever it waits for, SIGCONT has it go
// on where it is stopped. Elsewhere than on Linux it does not.
static inline int cprocess_spawn_tied(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count,
    int signal_at_end
) {
#ifdef __linux__
    // The new process has to tie itself, before it is the program: this one may be gone a moment later. posix_spawn(3) cannot say so.
    sigset_t none, all, before;
    sigemptyset(&none);
    sigfillset(&all);
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    volatile int failure = 0;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = vfork();
    if (child == 0) {
        // The memory is that of the parent, so there is nothing here but system calls.
        for (int number = 1; number <= 64; number++) sigaction(number, &standard, NULL);
        setsid();
        for (int number = 0; number < count; number++) dup2(descriptors[number], number);
        fcntl(count - 1, 10 /* F_SETSIG */, signal_at_end);
        fcntl(count - 1, F_SETOWN, -getpid());
        fcntl(count - 1, F_SETFL, fcntl(count - 1, F_GETFL) | O_ASYNC);
        // This closes the copy of the writing end, which has kept the pipe open until here.
        if (syscall(436 /* close_range */, count, ~0U, 0) != 0)
            for (long number = sysconf(_SC_OPEN_MAX) - 1; number >= count; number--) close((int)number);
        sigprocmask(SIG_SETMASK, &none, NULL);
        execve(path, arguments, environment);
        failure = errno;
        _exit(127);
    }
    int code = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0) return code;
    if (failure) {
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        return failure;
    }
    *process = child;
    return 0;
#else
    (void)signal_at_end;
    return cprocess_spawn(process, path, arguments, environment, descriptors, count);
#endif
}

#endif
