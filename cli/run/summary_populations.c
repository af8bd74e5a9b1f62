/* The summary's lines about populations whose grains come and go. */
#include "cli/run/summary_populations.h"

#include <inttypes.h>
#include <stdio.h>

/* Whether something came, left or waits. */
static bool flows(const cairn_population_flow *flow, int size)
{
    return flow->inserted > 0 || flow->removed > 0 || flow->postponed > 0 || flow->present < size;
}

void cli_run_populations_print(const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    for (int i = 0; i < cairn_model_population_count(model); ++i)
    {
        cairn_population_flow flow = cairn_simulation_population(simulation, i);
        int size = cairn_model_population_size(model, i);
        if (!flows(&flow, size))
            continue;
        printf("  population    %s: %d of %d grains are there; %" PRId64 " came in (%.4g kg), %" PRId64
               " were removed (%.4g kg)\n",
               cairn_model_population_name(model, i), flow.present, size, flow.inserted, flow.mass_in, flow.removed,
               flow.mass_out);
        if (flow.postponed > 0)
            printf("                in %" PRId64 " steps a grain that was due found no free place and had to wait\n",
                   flow.postponed);
    }
}

void cli_run_populations_put(cli_json *json, const cairn_simulation *simulation)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    if (cairn_model_population_count(model) == 0)
        return;
    cli_json_open(json, "populations", '{');
    for (int i = 0; i < cairn_model_population_count(model); ++i)
    {
        cairn_population_flow flow = cairn_simulation_population(simulation, i);
        cli_json_open(json, cairn_model_population_name(model, i), '{');
        cli_json_integer(json, "size", cairn_model_population_size(model, i));
        cli_json_integer(json, "present", flow.present);
        cli_json_integer(json, "inserted", flow.inserted);
        cli_json_integer(json, "removed", flow.removed);
        cli_json_integer(json, "postponed", flow.postponed);
        cli_json_number(json, "mass_in", flow.mass_in);
        cli_json_number(json, "mass_out", flow.mass_out);
        cli_json_number(json, "energy_in", flow.energy_in);
        cli_json_number(json, "energy_out", flow.energy_out);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}
