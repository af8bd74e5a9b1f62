/* The device's library is opened when a simulation asks for it: CAIRN_GPU_LIBRARY if that is set, otherwise libcairn_gpu.so beside this library (or the
 * tool), otherwise wherever the loader finds it. It stays open. */
#include "base/context.h"
#include "step/device/device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char NAME[] = "libcairn_gpu.so";

static void *open_beside(void)
{
    Dl_info here;
    char path[4096];
    const crn_gpu_table *(*self)(cairn_context *) = crn_device_library;
    void *address;
    memcpy(&address, &self, sizeof address);
    const char *slash = dladdr(address, &here) && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
    if (!slash)
        return NULL;
    int used = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - here.dli_fname), here.dli_fname, NAME);
    return used > 0 && (size_t)used < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *open_any(const char *given)
{
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    void *beside = open_beside();
    return beside ? beside : dlopen(NAME, RTLD_NOW | RTLD_LOCAL);
}

const crn_gpu_table *crn_device_library(cairn_context *context)
{
    const char *given = getenv("CAIRN_GPU_LIBRARY");
    given = given && given[0] ? given : NULL;
    void *library = open_any(given);
    if (!library)
    {
        crn_fail(context, CAIRN_IO, "device gpu: the library '%s' cannot be opened: %s", given ? given : NAME,
                 dlerror());
        return NULL;
    }
    crn_gpu_table_fn *table_of = NULL;
    void *found = dlsym(library, "crn_gpu_table_of");
    memcpy(&table_of, &found, sizeof found);
    const crn_gpu_table *table = table_of ? table_of(CRN_GPU_VERSION) : NULL;
    if (!table)
        crn_fail(context, CAIRN_IO, "device gpu: '%s' is not the device's library of this version of Cairn",
                 given ? given : NAME);
    return table;
}
