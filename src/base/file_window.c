#include "base/file_window.h"

#include "base/hash.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool crn_window_open(crn_file_window *window, const char *path)
{
    struct stat about;
    *window =
        (crn_file_window){.descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)}; /* a pipe does not block */
    if (window->descriptor < 0)
        return false;
    bool is_known = fstat(window->descriptor, &about) == 0, is_regular = is_known && S_ISREG(about.st_mode);
    if (is_regular && (window->bytes = malloc(CRN_WINDOW)))
    {
        window->size = (size_t)about.st_size;
        return true;
    }
    int error = is_known && !is_regular ? 0 : errno;
    crn_window_close(window);
    errno = error;
    return false;
}

bool crn_window_share(const crn_file_window *window, crn_file_window *out)
{
    assert(window->descriptor >= 0);
    *out = (crn_file_window){.descriptor = fcntl(window->descriptor, F_DUPFD_CLOEXEC, 0), .size = window->size};
    if (out->descriptor >= 0 && (out->bytes = malloc(CRN_WINDOW)))
        return true;
    int error = errno;
    crn_window_close(out);
    errno = error;
    return false;
}

void crn_window_close(crn_file_window *window)
{
    if (window->descriptor >= 0)
        close(window->descriptor);
    free(window->bytes);
    *window = (crn_file_window){.descriptor = -1};
}

/* Move the window to a place of the file. */
static bool slide(crn_file_window *window, size_t at)
{
    window->first = at;
    window->count = 0;
    while (window->count < CRN_WINDOW && at + window->count < window->size)
    {
        ssize_t got = pread(window->descriptor, window->bytes + window->count, CRN_WINDOW - window->count,
                            (off_t)(at + window->count));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        window->count += got > 0 ? (size_t)got : 0;
    }
    return window->count > 0;
}

/* What the window has from a place on; it is moved there if need be. NULL: nothing. */
static const unsigned char *look(crn_file_window *window, size_t at, size_t *count)
{
    bool has = at >= window->first && at < window->first + window->count;
    if (!has && !slide(window, at))
        return NULL;
    *count = window->first + window->count - at;
    return window->bytes + (at - window->first);
}

bool crn_window_read(void *data, size_t at, void *bytes, size_t size)
{
    crn_file_window *window = data;
    assert(window->descriptor >= 0);
    for (size_t done = 0, count; done < size; done += count)
    {
        const unsigned char *from = look(window, at + done, &count);
        if (!from)
            return false;
        count = count < size - done ? count : size - done;
        memcpy((unsigned char *)bytes + done, from, count);
    }
    return true;
}

bool crn_window_hash(crn_file_window *window, size_t at, size_t size, uint64_t *hash)
{
    for (size_t done = 0, count; done < size; done += count)
    {
        const unsigned char *from = look(window, at + done, &count);
        if (!from)
            return false;
        count = count < size - done ? count : size - done;
        *hash = crn_hash_more(*hash, from, count);
    }
    return true;
}
