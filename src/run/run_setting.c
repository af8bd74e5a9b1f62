/* Reading settings: the file has one attribute per row of the library's table, a text or a single number. */
#include "base/context.h"
#include "run/run_reader.h"
#include "step/settings/settings.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

static bool read_number(hid_t file, const char *name, double *number)
{
    hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : -1;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : -1;
    bool numeric = type >= 0 && (H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT);
    bool good = numeric && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, H5T_NATIVE_DOUBLE, number) >= 0;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return good;
}

bool cairn_run_setting(const cairn_run *run, const char *name, char *text, size_t size)
{
    double number;
    assert(text && size > 0);
    if (size == 0)
        return false;
    text[0] = '\0';
    crn_quiet before = crn_quiet_begin();
    bool good = crn_run_get_text_attribute(run->file, name, text, size);
    if (!good && read_number(run->file, name, &number))
    {
        snprintf(text, size, "%.12g", number);
        good = true;
    }
    crn_quiet_end(before);
    return good;
}

/* Numbers are stored directly: a conversion to text and back could lose digits. */
static cairn_status read_setting(const cairn_run *run, const cairn_setting *setting, cairn_settings *out)
{
    char text[256];
    double number;
    crn_quiet before = crn_quiet_begin();
    bool numeric = read_number(run->file, setting->name, &number);
    bool there = numeric || crn_run_get_text_attribute(run->file, setting->name, text, sizeof text);
    crn_quiet_end(before);
    if (!there)
        return CAIRN_OK;
    if (!numeric)
        return cairn_settings_set(run->context, out, setting->name, text);
    bool whole = setting->type != CAIRN_SETTING_COUNT || (number == floor(number) && fabs(number) <= INT_MAX);
    if (setting->word || isnan(number) || !whole)
        return crn_fail(run->context, CAIRN_INVALID, "'%s': setting %s cannot be %g", run->path, setting->name, number);
    crn_setting_put(setting, number, out);
    return CAIRN_OK;
}

cairn_status cairn_run_settings(const cairn_run *run, cairn_settings *out)
{
    cairn_status status = CAIRN_OK;
    *out = cairn_settings_default();
    for (int i = 0; i < cairn_setting_count() && !status; ++i)
        status = read_setting(run, cairn_setting_at(i), out);
    return status ? status : cairn_settings_check(run->context, out);
}
