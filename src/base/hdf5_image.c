#include "base/hdf5_image.h"

#include "base/hash.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SEAL_SIZE = 16
};

static void seal(const unsigned char *bytes, size_t size, unsigned char mark[SEAL_SIZE])
{
    uint64_t hash = crn_hash(bytes, size);
    memcpy(mark, "cairnsum", 8);
    for (int i = 0; i < 8; ++i)
        mark[8 + i] = (unsigned char)(hash >> 8 * i);
}

bool crn_image_is_damaged(const unsigned char *bytes, size_t size)
{
    unsigned char mark[SEAL_SIZE];
    if (size < SEAL_SIZE)
        return false;
    seal(bytes, size - SEAL_SIZE, mark);
    const unsigned char *found = bytes + size - SEAL_SIZE;
    return memcmp(found, mark, 8) == 0 && memcmp(found, mark, SEAL_SIZE) != 0;
}

/* File access for a file that lives in memory: HDF5's core driver without backing store; < 0 when memory ran out. */
static hid_t memory_access(H5F_libver_t version)
{
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(plist, 65536, false) < 0 || H5Pset_libver_bounds(plist, version, version) < 0)
    {
        H5Pclose(plist);
        return -1;
    }
    return plist;
}

/* HDF5 distinguishes files in memory by name alone: an address that belongs to the caller makes the name unique. */
static void memory_name(const void *unique, char *name, size_t size)
{
    snprintf(name, size, "cairn-image-%p", unique);
}

hid_t crn_image_open(void *bytes, size_t size)
{
    char name[64];
    memory_name(bytes, name, sizeof name);
    hid_t access = memory_access(H5F_LIBVER_V18);
    hid_t file = H5Pset_file_image(access, bytes, size) >= 0 ? H5Fopen(name, H5F_ACC_RDONLY, access) : -1;
    H5Pclose(access);
    return file;
}

/* HDF5 allocates and releases the memory of the file through the calls below, which keep it when the file is closed.
 * (H5Fget_file_image would do, but its copy has a wrong checksum in the superblock.) */
static void *image_resize(void *bytes, size_t size, H5FD_file_image_op_t operation, void *data)
{
    crn_image *kept = data;
    void *grown = realloc(bytes, size);
    (void)operation;
    if (grown)
        *kept = (crn_image){grown, size};
    return grown;
}

static void *image_allocate(size_t size, H5FD_file_image_op_t operation, void *data)
{
    return image_resize(NULL, size, operation, data);
}

static herr_t image_keep(void *bytes, H5FD_file_image_op_t operation, void *data)
{
    assert(data);
    (void)bytes;
    (void)operation;
    (void)data;
    return 0;
}

static void *image_data(void *data)
{
    return data;
}

static herr_t image_data_done(void *data)
{
    (void)data;
    return 0;
}

static bool keep_image(hid_t access, crn_image *kept)
{
    H5FD_file_image_callbacks_t calls = {.image_malloc = image_allocate,
                                         .image_memcpy = NULL,
                                         .image_realloc = image_resize,
                                         .image_free = image_keep,
                                         .udata_copy = image_data,
                                         .udata_free = image_data_done,
                                         .udata = kept};
    return H5Pset_file_image_callbacks(access, &calls) >= 0;
}

/* Memory grows in pieces. Superblocks of versions 2 and 3 hold the end of the file proper at byte 28, little-endian. */
static size_t file_end(const crn_image *built)
{
    uint64_t end = 0;
    for (int i = 35; built->size > 48 && i >= 28; --i)
        end = end << 8 | built->bytes[i];
    assert(end <= built->size);
    return (size_t)end;
}

/* Cut the memory to the file, and add the seal. */
static bool finish_image(crn_image *built, bool sealed)
{
    size_t end = file_end(built), size = end + (sealed ? SEAL_SIZE : 0);
    unsigned char *bytes = end > 0 ? realloc(built->bytes, size) : NULL;
    if (!bytes)
        return false;
    if (sealed)
        seal(bytes, end, bytes + end);
    *built = (crn_image){bytes, size};
    return true;
}

/* HDF5's printing must be off. */
static bool build(crn_image *built, crn_image_format format, crn_image_writer *writer, const void *data)
{
    char name[64];
    memory_name(built, name, sizeof name);
    hid_t access = memory_access(format == CRN_IMAGE_SEALED ? H5F_LIBVER_V18 : H5F_LIBVER_V110);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t file = -1;
    if (keep_image(access, built) && H5Pset_obj_track_times(creation, false) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, creation, access);
    bool done = file >= 0 && writer(file, data);
    done = H5Fclose(file) >= 0 && done;
    H5Pclose(creation);
    H5Pclose(access);
    return done && finish_image(built, format == CRN_IMAGE_SEALED);
}

bool crn_image_build(crn_image *built, crn_image_format format, crn_image_writer *writer, const void *data)
{
    assert(built && writer);
    bool done = false;
    *built = (crn_image){0};
    H5E_BEGIN_TRY
    {
        done = build(built, format, writer, data);
    }
    H5E_END_TRY
    if (!done)
    {
        free(built->bytes);
        *built = (crn_image){0};
    }
    return done;
}
