/* What a run file holds: --interval, --leave-out, --precision, --compression. */
#include "cli/common/cli.h"
#include "cli/run/run.h"

#include <math.h>
#include <string.h>

static const struct
{
    const char *name;
    cairn_record group;
} GROUPS[] = {
    {"contacts", CAIRN_RECORD_CONTACTS}, {"velocities", CAIRN_RECORD_VELOCITIES}, {"joints", CAIRN_RECORD_JOINTS}};

static unsigned group_of(const char *name)
{
    for (size_t i = 0; i < sizeof GROUPS / sizeof GROUPS[0]; ++i)
        if (!strcmp(GROUPS[i].name, name))
            return GROUPS[i].group;
    return 0;
}

void cli_run_contents_apply(const cli_run_options *o, cairn_recorder_options *recorder)
{
    if (o->every > 0 || o->interval > 0)
    {
        recorder->every = o->every > 0 ? o->every : 1;
        recorder->interval = o->interval;
    }
    if (o->leave_out.count > 0)
        recorder->leave_out = 0;
    for (int i = 0; i < o->leave_out.count; ++i)
        recorder->leave_out |= group_of(o->leave_out.items[i]);
    if (o->precision)
        recorder->single = !strcmp(o->precision, "single");
    if (!isnan(o->compression))
        recorder->compression = (int)o->compression;
    if (o->checkpoint > 0)
        recorder->checkpoint_interval = o->checkpoint;
    if (o->checkpoint_wall > 0)
        recorder->checkpoint_wall = o->checkpoint_wall;
}

int cli_run_contents_check(const cli_run_options *o)
{
    bool given = o->interval > 0 || o->leave_out.count > 0 || o->precision || o->compression > 0;
    for (int i = 0; i < o->leave_out.count; ++i)
        if (!group_of(o->leave_out.items[i]))
            return cli_wrong("option --leave-out: expected contacts, velocities or joints, found '%s'",
                             o->leave_out.items[i]);
    if (o->precision && strcmp(o->precision, "single") != 0 && strcmp(o->precision, "double") != 0)
        return cli_wrong("option --precision: expected single or double, found '%s'", o->precision);
    if (o->interval > 0 && o->every > 0)
        return cli_wrong("option --interval: --every says already which steps are recorded");
    if (!isnan(o->compression) && o->compression != (int)o->compression)
        return cli_wrong("option --compression: expected a whole number from 0 to 9, found %g", o->compression);
    if (given && !o->output && !o->resume)
        return cli_wrong("options of run files are given, but no run file; name one with -o");
    return CLI_EXIT_DONE;
}
