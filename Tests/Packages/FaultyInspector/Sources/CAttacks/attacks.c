#define _GNU_SOURCE
#include "attacks.h"

#ifdef __linux__

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: Finding

// The socket that the worker answers on.
static int worker_socket(void) {
    for (int number = 3; number < 1024; number++) {
        struct stat status;
        if (fstat(number, &status) == 0 && S_ISSOCK(status.st_mode)) return number;
    }
    return -1;
}

// The page that the worker shares with its parent.
static uint64_t *worker_page(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    uint64_t *page = NULL;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        if (strstr(line, "memfd:") && strstr(line, " rw-s ") && sscanf(line, "%lx-%lx", &start, &end) == 2
            && end - start == 4096)
            page = (uint64_t *)start;
    }
    if (maps) fclose(maps);
    return page;
}

// MARK: Frames

// Sends all of some bytes, with descriptors at the first of them.
static void send_bytes(const void *bytes, size_t size, const int *descriptors, int count) {
    int socket = worker_socket();
    while (size > 0) {
        struct iovec part = {(void *)bytes, size};
        union {
            struct cmsghdr header;
            char space[CMSG_SPACE(sizeof(int) * 253)];
        } control;
        struct msghdr message;
        memset(&message, 0, sizeof message);
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        if (count > 0) {
            memset(&control, 0, sizeof control);
            message.msg_control = &control;
            message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
            control.header.cmsg_level = SOL_SOCKET;
            control.header.cmsg_type = SCM_RIGHTS;
            control.header.cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
            memcpy(CMSG_DATA(&control.header), descriptors, sizeof(int) * (size_t)count);
        }
        ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            usleep(1000);
            continue;
        }
        count = 0;
        bytes = (const char *)bytes + sent;
        size -= (size_t)sent;
    }
}

// A block of a frame: its length as the frame says, and memory; where that is -1, the bytes, which follow the text.
struct block {
    uint64_t length;
    int memory;
    const void *bytes;
};

static void send_frame(const char *text, uint32_t text_length, const struct block *blocks, uint32_t count) {
    size_t inline_length = 0;
    int descriptors[64], descriptor_count = 0;
    for (uint32_t number = 0; number < count; number++) {
        if (blocks[number].memory < 0) inline_length += blocks[number].length;
        else descriptors[descriptor_count++] = blocks[number].memory;
    }
    size_t size = 12 + 16 * (size_t)count + text_length + inline_length;
    char *frame = malloc(size);
    uint32_t beginning[3] = {0xFF4D49FE, count, text_length};
    memcpy(frame, beginning, 12);
    char *place = frame + 12;
    for (uint32_t number = 0; number < count; number++) {
        uint64_t block[2] = {blocks[number].length, blocks[number].memory < 0};
        memcpy(place, block, 16);
        place += 16;
    }
    memcpy(place, text, text_length);
    place += text_length;
    for (uint32_t number = 0; number < count; number++) {
        if (blocks[number].memory >= 0) continue;
        memcpy(place, blocks[number].bytes, blocks[number].length);
        place += blocks[number].length;
    }
    send_bytes(frame, size, descriptors, descriptor_count);
    free(frame);
}

static void say(const char *text) { send_frame(text, (uint32_t)strlen(text), NULL, 0); }

static const char *const good_result = "{\"result\":{\"versionCandidates\":[],\"_0\":{\"source\":\"\",\"outcome\":\"current\",\"dropped\":[],\"warnings\":[]}}}";

// A trace whose one document is of some numbers of nodes and bytes.
static void say_trace(const char *reply, long nodes, long text_length, struct block block) {
    char text[1024];
    int length = snprintf(
        text, sizeof text,
        "{\"documents\":[{\"format\":\"json\",\"encoding\":\"UTF-8\",\"markLength\":0,"
        "\"extraCommas\":[],\"textLength\":%ld,\"nodeCount\":%ld,\"hasSourceRanges\":false}],\"%s\":{\"_0\":{"
        "\"source\":\"x\",\"versions\":[],\"detection\":{\"attempts\":[]},\"opening\":{\"opened\":{}},\"steps\":[],"
        "\"parts\":[],\"dropped\":[],\"warnings\":[],\"document\":0,\"decodingSeconds\":0}}}",
        text_length, nodes, reply);
    send_frame(text, (uint32_t)length, &block, 1);
}

// MARK: Documents

struct node {
    uint32_t start, end, next;
    uint8_t kind, flags;
};

// The block of arrays in one another, which have no text.
static void *nested_arrays(long count, size_t *size) {
    *size = 16 + 16 * (size_t)count;
    struct node *nodes = calloc(1, *size);
    for (long number = 0; number < count; number++) {
        struct node node = {0, 0, (uint32_t)count, 1, 0};
        memcpy((char *)nodes + 16 + 16 * number, &node, sizeof node);
    }
    return nodes;
}

// The block of an array of nulls, which has no text: a document like any other.
static void *array_of_nulls(long count, size_t *size) {
    char *bytes = nested_arrays(count, size);
    for (long number = 1; number < count; number++) {
        struct node node = {0, 0, (uint32_t)number + 1, 5, 0};
        memcpy(bytes + 16 + 16 * number, &node, sizeof node);
    }
    return bytes;
}

static int memory(size_t size, int seals, const void *bytes) {
    int memory = memfd_create("attack", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (ftruncate(memory, (off_t)size) != 0) return -1;
    if (bytes && write(memory, bytes, size) != (ssize_t)size) return -1;
    if (seals) fcntl(memory, F_ADD_SEALS, seals);
    return memory;
}

// MARK: What goes on without end

static void *flood_socket(void *unused) {
    char bytes[1 << 16];
    memset(bytes, 'x', sizeof bytes);
    for (;;) send_bytes(bytes, sizeof bytes, NULL, 0);
    return unused;
}

static void *flood_streams(void *unused) {
    char bytes[1 << 16];
    memset(bytes, 'x', sizeof bytes);
    for (;;) {
        if (write(1, bytes, sizeof bytes) < 0 || write(2, bytes, sizeof bytes) < 0) usleep(1000);
    }
    return unused;
}

// The marks that a worker writes between what is printed at one place and at another.
static void *flood_marks(void *unused) {
    struct {
        uint8_t beginning[8];
        uint64_t number, chain;
        int32_t phase, first, stage, unused;
    } marks[1024];
    static const uint8_t beginning[8] = {0xFF, 0x4D, 0xFE, 0x49, 0xFF, 0xFE, 0x0B, 0xC0};
    for (int number = 0; number < 1024; number++) {
        memset(&marks[number], number % 3 == 0 ? 0xFF : 0x7F, sizeof marks[number]);
        memcpy(marks[number].beginning, beginning, 8);
        marks[number].number = number % 2 == 0 ? 1 : (uint64_t)number << 40;
    }
    for (;;) {
        if (write(1, marks, sizeof marks) < 0 || write(2, marks, sizeof marks) < 0) usleep(1000);
    }
    return unused;
}

static void *scribble(void *unused) {
    static const uint64_t edges[] = {0, 1, 999, 1000, 1ull << 31, 1ull << 32, 1ull << 62, 1ull << 63, ~0ull, ~0ull >> 1};
    uint64_t *page = worker_page();
    for (unsigned turn = 0;; turn++) page[turn % 64] = edges[(turn * 7 + turn / 64) % 10];
    return unused;
}

static void in_threads(int count, void *(*work)(void *)) {
    for (int number = 0; number < count; number++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
    }
}

static void wait_for_end(void) {
    for (;;) pause();
}

// MARK: -

static void nested_reason(int depth) {
    // A result with warnings in one another.
    size_t size = 200 + 40 * (size_t)depth;
    char *text = malloc(size);
    strcpy(text, "{\"result\":{\"versionCandidates\":[],\"_0\":{\"source\":\"\",\"outcome\":\"current\",\"dropped\":[],\"warnings\":[");
    for (int number = 0; number < depth; number++) strcat(text, "{\"caught\":{\"_0\":");
    strcat(text, "{\"notRecorded\":{}}");
    for (int number = 0; number < depth; number++) strcat(text, "}}");
    strcat(text, "]}}}");
    say(text);
    free(text);
}

#define IS(other) (strcmp(name, other) == 0)

int attack(const char *name) {
    if (IS("a trace for an outcome")) {
        size_t size;
        void *bytes = nested_arrays(1, &size);
        say_trace("trace", 1, 0, (struct block){size, -1, bytes});
    } else if (IS("a chain's name")) say("{\"chain\":{\"_0\":{\"known\":{\"_0\":\"x\"}}}}");
    else if (IS("no outline")) say("{\"outline\":{}}");
    else if (IS("the chains again")) say("{\"chains\":{\"_0\":[]}}");
    else if (IS("chains without losses")) {
        say("{\"chains\":{\"_0\":[{\"name\":\"Task\",\"versions\":[{\"version\":1,\"type\":\"A\"},{\"version\":2,\"type\":"
            "\"B\"}],\"notes\":[],\"intendedLosses\":[],\"isRepeatable\":true,"
            "\"statements\":[],\"readsAsAnyVersion\":false,\"isOfPayloads\":false}]}}");
    }
    else if (IS("a change that was not asked for")) say("{\"notEdited\":{\"_0\":{\"path\":\"$\",\"problem\":\"missing\"}}}");
    else if (IS("what is known, unasked")) {
        size_t size;
        void *bytes = nested_arrays(1, &size);
        say_trace("known", 1, 0, (struct block){size, -1, bytes});
    } else if (IS("a migration that is none")) {
        say("{\"migration\":{\"_0\":{\"result\":{\"source\":\"\",\"outcome\":\"migrated\",\"dropped\":[],\"warnings\":[]},\"hasResult\":"
            "true,\"lost\":[]}}}");
    } else if (IS("a failure without a reason")) {
        say("{\"result\":{\"versionCandidates\":[],\"_0\":{\"source\":\"\",\"outcome\":\"failed\",\"dropped\":[],\"warnings\":[]}}}");
    } else if (IS("a place beyond all documents")) {
        say("{\"result\":{\"versionCandidates\":[],\"_0\":{\"source\":\"\",\"outcome\":\"failed\",\"dropped\":[],\"warnings\":[],\"failure\":{\"reason\":"
            "{\"thrown\":{\"message\":\"m\"}},\"location\":{\"line\":9223372036854775807,\"column\":1,\"offset\":0}}}}}");
    } else if (IS("a line 0")) {
        say("{\"result\":{\"versionCandidates\":[],\"_0\":{\"source\":\"\",\"outcome\":\"failed\",\"dropped\":[],\"warnings\":[],\"failure\":{\"reason\":"
            "{\"thrown\":{\"message\":\"m\"}},\"location\":{\"line\":-9223372036854775808,\"column\":0,\"offset\":-1}}}}}");
    } else if (IS("reasons in one another")) nested_reason(240);
    else if (IS("reasons deeper than documents")) nested_reason(100000);
    else if (IS("arrays in one another")) {
        size_t size;
        void *bytes = nested_arrays(100000, &size);
        say_trace("trace", 100000, 0, (struct block){size, memory(size, 15, bytes), NULL});
    } else if (IS("text that many nodes have in common")) {
        // An array of strings each of which is the whole text.
        long nodes = 100001, text_length = 1 << 20, tape = text_length + 16;
        size_t size = (size_t)tape + 16 * (size_t)nodes;
        char *bytes = calloc(1, size);
        memset(bytes, 'x', (size_t)text_length);
        for (long number = 0; number < nodes; number++) {
            struct node node = {0, (uint32_t)text_length, number ? (uint32_t)number + 1 : (uint32_t)nodes, number ? 2 : 1, 0};
            memcpy(bytes + tape + 16 * number, &node, sizeof node);
        }
        say_trace("trace", nodes, text_length, (struct block){size, memory(size, 15, bytes), NULL});
    } else if (IS("memory that is not sealed")) {
        size_t size;
        void *bytes = array_of_nulls(8192, &size);
        int open = memory(size, 0, bytes);
        say_trace("trace", 8192, 0, (struct block){size, open, NULL});
        usleep(20000);
        if (ftruncate(open, 0) != 0) abort();
    } else if (IS("memory that can be written to")) {
        size_t size;
        void *bytes = array_of_nulls(8192, &size);
        say_trace("trace", 8192, 0, (struct block){size, memory(size, F_SEAL_SHRINK | F_SEAL_GROW, bytes), NULL});
    } else if (IS("memory that is shorter")) {
        say_trace("trace", 8192, 0, (struct block){16 + 16 * 8192, memory(4096, 15, NULL), NULL});
    } else if (IS("a file")) {
        char path[] = "/tmp/attack-XXXXXX";
        int file = mkstemp(path);
        unlink(path);
        size_t size;
        void *bytes = array_of_nulls(8192, &size);
        if (write(file, bytes, size) != (ssize_t)size) abort();
        say_trace("trace", 8192, 0, (struct block){size, file, NULL});
        // The parent may have it in use by now.
        usleep(20000);
        if (ftruncate(file, 0) != 0) abort();
    } else if (IS("a pipe")) {
        int ends[2];
        if (pipe(ends) != 0) abort();
        say_trace("trace", 8192, 0, (struct block){16 + 16 * 8192, ends[0], NULL});
    } else if (IS("no descriptor")) {
        uint32_t frame[7] = {0xFF4D49FE, 1, 0, 100000, 0, 0, 0};
        send_bytes(frame, sizeof frame, NULL, 0);
    } else if (IS("sixty descriptors a message")) {
        int descriptors[60];
        for (int number = 0; number < 60; number++) descriptors[number] = worker_socket();
        for (int turn = 0; turn < 100; turn++) send_bytes("\xFE", 1, descriptors, 60);
    } else if (IS("two hundred descriptors")) {
        int descriptors[200];
        for (int number = 0; number < 200; number++) descriptors[number] = worker_socket();
        send_bytes("\xFE", 1, descriptors, 200);
    } else if (IS("a frame of 4 GB")) {
        uint32_t beginning[3] = {0xFF4D49FE, 0, 0xFFFFFFFF};
        send_bytes(beginning, sizeof beginning, NULL, 0);
        flood_socket(NULL);
    } else if (IS("blocks without number")) {
        uint32_t beginning[3] = {0xFF4D49FE, 0xFFFFFFFF, 0};
        send_bytes(beginning, sizeof beginning, NULL, 0);
        flood_socket(NULL);
    } else if (IS("a block of 2^63 bytes")) {
        uint32_t frame[7] = {0xFF4D49FE, 1, 0, 0, 0x80000000, 1, 0};
        send_bytes(frame, sizeof frame, NULL, 0);
        flood_socket(NULL);
    } else if (IS("what is known, without end")) {
        size_t size;
        void *bytes = nested_arrays(500, &size);
        for (;;) say_trace("known", 500, 0, (struct block){size, -1, bytes});
    } else if (IS("answers without end")) {
        for (;;) say(good_result);
    } else if (IS("a socket that is written to without end")) in_threads(8, flood_socket), wait_for_end();
    else if (IS("streams that are written to without end")) in_threads(8, flood_streams), wait_for_end();
    else if (IS("marks without end")) in_threads(8, flood_marks), wait_for_end();
    else if (IS("a page that says anything")) in_threads(2, scribble), wait_for_end();
    else if (IS("a page that says 2^63 bytes")) {
        uint64_t *page = worker_page();
        page[2] = 1ull << 63;
        wait_for_end();
    } else if (IS("a page that says that it reads")) {
        uint64_t *page = worker_page();
        page[1] = 0;
        memset(page + 8, 0, 24);
        wait_for_end();
    } else if (IS("a page of another request")) {
        uint64_t *page = worker_page();
        page[0] = 1ull << 40;
        wait_for_end();
    } else if (IS("a page that is cut")) {
        // The file behind the page, as root or its owner finds it.
        char path[128];
        snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (long)worker_page(), (long)worker_page() + 4096);
        if (truncate(path, 0) == 0) write(2, "cut\n", 4);
        wait_for_end();
    } else if (IS("descriptors that are closed")) {
        for (int number = 3; number < 1024; number++) close(number);
        wait_for_end();
    } else if (IS("all descriptors closed")) {
        for (int number = 0; number < 1024; number++) close(number);
        wait_for_end();
    } else if (IS("descriptors closed for good")) {
        for (int number = 0; number < 1024; number++) close(number);
    } else if (IS("another file in place of the socket")) {
        int file = open("/dev/null", O_RDWR);
        dup2(file, worker_socket());
        wait_for_end();
    } else if (IS("a socket that is shut down")) {
        shutdown(worker_socket(), SHUT_RDWR);
        wait_for_end();
    } else if (IS("a child that has the socket")) {
        if (fork() == 0) {
            setsid();
            sleep(3);
            _exit(0);
        }
        _exit(4);
    } else if (IS("children")) {
        for (int number = 0; number < 20; number++)
            if (fork() == 0) {
                sleep(1000);
                _exit(0);
            }
    } else if (IS("a tracer")) {
        pid_t worker = getpid(), program = getppid();
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
        int ready[2];
        char byte;
        if (pipe(ready)) return 1;
        if (fork() == 0) {
            setsid();
            ptrace(PTRACE_SEIZE, worker, NULL, NULL);
            write(ready[1], "", 1);
            // The worker does not end for its parent as long as this is there and does not wait for it.
            while (kill(program, 0) == 0) usleep(10000);
            _exit(0);
        }
        read(ready[0], &byte, 1);
        close(ready[0]);
        close(ready[1]);
    } else if (IS("descriptors left open")) {
        while (open("/dev/null", O_RDONLY) >= 0) {}
    } else if (IS("a limit of descriptors")) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_NOFILE, &none);
    } else if (IS("a stop")) raise(SIGSTOP);
    else return 0;
    return 1;
}

#else

int attack(const char *name) { return 0; }

#endif
