/* Run files that were cut short, for example by an interrupted copy: find the first frames that are whole.
 *
 * A run is written in the order of time. The beginning of its file therefore holds the first frames, and the metadata that
 * lead to them. A row is present when its chunk lies within the file; HDF5 reports the place of each chunk. The driver
 * (run_driver.c) refuses to read beyond the end of the file, so that missing bytes are not taken for zeros.
 */
#include "run/run_reader.h"

#include <assert.h>

/* True when all chunks of the rows from `first` on are in the file. */
static bool chunks_there(const cairn_run *run, hid_t dataset, const hsize_t extents[3], const hsize_t chunk[3],
                         hsize_t first)
{
    assert(chunk[0] > 0 && chunk[1] > 0 && chunk[2] > 0);
    assert(first < extents[0]);
    bool there = true;
    for (hsize_t j = 0; j < (extents[1] ? extents[1] : 1) && there; j += chunk[1])
    {
        for (hsize_t k = 0; k < (extents[2] ? extents[2] : 1) && there; k += chunk[2])
        {
            hsize_t at[3] = {first, j, k}, size = 0;
            unsigned mask;
            haddr_t address = HADDR_UNDEF;
            there = H5Dget_chunk_info_by_coord(dataset, at, &mask, &address, &size) >= 0 && address != HADDR_UNDEF &&
                    address <= run->store->base && size <= run->store->base - address;
        }
    }
    return there;
}

hsize_t crn_run_rows_there(const cairn_run *run, hid_t dataset, const hsize_t extents[3])
{
    hsize_t chunk[3] = {1, 1, 1}, row = 0;
    hid_t properties = H5Dget_create_plist(dataset);
    bool chunked =
        properties >= 0 && H5Pget_layout(properties) == H5D_CHUNKED && H5Pget_chunk(properties, 3, chunk) > 0;
    if (properties >= 0)
        H5Pclose(properties);
    while (chunked && row < extents[0] && chunks_there(run, dataset, extents, chunk, row))
        row += chunk[0];
    return row < extents[0] ? row : extents[0];
}
