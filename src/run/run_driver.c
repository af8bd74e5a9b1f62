#include "run/run_driver.h"
#include "run/run_hdf5.h"

#include <assert.h>
#include <stdlib.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

static const haddr_t LARGEST = (haddr_t)INT64_MAX;

/* Passed to driver_open through the access properties. */
typedef struct driver_data
{
    crn_run_store *store;
} driver_data;

typedef struct driver_file
{
    H5FD_t public; /* HDF5's own part; must be first */
    crn_run_store *store;
    haddr_t end; /* of what HDF5 has allocated */
} driver_file;

static crn_run_store *store_of(const H5FD_t *file)
{
    return ((const driver_file *)(const void *)file)->store;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t largest)
{
    (void)name;
    (void)flags;
    (void)largest;
    const driver_data *data = H5Pget_driver_info(access);
    driver_file *file = data ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->store = data->store;
    file->store->attached = true;
    return &file->public;
}

static herr_t driver_close(H5FD_t *file)
{
    assert(store_of(file)->attached);
    store_of(file)->attached = false;
    free(file);
    return 0;
}

/* HDF5's metadata accumulator is left out: a reader that reads again must not get the bytes of its first attempt. */
static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

/* A reader during a commit may know the old end of the file and a new dataset behind it: it may read the whole file. */
static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    const driver_file *mine = (const driver_file *)(const void *)file;
    return mine->store->writable ? mine->end : crn_run_store_length(mine->store);
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((driver_file *)(void *)file)->end = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return store_of(file)->end;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *bytes)
{
    assert(bytes || size == 0);
    (void)type;
    (void)transfer;
    return crn_run_store_read(store_of(file), address, size, bytes) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *bytes)
{
    assert(store_of(file)->writable);
    assert(bytes || size == 0);
    (void)transfer;
    crn_run_store *store = store_of(file);
    crn_run_store_write(store, type == H5FD_MEM_DRAW, address, size, bytes);
    store->end = address + size > store->end ? address + size : store->end;
    return 0;
}

/* Make the file end where the allocated space ends. */
static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)transfer;
    (void)closing;
    store_of(file)->end = ((const driver_file *)(const void *)file)->end;
    return 0;
}

static hid_t register_driver(void)
{
    H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
        .version = H5FD_CLASS_VERSION,
        .value = (H5FD_class_value_t)(H5_VFD_RESERVED + 1),
#endif
        .name = "cairn-run",
        .maxaddr = LARGEST,
        .fc_degree = H5F_CLOSE_STRONG,
        .fapl_size = sizeof(driver_data),
        .open = driver_open,
        .close = driver_close,
        .query = driver_query,
        .get_eoa = driver_get_eoa,
        .set_eoa = driver_set_eoa,
        .get_eof = driver_get_eof,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    return H5FDregister(&driver);
}

hid_t crn_run_driver_open(crn_run_store *store, bool writable, hid_t *driver)
{
    assert(!store->attached);
    assert(!writable || store->writable);
    assert(store && driver);
    *driver = register_driver();
    hid_t access = crn_run_access();
    driver_data data = {store};
    hid_t file = H5I_INVALID_HID;
    if (*driver >= 0 && access >= 0 && H5Pset_driver(access, *driver, &data) >= 0)
        file = H5Fopen("cairn-run", writable ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

bool crn_run_driver_close(hid_t file, hid_t driver)
{
    bool good = file < 0 || H5Fclose(file) >= 0;
    if (driver >= 0)
        H5FDunregister(driver);
    return good;
}
