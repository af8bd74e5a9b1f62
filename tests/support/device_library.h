/* The device's library in tests: its twin for the processor, or the one that CAIRN_GPU_LIBRARY names, on a device. */
#ifndef CAIRN_TESTS_SUPPORT_DEVICE_LIBRARY_H
#define CAIRN_TESTS_SUPPORT_DEVICE_LIBRARY_H

#include "gpu/interface.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE_TWIN CAIRN_BUILD_DIR "/libcairn_gpu_twin.so"

/* Whether there is a library to test: without a C++ compiler there is no twin, and tests return 77. */
static inline bool device_is_there(void)
{
    return getenv("CAIRN_GPU_LIBRARY") || !access(DEVICE_TWIN, R_OK);
}

/* Group set-up: simulations find the twin, unless another library is chosen. */
static inline int device_choose(void **state)
{
    (void)state;
    return setenv("CAIRN_GPU_LIBRARY", DEVICE_TWIN, 0);
}

/* The library's own functions; NULL: it cannot be opened, or also claims a version that it does not know. */
static inline const crn_gpu_table *device_table(void)
{
    const char *given = getenv("CAIRN_GPU_LIBRARY");
    void *library = dlopen(given ? given : DEVICE_TWIN, RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "crn_gpu_table_of") : NULL;
    crn_gpu_table_fn *table_of;
    memcpy(&table_of, &found, sizeof found);
    return table_of && !table_of(CRN_GPU_VERSION + 1) ? table_of(CRN_GPU_VERSION) : NULL;
}

#endif
