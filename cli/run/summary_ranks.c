#include "cli/run/summary_ranks.h"

#include <inttypes.h>
#include <stdio.h>

static const double MEGABYTE = 1e6;

static double steps_of(const cairn_ranks_tally *tally)
{
    return tally->steps > 0 ? (double)tally->steps : 1.0;
}

void cli_run_ranks_print(cairn_simulation *simulation)
{
    cairn_ranks_tally t = cairn_simulation_ranks(simulation);
    double steps = steps_of(&t);
    if (t.ranks == 0)
        return;
    printf("  ranks         %d, each with the same work to within %.1f %% after the last of %" PRId64
           " rebuilds, %" PRId64 " with new borders; %" PRId64 " moves of bodies\n",
           t.ranks, 100 * (t.balance - 1), t.rebuilds, t.cuts, t.moved);
    if (t.ranks == 1)
        return;
    printf("                the busiest rank of a step had up to %.3f times the mean work, in %" PRId64
           " steps more than 1.15 times\n",
           t.most_uneven, t.uneven_steps);
    printf("                per step: %.1f messages and %.0f bytes of the busiest rank, %.1f reductions\n",
           (double)t.most_messages / steps, (double)t.most_bytes / steps, (double)t.reductions / steps);
    printf("                memory: %.0f MB of process 0, up to %.0f MB of the others\n", (double)t.memory / MEGABYTE,
           (double)t.most_memory / MEGABYTE);
}

void cli_run_ranks_put(cli_json *json, cairn_simulation *simulation)
{
    cairn_ranks_tally t = cairn_simulation_ranks(simulation);
    double steps = steps_of(&t);
    if (t.ranks == 0)
        return;
    cli_json_open(json, "ranks", '{');
    cli_json_integer(json, "count", t.ranks);
    cli_json_number(json, "balance", t.balance);
    cli_json_number(json, "most_uneven", t.most_uneven);
    cli_json_integer(json, "uneven_steps", t.uneven_steps);
    cli_json_integer(json, "rebuilds", t.rebuilds);
    cli_json_integer(json, "cuts", t.cuts);
    cli_json_integer(json, "moved", t.moved);
    cli_json_integer(json, "ghosts", t.ghosts);
    cli_json_integer(json, "neighbours", t.neighbours);
    cli_json_number(json, "messages_per_step", (double)t.most_messages / steps);
    cli_json_number(json, "bytes_per_step", (double)t.most_bytes / steps);
    cli_json_number(json, "reductions_per_step", (double)t.reductions / steps);
    cli_json_integer(json, "memory", t.memory);
    cli_json_integer(json, "memory_of_others", t.most_memory);
    cli_json_close(json, '}');
}
