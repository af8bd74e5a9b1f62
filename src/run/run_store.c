#include "run/run_store.h"
#include "base/hash.h"
#include "base/memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
    HEAD_SIZE = 16, /* of a change: address and size */
    FOOTER_SIZE = 24,
    ATTEMPTS = 20, /* to read the file between two commits */
};
static const char MAGIC[8] = {'c', 'a', 'i', 'r', 'n', 'l', 'o', 'g'};

uint64_t crn_run_get_number(const unsigned char bytes[8])
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; --i)
        value = value << 8 | bytes[i];
    return value;
}

static void put_number(unsigned char bytes[8], uint64_t value)
{
    for (int i = 0; i < 8; ++i)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

/* ---------------------------------------------------------------------------------------------- plain calls */

/* Read up to the end of the file, and return the number of bytes; -1 when reading failed. */
static ssize_t read_at(int descriptor, uint64_t address, size_t size, unsigned char *bytes)
{
    assert(bytes || size == 0);
    size_t done = 0;
    while (done < size)
    {
        ssize_t got = pread(descriptor, bytes + done, size - done, (off_t)(address + done));
        if (got == 0 || (got < 0 && errno != EINTR))
            return got < 0 ? -1 : (ssize_t)done;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

/* Writing beyond the limit on the size of files would end the process by a signal. */
static bool within_limit(uint64_t end)
{
    struct rlimit limit;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur)
    {
        errno = EFBIG;
        return false;
    }
    return true;
}

static bool write_at(int descriptor, uint64_t address, size_t size, const unsigned char *bytes)
{
    assert(bytes || size == 0);
    bool good = within_limit(address + size);
    for (size_t done = 0; good && done < size;)
    {
        ssize_t wrote = pwrite(descriptor, bytes + done, size - done, (off_t)(address + done));
        good = wrote >= 0 || errno == EINTR;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return good;
}

/* -------------------------------------------------------------------------------------------------- journal */

/* Append a change to the journal and return the place of its bytes; NULL when memory ran out. */
static unsigned char *add_change(crn_run_store *store, uint64_t address, size_t size)
{
    size_t at = store->used + HEAD_SIZE;
    if (crn_reserve(&store->changes, &store->change_capacity, store->change_count + 1, sizeof *store->changes) ||
        crn_reserve(&store->journal, &store->capacity, at + size + FOOTER_SIZE, 1))
        return NULL;
    put_number(store->journal + store->used, address);
    put_number(store->journal + store->used + 8, size);
    store->changes[store->change_count++] = (crn_run_change){.address = address, .size = size, .at = at};
    store->used = at + size;
    assert(store->used + FOOTER_SIZE <= store->capacity);
    return store->journal + at;
}

/* List the changes of a journal that was read; false when it is damaged. */
static bool list_changes(crn_run_store *store, size_t size)
{
    assert(size <= store->capacity);
    store->used = 0;
    store->change_count = 0;
    while (store->used < size)
    {
        if (size - store->used < HEAD_SIZE)
            return false;
        uint64_t address = crn_run_get_number(store->journal + store->used);
        uint64_t bytes = crn_run_get_number(store->journal + store->used + 8);
        if (bytes > size - store->used - HEAD_SIZE || !add_change(store, address, (size_t)bytes))
            return false;
    }
    return true;
}

/* Read the journal at the end of a file of this length; false when there is none. */
static bool load_journal(crn_run_store *store, uint64_t length)
{
    unsigned char footer[FOOTER_SIZE];
    if (length < FOOTER_SIZE || read_at(store->descriptor, length - FOOTER_SIZE, FOOTER_SIZE, footer) != FOOTER_SIZE ||
        memcmp(footer, MAGIC, sizeof MAGIC) != 0)
        return false;
    uint64_t size = crn_run_get_number(footer + 8);
    if (size > length - FOOTER_SIZE || crn_reserve(&store->journal, &store->capacity, (size_t)size + FOOTER_SIZE, 1) ||
        read_at(store->descriptor, length - FOOTER_SIZE - size, (size_t)size, store->journal) != (ssize_t)size ||
        crn_hash(store->journal, (size_t)size) != crn_run_get_number(footer + 16))
        return false;
    if (!list_changes(store, (size_t)size))
    {
        store->used = store->change_count = 0; /* an incomplete journal does not count */
        return false;
    }
    return true;
}

/* --------------------------------------------------------------------------------------------------- public */

uint64_t crn_run_store_length(const crn_run_store *store)
{
    struct stat info;
    return fstat(store->descriptor, &info) || !S_ISREG(info.st_mode) ? 0 : (uint64_t)info.st_size;
}

/* Read the length and the journal of the same moment: a writer may cut off its journal meanwhile. */
static void refresh(crn_run_store *store)
{
    for (int i = 0; i < ATTEMPTS; ++i)
    {
        store->base = store->end = crn_run_store_length(store);
        store->used = store->change_count = 0;
        if (load_journal(store, store->base) || crn_run_store_length(store) == store->base)
            return;
        store->used = store->change_count = 0;
    }
}

static bool is_regular(int descriptor)
{
    struct stat info;
    bool regular = !fstat(descriptor, &info) && S_ISREG(info.st_mode);
    errno = regular ? errno : EINVAL;
    return regular;
}

crn_run_store *crn_run_store_open(const char *path, bool writable)
{
    crn_run_store *store = calloc(1, sizeof *store);
    if (!store)
        return NULL;
    store->writable = writable;
    store->descriptor = open(path, (writable ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC);
    if (store->descriptor < 0 || !is_regular(store->descriptor))
    {
        int error = errno;
        crn_run_store_close(store);
        errno = error;
        return NULL;
    }
    refresh(store);
    return store;
}

void crn_run_store_close(crn_run_store *store)
{
    if (!store || store->attached)
        return;
    if (store->descriptor >= 0)
        close(store->descriptor);
    free(store->changes);
    free(store->journal);
    free(store);
}

/* Read bytes of the file with the changes applied. */
static bool read_changed(const crn_run_store *store, uint64_t address, size_t size, unsigned char *bytes)
{
    ssize_t got = read_at(store->descriptor, address, size, bytes);
    if (got < 0)
        return false;
    memset(bytes + got, 0, size - (size_t)got);
    for (size_t i = 0; i < store->change_count; ++i)
    {
        const crn_run_change *change = &store->changes[i];
        assert(change->at + change->size <= store->used);
        uint64_t end = change->address + change->size;
        uint64_t first = change->address > address ? change->address : address;
        uint64_t last = end < address + size ? end : address + size;
        if (first < last)
        {
            memcpy(bytes + (first - address), store->journal + change->at + (first - change->address),
                   (size_t)(last - first));
        }
    }
    return true;
}

/* While there is a journal the file is longer. When the length is the same before and after a read, no commit came in between. */
bool crn_run_store_read(crn_run_store *store, uint64_t address, size_t size, void *bytes)
{
    assert(bytes || size == 0);
    bool good = false;
    for (int i = 0; i < ATTEMPTS; ++i)
    {
        if (!store->writable && crn_run_store_length(store) != store->base)
            refresh(store);
        good = read_changed(store, address, size, bytes);
        if (store->writable || crn_run_store_length(store) == store->base)
            break;
    }
    return good;
}

/* The place of an earlier change of the same bytes, or of a new change. Later changes win where they overlap, so an earlier place
 * is reused only when no later change overlaps it. */
static unsigned char *place_of(crn_run_store *store, uint64_t address, size_t size)
{
    assert(store->writable);
    for (size_t i = store->change_count; i-- > 0;)
    {
        const crn_run_change *change = &store->changes[i];
        if (change->address == address && change->size == size)
            return store->journal + change->at;
        if (change->address < address + size && address < change->address + change->size)
            break;
    }
    return add_change(store, address, size);
}

void crn_run_store_write(crn_run_store *store, bool raw, uint64_t address, size_t size, const void *bytes)
{
    assert(store->writable);
    assert(bytes || size == 0);
    if ((raw && !store->journals_rows) || address >= store->base)
    {
        if (!store->error && !write_at(store->descriptor, address, size, bytes))
            store->error = errno;
        return;
    }
    unsigned char *place = place_of(store, address, size);
    if (place)
        memcpy(place, bytes, size);
    else if (!store->error)
        store->error = ENOMEM;
}

static bool write_journal(crn_run_store *store)
{
    assert(store->change_count > 0);
    unsigned char *footer = store->journal + store->used;
    memcpy(footer, MAGIC, sizeof MAGIC);
    put_number(footer + 8, store->used);
    put_number(footer + 16, crn_hash(store->journal, store->used));
    /* A file that becomes shorter still needs, until the commit, what it has. */
    uint64_t behind = store->end > store->base ? store->end : store->base;
    return write_at(store->descriptor, behind, store->used + FOOTER_SIZE, store->journal);
}

static bool make_changes(const crn_run_store *store)
{
    bool good = true;
    for (size_t i = 0; i < store->change_count && good; ++i)
    {
        const crn_run_change *change = &store->changes[i];
        good = write_at(store->descriptor, change->address, change->size, store->journal + change->at);
    }
    return good;
}

bool crn_run_store_commit(crn_run_store *store)
{
    assert(store->writable);
    assert(!store->attached);
    if (!store->error && store->change_count > 0)
    {
        assert(store->capacity >= store->used + FOOTER_SIZE);
        store->error = write_journal(store) ? 0 : errno;
    }
    if (store->error)
    {
        int ignored = ftruncate(store->descriptor, (off_t)store->base);
        (void)ignored;
        errno = store->error;
        return false;
    }
    /* From here on the changes are valid; applying them only spares readers the journal. */
    return make_changes(store) && !ftruncate(store->descriptor, (off_t)store->end);
}

bool crn_run_store_recover(crn_run_store *store, uint64_t end_at)
{
    assert(store->writable);
    assert(!store->attached);
    unsigned char end[8];
    bool good = make_changes(store);
    if (good && store->change_count > 0)
        good = !ftruncate(store->descriptor, (off_t)(store->base - store->used - FOOTER_SIZE));
    good = good && read_at(store->descriptor, end_at, sizeof end, end) == (ssize_t)sizeof end;
    if (good && crn_run_get_number(end) < crn_run_store_length(store))
        good = !ftruncate(store->descriptor, (off_t)crn_run_get_number(end));
    int error = errno;
    refresh(store);
    errno = error;
    return good;
}
