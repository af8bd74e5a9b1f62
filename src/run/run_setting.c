/* Settings are attributes of the file: texts and single numbers. */
#include "run/run_reader.h"

#include <assert.h>
#include <stdio.h>

static bool read_number(hid_t file, const char *name, char *text, size_t size)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    double number;
    bool numeric = type >= 0 && (H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT);
    bool good = numeric && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
    if (good)
        snprintf(text, size, "%.12g", number);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

bool cairn_run_setting(const cairn_run *run, const char *name, char *text, size_t size)
{
    assert(text && size > 0);
    if (size == 0)
        return false;
    text[0] = '\0';
    crn_quiet before = crn_quiet_begin();
    bool good = crn_run_get_text_attribute(run->file, name, text, size) || read_number(run->file, name, text, size);
    crn_quiet_end(before);
    return good;
}
