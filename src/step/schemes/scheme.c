/* Lookup of schemes. */
#include "step/schemes/scheme.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const crn_scheme *crn_scheme_of(cairn_integrator integrator)
{
    for (int i = 0; crn_schemes[i]; ++i)
        if (i == (int)integrator)
            return crn_schemes[i];
    return NULL;
}

const char *crn_scheme_word(int index)
{
    const crn_scheme *scheme = crn_scheme_of((cairn_integrator)index);
    return scheme ? scheme->name : NULL;
}

bool crn_is_second_order(cairn_integrator integrator)
{
    const crn_scheme *scheme = crn_scheme_of(integrator);
    assert(scheme && scheme->jump_growth >= 1.0 && (scheme->order < 2 || scheme->storm_scheme));
    return scheme->order >= 2;
}

crn_scheme_names crn_list_schemes(bool (*satisfies)(const crn_scheme *scheme))
{
    crn_scheme_names names = {""};
    const char *last = NULL;
    for (int i = 0; crn_schemes[i]; ++i)
        last = satisfies(crn_schemes[i]) ? crn_schemes[i]->name : last;
    for (int i = 0; crn_schemes[i]; ++i)
    {
        const char *name = crn_schemes[i]->name;
        size_t used = strlen(names.text);
        if (satisfies(crn_schemes[i]))
            snprintf(names.text + used, sizeof names.text - used, "%s%s",
                     used == 0      ? ""
                     : name == last ? " or "
                                    : ", ",
                     name);
    }
    return names;
}

static bool is_first_order(const crn_scheme *scheme)
{
    return scheme->order < 2;
}

crn_scheme_names crn_list_first_order(void)
{
    return crn_list_schemes(is_first_order);
}

int cairn_integrator_order(cairn_integrator integrator)
{
    const crn_scheme *scheme = crn_scheme_of(integrator);
    return scheme ? scheme->order : 0;
}

const char *cairn_integrator_name(cairn_integrator integrator)
{
    const char *name = crn_scheme_word((int)integrator);
    return name ? name : "unknown";
}

bool cairn_integrator_parse(const char *text, cairn_integrator *out)
{
    for (int i = 0; text && crn_schemes[i]; ++i)
    {
        if (strcmp(text, crn_schemes[i]->name) == 0)
        {
            *out = (cairn_integrator)i;
            return true;
        }
    }
    return false;
}
