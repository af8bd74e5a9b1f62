#include "cli/main/inertia.h"

#include "cli/common/cli.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether the coordinates of a joint are just what it leaves free. */
static bool is_counted(cairn_joint_kind kind)
{
    static const cairn_joint_kind KINDS[] = {CAIRN_JOINT_REVOLUTE,    CAIRN_JOINT_PRISMATIC, CAIRN_JOINT_UNIVERSAL,
                                             CAIRN_JOINT_CYLINDRICAL, CAIRN_JOINT_PLANAR,    CAIRN_JOINT_GIMBAL,
                                             CAIRN_JOINT_DOUBLE_HINGE};
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; ++i)
        if (kind == KINDS[i])
            return true;
    return false;
}

cairn_status cli_inertia_compute(cairn_simulation *simulation, cli_inertia *out)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    size_t most = 3 * (size_t)cairn_model_joint_count(model) + 1;
    *out = (cli_inertia){.coordinates = cli_allocate(most, sizeof *out->coordinates)};
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
    {
        cairn_joint joint = cairn_model_joint(model, i);
        for (int k = 0;
             is_counted(cairn_model_joint_kind(model, joint)) && k < cairn_model_coordinate_count(model, joint); ++k)
            out->coordinates[out->count++] = (cairn_coordinate){joint, k};
    }
    out->matrix = cli_allocate((size_t)out->count * (size_t)out->count + 1, sizeof *out->matrix);
    return cairn_simulation_inertia(simulation, out->coordinates, out->count, out->matrix);
}

void cli_inertia_free(cli_inertia *inertia)
{
    free(inertia->coordinates);
    free(inertia->matrix);
}

static void write_name(const cairn_model *model, const cairn_coordinate *c, char *out, size_t size)
{
    snprintf(out, size, "%s.%s", cairn_model_joint_name(model, c->joint),
             cairn_model_coordinate_name(model, c->joint, c->index));
}

void cli_inertia_put(cli_json *json, const cli_inertia *inertia, const cairn_model *model)
{
    cli_json_open(json, "inertia", '{');
    cli_json_open(json, "coordinates", '[');
    for (int i = 0; i < inertia->count; ++i)
    {
        char name[256];
        write_name(model, &inertia->coordinates[i], name, sizeof name);
        cli_json_text(json, NULL, name);
    }
    cli_json_close(json, ']');
    cli_json_open(json, "matrix", '[');
    for (int i = 0; i < inertia->count; ++i)
        cli_json_numbers(json, NULL, inertia->matrix + (ptrdiff_t)i * inertia->count, inertia->count);
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}

void cli_inertia_print(const cli_inertia *inertia, const cairn_model *model)
{
    for (int i = 0; i < inertia->count; ++i)
    {
        char name[256];
        write_name(model, &inertia->coordinates[i], name, sizeof name);
        printf("  %-13s %-24s", i == 0 ? "inertia" : "", name);
        for (int k = 0; k < inertia->count; ++k)
            printf(" %12.6g", inertia->matrix[i * inertia->count + k]);
        printf("\n");
    }
}
