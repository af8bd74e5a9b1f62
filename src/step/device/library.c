/* The library of a device is opened when a simulation asks for it: the one that an environment variable names if that is set, otherwise the one beside
 * this library (or the tool), otherwise wherever the loader finds it. It stays open. */
#include "step/simulation.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct place
{
    const char *word, *file, *variable;
} PLACES[] = {[CAIRN_DEVICE_GPU] = {"gpu", "libcairn_gpu.so", "CAIRN_GPU_LIBRARY"},
              [CAIRN_DEVICE_RANKS] = {"ranks", "libcairn_processor.so", "CAIRN_PROCESSOR_LIBRARY"}};

cairn_status crn_device_fail(const cairn_simulation *s, cairn_status status, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return crn_fail(s->context, status, "device %s: %s", PLACES[s->settings.device].word, text);
}

static void *open_beside(const char *name)
{
    Dl_info here;
    char path[4096];
    const crn_gpu_table *(*self)(cairn_context *, cairn_device) = crn_device_library;
    void *address;
    memcpy(&address, &self, sizeof address);
    const char *slash = dladdr(address, &here) && here.dli_fname ? strrchr(here.dli_fname, '/') : NULL;
    if (!slash)
        return NULL;
    int used = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - here.dli_fname), here.dli_fname, name);
    return used > 0 && (size_t)used < sizeof path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
}

static void *open_any(const char *given, const char *name)
{
    if (given)
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    void *beside = open_beside(name);
    return beside ? beside : dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

const crn_gpu_table *crn_device_library(cairn_context *context, cairn_device kind)
{
    const struct place *place = &PLACES[kind];
    const char *given = getenv(place->variable);
    given = given && given[0] ? given : NULL;
    void *library = open_any(given, place->file);
    if (!library)
    {
        crn_fail(context, CAIRN_IO, "device %s: the library '%s' cannot be opened: %s", place->word,
                 given ? given : place->file, dlerror());
        return NULL;
    }
    crn_gpu_table_fn *table_of = NULL;
    void *found = dlsym(library, "crn_gpu_table_of");
    memcpy(&table_of, &found, sizeof found);
    const crn_gpu_table *table = table_of ? table_of(CRN_GPU_VERSION) : NULL;
    if (!table)
        crn_fail(context, CAIRN_IO, "device %s: '%s' is not the device's library of this version of Cairn", place->word,
                 given ? given : place->file);
    return table;
}
