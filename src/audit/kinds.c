/* Names and units of violations. */
#include "cairn/audit.h"

#include <string.h>

typedef struct crn_violation_text
{
    const char *name, *unit;
} crn_violation_text;

static const crn_violation_text TEXT[CAIRN_VIOLATION_KINDS] = {
    [CAIRN_VIOLATION_RESTITUTION] = {"restitution", "m/s"},
    [CAIRN_VIOLATION_PULL] = {"pull", "m/s"},
    [CAIRN_VIOLATION_FRICTION] = {"friction", "m/s"},
    [CAIRN_VIOLATION_ENERGY] = {"energy", "J"},
    [CAIRN_VIOLATION_MOMENTUM] = {"momentum", "m/s"},
    [CAIRN_VIOLATION_JUMP] = {"jump", "m/s"},
    [CAIRN_VIOLATION_PENETRATION] = {"penetration", "m"},
    [CAIRN_VIOLATION_PROJECTION] = {"projection", "m"},
    [CAIRN_VIOLATION_BOOK] = {"book", "J"},
    [CAIRN_VIOLATION_NOT_FINITE] = {"not-finite", "m/s"},
};

static bool is_kind(cairn_violation_kind kind)
{
    return (int)kind >= 0 && (int)kind < CAIRN_VIOLATION_KINDS;
}

const char *cairn_violation_name(cairn_violation_kind kind)
{
    return is_kind(kind) ? TEXT[kind].name : "unknown";
}

const char *cairn_violation_unit(cairn_violation_kind kind)
{
    return is_kind(kind) ? TEXT[kind].unit : "1";
}

bool cairn_violation_parse(const char *text, cairn_violation_kind *out)
{
    for (int kind = 0; kind < CAIRN_VIOLATION_KINDS; ++kind)
    {
        if (!strcmp(text, TEXT[kind].name))
        {
            *out = (cairn_violation_kind)kind;
            return true;
        }
    }
    return false;
}
