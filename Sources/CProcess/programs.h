#ifndef CPROCESS_PROGRAMS_H
#define CPROCESS_PROGRAMS_H

// Running other programs.

#include "workers.h"

// Starts a program as `cprocess_spawn` does, and ties it to this process. The last descriptor must be the read end of
// a pipe that nothing is written to, and whose write end only this process has. Once the write end is closed, because
// this process closes it or ends in any way, the system sends a signal to the program and its process group
// (fcntl(2), F_SETSIG). SIGKILL ends the program whatever it is waiting for; SIGCONT resumes it if it is stopped. On
// systems other than Linux the program is not tied.
static inline int cprocess_spawn_tied(
    pid_t *process, const char *path, char *const *arguments, char *const *environment, const int *descriptors, int count,
    int signal_at_end
) {
#ifdef __linux__
    // The new process has to tie itself before it becomes the program, because this process may be gone a moment
    // later. posix_spawn(3) cannot do that.
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
        // The memory is shared with the parent, so make only system calls.
        for (int number = 1; number <= 64; number++) sigaction(number, &standard, NULL);
        setsid();
        for (int number = 0; number < count; number++) dup2(descriptors[number], number);
        fcntl(count - 1, 10 /* F_SETSIG */, signal_at_end);
        fcntl(count - 1, F_SETOWN, -getpid());
        fcntl(count - 1, F_SETFL, fcntl(count - 1, F_GETFL) | O_ASYNC);
        // This closes the copy of the write end, which has kept the pipe open until now.
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
