#include "cli/common/assembly.h"

#include <stdio.h>

enum
{
    MOST_LINES = 20
};

static const double STILL = 1e-12; /* m or rad: a body that moved less has not moved */

static void print_bodies(const cairn_assembly *assembly, const cairn_model *model)
{
    int shown = 0, more = 0;
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_assembly_move move = cairn_assembly_body(assembly, body);
        if (move.moved <= STILL && move.turned <= STILL)
            continue;
        if (shown++ < MOST_LINES)
            printf("                '%s' moved %.3g m, turned %.3g rad\n", cairn_model_body_name(model, body),
                   move.moved, move.turned);
        else
            ++more;
    }
    if (more > 0)
        printf("                ... and %d more; --json prints all\n", more);
}

void cli_assembly_print(const cairn_assembly *assembly, const cairn_model *model, bool bodies)
{
    if (!assembly)
        return;
    cairn_assembly_report r = cairn_assembly_result(assembly);
    printf("  assembly      %s in %d iteration%s, joint error %.2e (%.2e before)",
           r.assembled ? "done" : "impossible; closest", r.iterations, r.iterations == 1 ? "" : "s", r.error,
           r.error_before);
    if (!r.assembled)
        printf(", largest at joint '%s'", cairn_model_joint_name(model, r.worst));
    if (r.moved > STILL && !bodies)
        printf("; '%s' moved most, %.3g m", cairn_model_body_name(model, r.most_moved), r.moved);
    if (r.turned > STILL && !bodies)
        printf("; '%s' turned most, %.3g rad", cairn_model_body_name(model, r.most_turned), r.turned);
    if (r.change > 0)
        printf("; change of velocities %.3g J", r.change);
    putchar('\n');
    if (r.branch_changes > 0)
        printf("                it changed its branch %d time%s on the way: give an initial value to choose another\n",
               r.branch_changes, r.branch_changes == 1 ? "" : "s");
    if (bodies)
        print_bodies(assembly, model);
}

static void put_bodies(cli_json *json, const cairn_assembly *assembly, const cairn_model *model)
{
    int dimension = cairn_model_dimension(model);
    cli_json_open(json, "bodies", '{');
    for (int i = 0; i < cairn_model_body_count(model); ++i)
    {
        cairn_body body = cairn_model_body(model, i);
        cairn_assembly_move move = cairn_assembly_body(assembly, body);
        if (cairn_model_body_kind(model, body) != CAIRN_DYNAMIC)
            continue;
        cli_json_open(json, cairn_model_body_name(model, body), '{');
        cli_json_numbers(json, "position", move.state.position, dimension);
        if (dimension == 2)
            cli_json_number(json, "angle", move.state.angle);
        else
            cli_json_numbers(json, "orientation", move.state.orientation, 4);
        cli_json_number(json, "moved", move.moved);
        cli_json_number(json, "turned", move.turned);
        cli_json_number(json, "velocity_change", move.velocity_change);
        cli_json_number(json, "spin_change", move.spin_change);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

static void put_joints(cli_json *json, const cairn_assembly *assembly, const cairn_model *model)
{
    cli_json_open(json, "joints", '{');
    for (int j = 0; j < cairn_model_joint_count(model); ++j)
    {
        cairn_joint joint = cairn_model_joint(model, j);
        cairn_assembly_error error = cairn_assembly_joint(assembly, joint);
        cli_json_open(json, cairn_model_joint_name(model, joint), '{');
        cli_json_number(json, "error_before", error.before);
        cli_json_number(json, "error", error.after);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}

void cli_assembly_put(cli_json *json, const cairn_assembly *assembly, const cairn_model *model)
{
    if (!assembly)
        return;
    cairn_assembly_report r = cairn_assembly_result(assembly);
    cli_json_open(json, "assembly", '{');
    cli_json_bool(json, "assembled", r.assembled);
    cli_json_bool(json, "consistent", r.consistent);
    cli_json_integer(json, "iterations", r.iterations);
    cli_json_integer(json, "branch_changes", r.branch_changes);
    cli_json_number(json, "error_before", r.error_before);
    cli_json_number(json, "error", r.error);
    cli_json_number(json, "rate_error", r.rate_error);
    cli_json_text(json, "worst", r.worst.id ? cairn_model_joint_name(model, r.worst) : NULL);
    cli_json_number(json, "moved", r.moved);
    cli_json_text(json, "most_moved", r.most_moved.id ? cairn_model_body_name(model, r.most_moved) : NULL);
    cli_json_number(json, "turned", r.turned);
    cli_json_text(json, "most_turned", r.most_turned.id ? cairn_model_body_name(model, r.most_turned) : NULL);
    cli_json_number(json, "change", r.change);
    put_bodies(json, assembly, model);
    put_joints(json, assembly, model);
    cli_json_close(json, '}');
}

void cli_freedoms_print(const cairn_freedoms *freedoms, const int *redundant, const cairn_model *model)
{
    printf("  freedom       %d degree%s of freedom: %d of the bodies less %d equations", freedoms->degrees,
           freedoms->degrees == 1 ? "" : "s", freedoms->bodies, freedoms->equations);
    if (freedoms->redundant > 0)
        printf(", of which %d %s redundant", freedoms->redundant, freedoms->redundant == 1 ? "is" : "are");
    int shown = 0;
    for (int j = 0; j < cairn_model_joint_count(model); ++j)
        if (redundant[j] > 0 && shown++ < MOST_LINES)
            printf("%s'%s' %d", shown == 1 ? " (joint " : ", ",
                   cairn_model_joint_name(model, cairn_model_joint(model, j)), redundant[j]);
    printf("%s%s\n", shown > MOST_LINES ? ", ..." : "", shown > 0 ? ")" : "");
}

void cli_freedoms_put(cli_json *json, const cairn_freedoms *freedoms, const int *redundant, const cairn_model *model)
{
    cli_json_open(json, "freedoms", '{');
    cli_json_integer(json, "degrees", freedoms->degrees);
    cli_json_integer(json, "bodies", freedoms->bodies);
    cli_json_integer(json, "equations", freedoms->equations);
    cli_json_integer(json, "redundant", freedoms->redundant);
    cli_json_open(json, "redundant_by_joint", '{');
    for (int j = 0; j < cairn_model_joint_count(model); ++j)
        if (redundant[j] > 0)
            cli_json_integer(json, cairn_model_joint_name(model, cairn_model_joint(model, j)), redundant[j]);
    cli_json_close(json, '}');
    cli_json_close(json, '}');
}
