#ifndef CNCURSES_SHIM_H
#define CNCURSES_SHIM_H

// The wide-character interface of ncurses (curs_add_wch(3X), curs_get_wch(3X)) is declared only when asked for.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1

#include <locale.h>
#include <ncurses.h>
#include <term.h>

#endif
