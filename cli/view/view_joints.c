#include "cli/view/view_joints.h"

#include <math.h>
#include <string.h>

static const char *const DRIVE_NAME[] = {NULL, "position", "speed", "force"};

static void put_side(cli_json *json, const char *key, int side, const double direction[3])
{
    cli_json_open(json, key, '{');
    cli_json_integer(json, "side", side);
    cli_json_numbers(json, "direction", direction, 3);
    cli_json_close(json, '}');
}

/* Numbers that say nothing, limits without end and zeros, are left out. */
static void put_coordinate(cli_json *json, const cairn_coordinate_info *c, double target)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "name", c->name);
    cli_json_text(json, "unit", c->is_angle ? "rad" : "m");
    if (c->axis[0] != 0 || c->axis[1] != 0 || c->axis[2] != 0)
        put_side(json, "axis", c->axis_side, c->axis);
    if (c->zero[0] != 0 || c->zero[1] != 0 || c->zero[2] != 0)
    {
        put_side(json, "zero", c->zero_side, c->zero);
        put_side(json, "needle", c->needle_side, c->needle);
    }
    const struct
    {
        const char *key;
        double value;
        bool told;
    } numbers[] = {{"lower", c->lower, isfinite(c->lower)},
                   {"upper", c->upper, isfinite(c->upper)},
                   {"friction", c->friction, c->friction > 0},
                   {"stiffness", c->stiffness, c->stiffness > 0},
                   {"damping", c->damping, c->damping > 0},
                   {"target", target, c->drive != CAIRN_DRIVE_NONE},
                   {"limit", c->drive_limit, c->drive != CAIRN_DRIVE_NONE && isfinite(c->drive_limit)}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        if (numbers[i].told)
            cli_json_number(json, numbers[i].key, numbers[i].value);
    if (c->drive != CAIRN_DRIVE_NONE)
        cli_json_text(json, "drive", DRIVE_NAME[c->drive]);
    cli_json_close(json, '}');
}

void cli_view_put_joints(cli_json *json, const cairn_model *model, cli_view_map map)
{
    cli_json_open(json, "joints", '[');
    for (int i = 0; i < cairn_model_joint_count(model); ++i)
    {
        cairn_joint joint = cairn_model_joint(model, i);
        cairn_attachment ends[2];
        cli_joint_ends(model, joint, ends);
        cli_json_open(json, NULL, '{');
        cli_view_put_link(json, cairn_model_joint_name(model, joint), cairn_model_joint_type(model, joint), ends, map);
        cli_json_open(json, "coordinates", '[');
        for (int k = 0; k < cairn_model_coordinate_count(model, joint); ++k)
        {
            cairn_coordinate_info info = cairn_model_coordinate_info(model, joint, k);
            put_coordinate(json, &info, cairn_model_target(model, joint, k, 0.0));
        }
        cli_json_close(json, ']');
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

/* --------------------------------------------------------------------------------------------------------- symbols */

static void put_line(cli_json *json, const cli_mechanism *mechanism, const cli_symbol *symbol)
{
    cli_json_numbers(json, "points", mechanism->points[symbol->first], 3 * symbol->count);
    if (symbol->closed)
        cli_json_bool(json, "closed", true);
}

static void put_symbol(cli_json *json, const cli_mechanism *mechanism, const cli_symbol *symbol, cli_view_map map)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "kind", cli_symbol_kind_name[symbol->kind]);
    cli_json_text(json, "role", cli_symbol_role_name[symbol->role]);
    cli_json_integer(json, "joint", symbol->joint);
    cli_json_integer(json, "body", cli_view_frame_body(map, symbol->body));
    if (symbol->kind == CLI_SYMBOL_LINE)
        put_line(json, mechanism, symbol);
    else
        cli_json_numbers(json, "from", symbol->from, 3);
    if (symbol->kind == CLI_SYMBOL_ROD || symbol->kind == CLI_SYMBOL_BLOCK || symbol->kind == CLI_SYMBOL_TIE)
        cli_json_numbers(json, "to", symbol->to, 3);
    if (symbol->kind == CLI_SYMBOL_BLOCK)
        cli_json_numbers(json, "side", symbol->side, 3);
    if (symbol->kind == CLI_SYMBOL_TIE)
        cli_json_integer(json, "other", cli_view_frame_body(map, symbol->other));
    if (symbol->radius > 0)
        cli_json_number(json, "radius", symbol->radius);
    if (symbol->length > 0)
        cli_json_number(json, "length", symbol->length);
    cli_json_close(json, '}');
}

void cli_view_put_symbols(cli_json *json, const cli_mechanism *mechanism, cli_view_map map)
{
    json->digits = 7;
    cli_json_number(json, "symbol_unit", mechanism->unit);
    cli_json_open(json, "symbols", '[');
    for (int i = 0; i < mechanism->symbol_count; ++i)
        put_symbol(json, mechanism, &mechanism->symbols[i], map);
    cli_json_close(json, ']');
    json->digits = 0;
}

/* --------------------------------------------------------------------------------------------------- a live simulation */

/* Reaction on b (3), moment (3), then per coordinate: value, rate, and the forces of drive, spring, friction, limits, and the target. */
void cli_view_put_joint_states(cli_json *json, const cli_view_live *live)
{
    int count = cairn_model_joint_count(live->model);
    double t = cairn_simulation_time(live->simulation);
    json->digits = 9;
    cli_json_open(json, "joints", '[');
    for (int i = 0; i < count && i < CLI_VIEW_MOST_JOINTS; ++i)
    {
        cairn_joint joint = cairn_model_joint(live->model, i);
        cairn_joint_state s = cairn_simulation_joint_state(live->simulation, joint);
        double all[6 + 7 * 3];
        int used = 6;
        memcpy(all, s.force, sizeof s.force);
        memcpy(all + 3, s.moment, sizeof s.moment);
        for (int k = 0; k < s.coordinate_count; ++k)
        {
            double one[7] = {s.coordinate[k],
                             s.rate[k],
                             s.drive[k],
                             s.spring[k],
                             s.friction[k],
                             s.limit[k],
                             cairn_model_target(live->model, joint, k, t)};
            memcpy(all + used, one, sizeof one);
            used += 7;
        }
        cli_json_numbers(json, NULL, all, used);
    }
    cli_json_close(json, ']');
    json->digits = 0;
}
