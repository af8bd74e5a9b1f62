/* A file built in memory. HDF5 cannot give up a file whose writes fail, so a new run file is made in memory and its
 * bytes are written by plain calls: on a full disk these fail cleanly and with the right reason.
 */
#ifndef CRN_RUN_RUN_IMAGE_H
#define CRN_RUN_RUN_IMAGE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct crn_run_image
{
    unsigned char *bytes; /* owned; NULL when memory ran out */
    size_t capacity;
    size_t size; /* of the file, at most capacity */
} crn_run_image;

/* A new file in memory whose bytes are in *image once it is closed. */
hid_t crn_run_image_create(crn_run_image *image);
/* To be called after the file was closed: finds the file's size. */
bool crn_run_image_finish(crn_run_image *image);

#endif
