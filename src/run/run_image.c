/* HDF5's core driver asks for memory through callbacks; ours keep the last block instead of freeing it on close.
 * (H5Fget_file_image would be the plain way, but for superblock version 3 it leaves a wrong checksum.)
 */
#include "run/run_image.h"
#include "run/run_hdf5.h"
#include "run/run_store.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    GROWTH = 65536,      /* bytes */
    SUPERBLOCK_END = 28, /* where superblock versions 2 and 3 hold the end of the file, 8 bytes little-endian */
};

static void *resize(void *bytes, size_t size, H5FD_file_image_op_t operation, void *data)
{
    (void)operation;
    crn_run_image *image = data;
    unsigned char *grown = realloc(bytes, size);
    if (grown)
    {
        image->bytes = grown;
        image->capacity = size;
    }
    return grown;
}

static void *allocate(size_t size, H5FD_file_image_op_t operation, void *data)
{
    return resize(NULL, size, operation, data);
}

static herr_t keep(void *bytes, H5FD_file_image_op_t operation, void *data)
{
    assert(data);
    (void)bytes;
    (void)operation;
    (void)data;
    return 0;
}

static void *same_data(void *data)
{
    return data;
}

static herr_t release_data(void *data)
{
    (void)data;
    return 0;
}

hid_t crn_run_image_create(crn_run_image *image)
{
    *image = (crn_run_image){0};
    H5FD_file_image_callbacks_t calls = {.image_malloc = allocate,
                                         .image_realloc = resize,
                                         .image_free = keep,
                                         .udata_copy = same_data,
                                         .udata_free = release_data,
                                         .udata = image};
    char name[64]; /* no such file is made, but names of open files in memory must differ */
    snprintf(name, sizeof name, "cairn-run-image-%p", (void *)image);
    hid_t access = crn_run_access();
    hid_t file = H5I_INVALID_HID;
    if (access >= 0 && H5Pset_fapl_core(access, GROWTH, false) >= 0 && H5Pset_file_image_callbacks(access, &calls) >= 0)
        file = H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return file;
}

bool crn_run_image_finish(crn_run_image *image)
{
    assert(image);
    if (!image->bytes || image->capacity < SUPERBLOCK_END + 8)
        return false;
    uint64_t end = crn_run_get_number(image->bytes + SUPERBLOCK_END);
    image->size = (size_t)end;
    return end > 0 && end <= image->capacity;
}
