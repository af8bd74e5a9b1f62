#include "solve/auto/methods.h"

#include <assert.h>
#include <string.h>

#define CRN_ENTRY(KIND, name) [CAIRN_SOLVER_##KIND] = &crn_method_##name,
static const crn_method *const METHODS[CAIRN_SOLVER_KINDS] = {CRN_METHODS(CRN_ENTRY)};
#undef CRN_ENTRY

static const char *const FORCES[] = {
    [CAIRN_FORCES_AUTO] = "auto",
    [CAIRN_FORCES_ANY] = "any",
    [CAIRN_FORCES_MINIMUM_NORM] = "minimum-norm",
    [CAIRN_FORCES_MINIMUM_ENERGY] = "minimum-energy",
    [CAIRN_FORCES_MAXIMUM_ENERGY] = "maximum-energy",
};
static const int FORCES_COUNT = sizeof FORCES / sizeof FORCES[0];

const crn_method *crn_method_of(cairn_solver_kind kind)
{
    return (int)kind >= 0 && kind < CAIRN_SOLVER_KINDS ? METHODS[kind] : NULL;
}

const char *crn_solver_word(int index)
{
    const crn_method *method = crn_method_of((cairn_solver_kind)index);
    return method ? method->name : index == CAIRN_SOLVER_AUTO ? "auto" : index == CAIRN_SOLVER_LEMKE ? "lemke" : NULL;
}

const char *cairn_solver_kind_name(cairn_solver_kind kind)
{
    const char *name = crn_solver_word((int)kind);
    return name ? name : "unknown";
}

bool cairn_solver_kind_parse(const char *text, cairn_solver_kind *out)
{
    for (int i = 0; text && crn_solver_word(i); ++i)
    {
        if (strcmp(text, crn_solver_word(i)) == 0)
        {
            *out = (cairn_solver_kind)i;
            return true;
        }
    }
    return false;
}

const char *crn_forces_word(int index)
{
    return index >= 0 && index < FORCES_COUNT ? FORCES[index] : NULL;
}

const char *cairn_forces_name(cairn_forces forces)
{
    const char *name = crn_forces_word((int)forces);
    return name ? name : "unknown";
}

void *crn_workshop_get(crn_workshop *workshop, cairn_solver_kind kind)
{
    assert(crn_method_of(kind));
    if (!workshop->workspace[kind])
        workshop->workspace[kind] = METHODS[kind]->create();
    return workshop->workspace[kind];
}

void crn_workshop_release(crn_workshop *workshop)
{
    for (int kind = 0; kind < CAIRN_SOLVER_KINDS; ++kind)
    {
        if (workshop->workspace[kind])
        {
            METHODS[kind]->destroy(workshop->workspace[kind]);
            workshop->workspace[kind] = NULL;
        }
    }
}
