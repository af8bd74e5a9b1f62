/* Every change of files that a program makes, caught by functions of the names that HDF5 and the library call, to put a file
 * together as a killed writer would have left it: after each write, and within each. Included by one file of a test program. */
#ifndef TEST_SUPPORT_FILE_CHANGES_H
#define TEST_SUPPORT_FILE_CHANGES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

enum
{
    PAGE = 4096,
};

/* One change of the file: bytes written at `offset`, or, without bytes, the file cut or lengthened to `offset`. */
typedef struct change
{
    char *bytes;
    size_t size, offset;
} change;

static struct
{
    bool listening;
    change *changes;
    size_t count, capacity;
} journal;

static void keep_change(const void *bytes, size_t size, off_t offset)
{
    if (!journal.listening)
        return;
    if (journal.count == journal.capacity)
    {
        journal.capacity = 2 * journal.capacity + 64;
        journal.changes = realloc(journal.changes, journal.capacity * sizeof *journal.changes);
        assert_non_null(journal.changes);
    }
    change *next = &journal.changes[journal.count++];
    *next = (change){.bytes = bytes ? malloc(size + 1) : NULL, .size = size, .offset = (size_t)offset};
    if (bytes)
    {
        assert_non_null(next->bytes);
        memcpy(next->bytes, bytes, size);
    }
}

/* The calls HDF5 and the recorder make; they take the place of the system's because they are found first. */
__attribute__((visibility("default"))) ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset)
{
    keep_change(bytes, size, offset);
    return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}

__attribute__((visibility("default"))) int ftruncate(int descriptor, off_t size)
{
    keep_change(NULL, 0, size);
    return (int)syscall(SYS_ftruncate, descriptor, size);
}

static void forget_changes(void)
{
    for (size_t i = 0; i < journal.count; ++i)
        free(journal.changes[i].bytes);
    free(journal.changes);
    memset(&journal, 0, sizeof journal);
}

/* The first `size` bytes of a change, in the file that a killed writer would have left. */
static void apply(int file, const change *next, size_t size)
{
    if (next->bytes)
        assert_int_equal(pwrite(file, next->bytes, size, (off_t)next->offset), size);
    else
        assert_int_equal(ftruncate(file, (off_t)next->offset), 0);
}

/* Where a write is cut: at every page, as local file systems do, and at some other places. */
static size_t next_cut(const change *next, size_t cut)
{
    const size_t others[] = {1, next->size / 2, next->size - 1};
    size_t nearest = next->size;
    size_t page = PAGE - (next->offset + cut) % PAGE + cut;
    nearest = page < nearest ? page : nearest;
    for (int i = 0; i < 3; ++i)
        nearest = others[i] > cut && others[i] < nearest ? others[i] : nearest;
    return nearest;
}

#endif
