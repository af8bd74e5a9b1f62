/* HDF5 on top of a store of bytes: a file driver (H5FD) that hands every read and write to the store it was given.
 *
 * A driver is registered anew for each file and known by nobody else, so that no two files opened through it are taken
 * for one by HDF5: readers and a recorder in one process do not meet.
 */
#ifndef CRN_RUN_RUN_DRIVER_H
#define CRN_RUN_RUN_DRIVER_H

#include "run/run_store.h"

#include <hdf5.h>

/* Open the HDF5 file in a store, which must live until the file is closed; negative when it cannot be opened. The driver
 * it goes through is needed until the file is closed, and comes in *driver, always. */
hid_t crn_run_driver_open(crn_run_store *store, bool writable, hid_t *driver);

/* Close the file, when there is one, and then its driver: HDF5 1.10 still looks at the driver when it has let go of it. */
bool crn_run_driver_close(hid_t file, hid_t driver);

#endif
