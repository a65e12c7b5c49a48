#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

// What Swift cannot reach by itself: variadic functions, and macros that cast an integer to a function pointer.

// Opens files for SQLite, as open(2) does. A pipe, a socket or a block device at the name of a log or a journal is refused:
// SQLite would wait for a writer. The only devices that SQLite opens are /dev/null and /dev/urandom.
static inline int csqlite_open_regular(const char *path, int flags, int permissions) {
    struct stat status;
    int file = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, permissions);
    if (file < 0) return file;
    if (fstat(file, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISCHR(status.st_mode)))
        return file;
    close(file);
    errno = EACCES;
    return -1;
}

// Has SQLite open all its files with `csqlite_open_regular`.
static inline int csqlite_open_only_regular_files(sqlite3_vfs *files) {
    if (files->iVersion < 3 || !files->xSetSystemCall) return SQLITE_NOTFOUND;
    return files->xSetSystemCall(files, "open", (sqlite3_syscall_ptr)csqlite_open_regular);
}

// The result code of a file that cannot be deleted.
static const int csqlite_delete_failed = SQLITE_IOERR_DELETE;

// Takes from a database file every way to have something done: its triggers and views are off, and no statement may write around
// SQLite's own care. Its schema may call SQLite's own functions: those with side effects are for direct use only, this program adds none,
// and without trust some versions refuse to open a store with an index over json_extract(), which they take for unsafe. A quoted name
// that matches no column is an error and not a string: another program may have renamed the column. Closing never moves the log into the
// file.
static inline int csqlite_distrust(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
    if (code == SQLITE_OK) code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    return code;
}

static inline int csqlite_keep_log_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// SQLite copies the bytes before these return.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, (const char *)bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
