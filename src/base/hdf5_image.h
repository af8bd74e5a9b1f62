/* HDF5 files as images in memory: a file is read whole before HDF5 looks at it, and built whole before a byte of it is
 * written by plain calls, so that a full disk fails in one place and leaves nothing behind.
 *
 * Behind the end of the HDF5 file proper, where HDF5 does not look, stand 16 bytes: "cairnsum" and the FNV-1a hash of all
 * bytes before, little-endian. HDF5 checks its metadata but not contiguous data, and its library leaks when it meets
 * damaged metadata; so damage is found before HDF5 is asked. A file without the mark (made or edited by others) is
 * read all the same.
 */
#ifndef CRN_BASE_HDF5_IMAGE_H
#define CRN_BASE_HDF5_IMAGE_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct crn_image
{
    unsigned char *bytes;
    size_t size;
} crn_image;

typedef enum crn_image_format
{
    CRN_IMAGE_SEALED, /* HDF5 1.8, whose metadata carry checksums, and a seal behind the end */
    CRN_IMAGE_GROWING /* HDF5 1.10 without a seal: rows will be appended */
} crn_image_format;

/* Fills an open file; false when something could not be stored. HDF5 prints nothing meanwhile. */
typedef bool crn_image_writer(hid_t file, const void *data);

/* Build the bytes of a file; the caller frees them. False when memory ran out. */
bool crn_image_build(crn_image *built, crn_image_format format, crn_image_writer *writer, const void *data);

/* Open for reading; the bytes are copied. < 0 when it is not an HDF5 file. */
hid_t crn_image_open(void *bytes, size_t size);

/* True when the bytes end with a seal that does not match them. */
bool crn_image_is_damaged(const unsigned char *bytes, size_t size);

#endif
