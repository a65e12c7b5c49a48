#ifndef CPROCESS_SHIM_H
#define CPROCESS_SHIM_H

// System calls that Swift's C library modules do not export.

#include "programs.h"
#include "workers.h"

#include <sys/xattr.h>

// Extended attributes (xattr(7)). They are read by path, since closing a descriptor of a file would release the
// process's locks on it, and set on an open file. On Apple platforms, the calls have additional parameters.

#ifdef __APPLE__
#include <sys/acl.h>
#endif

static inline long cprocess_attribute_names(const char *path, char *names, unsigned long size) {
#ifdef __APPLE__
    return listxattr(path, names, size, 0);
#else
    return listxattr(path, names, size);
#endif
}

static inline long cprocess_attribute(const char *path, const char *name, void *value, unsigned long size) {
#ifdef __APPLE__
    return getxattr(path, name, value, size, 0, 0);
#else
    return getxattr(path, name, value, size);
#endif
}

static inline int cprocess_set_attribute(int file, const char *name, const void *value, unsigned long size) {
#ifdef __APPLE__
    return fsetxattr(file, name, value, size, 0, 0);
#else
    return fsetxattr(file, name, value, size, 0);
#endif
}

static inline int cprocess_remove_attribute(int file, const char *name) {
#ifdef __APPLE__
    return fremovexattr(file, name, 0);
#else
    return fremovexattr(file, name);
#endif
}

// Renaming without replacing anything (renameat2(2), renamex_np(2)). File systems that do not support it set errno to
// EINVAL, ENOSYS or ENOTSUP.

static inline int cprocess_rename_to_new(const char *from, const char *to) {
#ifdef __APPLE__
    return renamex_np(from, to, RENAME_EXCL);
#else
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1 /* RENAME_NOREPLACE */);
#endif
}

static inline int cprocess_exchange_files(const char *one, const char *other) {
#ifdef __APPLE__
    return renamex_np(one, other, RENAME_SWAP);
#else
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2 /* RENAME_EXCHANGE */);
#endif
}

// On Apple platforms, access control lists are not extended attributes. Other systems need nothing here.
static inline int cprocess_copy_access_list(const char *from, int to) {
#ifdef __APPLE__
    acl_t list = acl_get_file(from, ACL_TYPE_EXTENDED);
    if (!list) list = acl_init(0);
    if (!list) return -1;
    int result = acl_set_fd(to, list);
    acl_free(list);
    return result;
#else
    (void)from, (void)to;
    return 0;
#endif
}

#endif
