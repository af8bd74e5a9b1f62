/* HDF5 on top of a store of bytes: a file driver (H5FD) that hands every read and write to the store it was given.
 *
 * Each file gets a newly registered driver of its own. Otherwise HDF5 would take two files opened through the same driver for
 * one, and readers and a recorder in one process would disturb each other.
 */
#ifndef CRN_RUN_RUN_DRIVER_H
#define CRN_RUN_RUN_DRIVER_H

#include "run/run_store.h"

#include <hdf5.h>

/* Open the HDF5 file in a store, which must live until the file is closed; negative when it cannot be opened. *driver is always
 * set, and needed to close the file. */
hid_t crn_run_driver_open(crn_run_store *store, bool writable, hid_t *driver);

/* Close the file, unless it is negative, and then its driver: HDF5 1.10 still uses a driver that was unregistered before. */
bool crn_run_driver_close(hid_t file, hid_t driver);

#endif
