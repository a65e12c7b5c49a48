#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

// The wide-character interface of ncurses (curs_add_wch(3X), curs_get_wch(3X)) is declared only when asked for.
#define NCURSES_WIDECHAR 1
#ifndef _XOPEN_SOURCE_EXTENDED
#define _XOPEN_SOURCE_EXTENDED 1
#endif

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <wchar.h>

// What Swift cannot reach by itself: ncurses' global variables, function-like macros, variadic functions, and the
// union in struct sigaction, which every platform spells differently.

static inline WINDOW *cncurses_screen(void) { return stdscr; }
static inline TERMINAL *cncurses_terminal(void) { return cur_term; }
static inline int cncurses_colors(void) { return COLORS; }
static inline int cncurses_color_pairs(void) { return COLOR_PAIRS; }
static inline int cncurses_lines(void) { return LINES; }
static inline int cncurses_columns(void) { return COLS; }

static inline attr_t cncurses_bold(void) { return WA_BOLD; }
static inline attr_t cncurses_dim(void) { return WA_DIM; }
static inline attr_t cncurses_underline(void) { return WA_UNDERLINE; }
static inline attr_t cncurses_reverse(void) { return WA_REVERSE; }

static inline mmask_t cncurses_button1_pressed(void) { return BUTTON1_PRESSED; }
// Presses and releases of every button there is.
static inline mmask_t cncurses_button_events(void) {
    return BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON2_PRESSED | BUTTON2_RELEASED | BUTTON3_PRESSED | BUTTON3_RELEASED
        | BUTTON4_PRESSED | BUTTON4_RELEASED | BUTTON5_PRESSED | BUTTON5_RELEASED;
}
static inline mmask_t cncurses_button4_pressed(void) { return BUTTON4_PRESSED; }
static inline mmask_t cncurses_button5_pressed(void) { return BUTTON5_PRESSED; }

// tparm(3X) is variadic.
static inline char *cncurses_goto(const char *capability, int row, int column) {
    return tparm((char *)capability, (long)row, (long)column, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
}

static inline int cncurses_window_size(int fd, int *width, int *height) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
    *width = size.ws_col;
    *height = size.ws_row;
    return 0;
}

// The bytes that can be read at once, or -1.
static inline int cncurses_readable_bytes(int fd) {
    int count = 0;
    return ioctl(fd, FIONREAD, &count) == 0 ? count : -1;
}

// The C library declares wcwidth(3) only to programs that ask for X/Open before its first header is read.
extern int wcwidth(wchar_t character);
static inline int cncurses_character_columns(wchar_t character) { return wcwidth(character); }

typedef void (*cncurses_signal_handler)(int, siginfo_t *, void *);

// While the handler runs, every signal waits: also SIGTTOU, so that tcsetattr(3) is not stopped in the background.
static inline int cncurses_handle_signal(int number, cncurses_signal_handler handler, int flags, struct sigaction *old) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | flags;
    sigfillset(&action.sa_mask);
    // What the process was started to ignore (as nohup does) stays ignored.
    struct sigaction before;
    if (sigaction(number, NULL, &before) != 0) return -1;
    if (old != NULL) *old = before;
    if (!(before.sa_flags & SA_SIGINFO) && before.sa_handler == SIG_IGN) return 0;
    return sigaction(number, &action, NULL);
}

static inline int cncurses_default_signal(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, NULL);
}

#ifdef __linux__
// The real-time signals that the C library leaves to programs (signal(7)).
static inline int cncurses_first_realtime(void) { return SIGRTMIN; }
static inline int cncurses_last_realtime(void) { return SIGRTMAX; }
#endif

static inline int cncurses_is_ignored(const struct sigaction *action) { return action->sa_handler == SIG_IGN; }

// True for a signal that the processor raised in this thread: returning to the instruction raises it again.
static inline int cncurses_is_fault(const siginfo_t *info) {
    return info->si_code > 0 && info->si_code != SI_USER
#ifdef SI_KERNEL
        && info->si_code != SI_KERNEL
#endif
        ;
}

// Atomic, also between a signal handler and the thread it interrupts.
static inline int cncurses_exchange(int *value, int new_value) {
    return __atomic_exchange_n(value, new_value, __ATOMIC_SEQ_CST);
}

static inline int cncurses_load(const int *value) { return __atomic_load_n(value, __ATOMIC_SEQ_CST); }

#endif
