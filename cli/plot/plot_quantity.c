/* Quantities: names to values. One table of components drives parsing, values, units and the list. */
#include "cli/plot/plot_quantity.h"

#include "cli/common/cli.h"
#include "cli/plot/plot_contact.h"
#include "cli/plot/plot_scene.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct component
{
    const char *name, *unit;
    bool planar, spatial;
    size_t offset; /* of the double in a body's state */
} component;

#define AT(field, index) (offsetof(cairn_body_state, field) + (index) * sizeof(double))
#define SPEED            SIZE_MAX /* the only component that is not a field */

static const component components[] = {
    {"x", "m", true, true, AT(position, 0)},
    {"y", "m", true, true, AT(position, 1)},
    {"z", "m", false, true, AT(position, 2)},
    {"vx", "m/s", true, true, AT(velocity, 0)},
    {"vy", "m/s", true, true, AT(velocity, 1)},
    {"vz", "m/s", false, true, AT(velocity, 2)},
    {"speed", "m/s", true, true, SPEED},
    {"angle", "rad", true, false, AT(angle, 0)},
    {"omega", "rad/s", true, false, AT(angular_velocity, 2)},
    {"omega_x", "rad/s", false, true, AT(angular_velocity, 0)},
    {"omega_y", "rad/s", false, true, AT(angular_velocity, 1)},
    {"omega_z", "rad/s", false, true, AT(angular_velocity, 2)},
    {"qw", "", false, true, AT(orientation, 0)},
    {"qx", "", false, true, AT(orientation, 1)},
    {"qy", "", false, true, AT(orientation, 2)},
    {"qz", "", false, true, AT(orientation, 3)},
};
#define COMPONENT_COUNT ((int)(sizeof components / sizeof components[0]))

static bool offered(const component *c, int dimension)
{
    return dimension == 2 ? c->planar : c->spatial;
}

int cli_component_find(const char *name, int dimension)
{
    for (int i = 0; i < COMPONENT_COUNT; ++i)
        if (offered(&components[i], dimension) && strcmp(components[i].name, name) == 0)
            return i;
    return -1;
}

/* Units that say "none" are left away in labels. */
static const char *shown_unit(const char *unit)
{
    bool none = !unit || strcmp(unit, "1") == 0 || strcmp(unit, "-") == 0 || strcmp(unit, "none") == 0;
    return none ? "" : unit;
}

/* Whether a text names a series: as it is, a sensor without its group, or energy.total for energy/total. */
static bool names_series(const char *text, const char *name)
{
    static const char sensors[] = "sensors/";
    bool sensor = strncmp(name, sensors, sizeof sensors - 1) == 0;
    size_t i = 0;
    while (name[i] && (text[i] == name[i] || (text[i] == '.' && name[i] == '/')))
        ++i;
    return (!name[i] && !text[i]) || (sensor && strcmp(name + sizeof sensors - 1, text) == 0);
}

static bool parse_series(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    int count = cairn_run_series_count(run->run);
    for (int i = 0; i < count; ++i)
    {
        const char *name = cairn_run_series_name(run->run, i);
        if (names_series(text, name))
        {
            const char *unit = shown_unit(cairn_run_series_unit(run->run, i));
            *out = (cli_quantity){.kind = CLI_QUANTITY_SERIES, .text = text, .symbol = name, .unit = unit};
            return true;
        }
    }
    return false;
}

/* The component that a part of a vector is: velocity.x is vx. */
static int find_part(const char *field, int dimension)
{
    static const char *const VECTORS[][2] = {{"position.", ""}, {"velocity.", "v"}, {"omega.", "omega_"}};
    char name[16];
    for (int i = 0; i < 3; ++i)
    {
        size_t length = strlen(VECTORS[i][0]);
        if (strncmp(field, VECTORS[i][0], length) != 0 || strlen(field) != length + 1)
            continue;
        snprintf(name, sizeof name, "%s%c", VECTORS[i][1], field[length]);
        return cli_component_find(name, dimension);
    }
    return strcmp(field, "velocity.magnitude") == 0 ? cli_component_find("speed", dimension) : -1;
}

static bool parse_component(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    int body = -1, which = -1;
    for (const char *dot = strchr(text, '.'); dot && which < 0; dot = strchr(dot + 1, '.'))
    {
        body = cli_plot_run_find_body(run, text, (size_t)(dot - text));
        which = body < 0 ? -1 : cli_component_find(dot + 1, run->dimension);
        which = body < 0 || which >= 0 ? which : find_part(dot + 1, run->dimension);
    }
    if (body < 0 || which < 0)
        return false;
    *out = (cli_quantity){.kind = CLI_QUANTITY_COMPONENT,
                          .text = text,
                          .symbol = components[which].name,
                          .unit = components[which].unit,
                          .component = which,
                          .body = body};
    return true;
}

/* The text between two places without the blanks around it. */
static int find_trimmed_body(const cli_plot_run *run, const char *begin, const char *end)
{
    while (begin < end && *begin == ' ')
        ++begin;
    while (end > begin && end[-1] == ' ')
        end--;
    return cli_plot_run_find_body(run, begin, (size_t)(end - begin));
}

/* distance(A,B); names may hold commas themselves, so each comma is tried. */
static bool parse_distance(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    static const char head[] = "distance(";
    size_t length = strlen(text);
    if (strncmp(text, head, sizeof head - 1) != 0 || text[length - 1] != ')')
        return false;
    const char *begin = text + sizeof head - 1, *end = text + length - 1;
    for (const char *comma = begin; comma < end; ++comma)
    {
        if (*comma != ',')
            continue;
        int body = find_trimmed_body(run, begin, comma), other = find_trimmed_body(run, comma + 1, end);
        if (body < 0 || other < 0)
            continue;
        *out = (cli_quantity){.kind = CLI_QUANTITY_DISTANCE,
                              .text = text,
                              .symbol = "distance",
                              .unit = "m",
                              .body = body,
                              .other = other};
        return true;
    }
    return false;
}

/* The numbers at the end of a text, with commas before them: "bar,-1,0" has two and the rest "bar". False when there are
 * not that many. */
static bool trailing_numbers(const char *begin, const char **end, int count, double *out)
{
    for (int i = count - 1; i >= 0; i--)
    {
        const char *comma = *end - 1;
        while (comma > begin && *comma != ',')
            comma--;
        char *stop;
        out[i] = strtod(comma + 1, &stop);
        if (comma == begin || stop == comma + 1 || stop != *end || !isfinite(out[i]))
            return false;
        *end = comma;
    }
    return true;
}

/* point(BODY,x,y).y in the plane, point(BODY,x,y,z).z in space. */
static bool parse_point(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    static const char head[] = "point(";
    const char *dot = strrchr(text, '.'), *begin = text + sizeof head - 1;
    if (strncmp(text, head, sizeof head - 1) != 0 || !dot || dot <= begin || dot[-1] != ')')
        return false;
    int which = cli_component_find(dot + 1, run->dimension);
    double point[3] = {0.0, 0.0, 0.0};
    const char *end = dot - 1;
    if (which < 0 || strlen(dot) != 2 || !trailing_numbers(begin, &end, run->dimension, point))
        return false;
    int body = find_trimmed_body(run, begin, end);
    *out = (cli_quantity){.kind = CLI_QUANTITY_POINT,
                          .text = text,
                          .symbol = components[which].name,
                          .unit = components[which].unit,
                          .component = which,
                          .body = body,
                          .point = {point[0], point[1], point[2]},
                          .dimension = run->dimension};
    return body >= 0;
}

/* Offer every name that could have been meant. */
static void offer_names(const cli_plot_run *run, cairn_suggestion *near)
{
    char name[256];
    for (int i = 0; i < cairn_run_series_count(run->run); ++i)
        cairn_suggestion_offer(near, cairn_run_series_name(run->run, i));
    for (int body = 0; body < run->body_count; ++body)
        for (int i = 0; i < COMPONENT_COUNT; ++i)
            if (offered(&components[i], run->dimension))
            {
                snprintf(name, sizeof name, "%s.%s", cairn_run_body_name(run->run, body), components[i].name);
                cairn_suggestion_offer(near, name);
            }
    cairn_suggestion_offer(near, "positions");
    cairn_suggestion_offer(near, "frames");
    cairn_suggestion_offer(near, "patch");
}

static int refuse(const cli_plot_run *run, const char *text)
{
    cairn_suggestion near = {.word = text};
    offer_names(run, &near);
    const char *hint = near.hint[0] ? near.hint : "; 'cairn plot RUN --list' lists them all";
    if (strncmp(text, "distance", 8) == 0)
        hint = "; distance(A,B) takes two bodies of the run";
    else if (strncmp(text, "point(", 6) == 0)
        hint = "; point(BODY,x,y).x takes a body of the run, the coordinates of a point in its frame, and x, y or z";
    else if (cli_contact_quantity_meant(text))
        hint = "; force(A,B).x and element(A,B,K).x take two bodies of the run and x, y or z; an element also normal, "
               "friction and share";
    return cli_wrong("'%s' is neither a file nor a quantity of run '%s'%s", text, run->path, hint);
}

int cli_quantity_parse(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    bool found = parse_series(run, text, out) || parse_component(run, text, out) || parse_distance(run, text, out) ||
                 parse_point(run, text, out) || cli_contact_quantity_parse(run, text, out);
    return found ? 0 : refuse(run, text);
}

static double field(const cairn_body_state *state, size_t offset)
{
    double value;
    assert(offset + sizeof value <= sizeof *state);
    memcpy(&value, (const char *)state + offset, sizeof value);
    return value;
}

static double length(double x, double y, double z)
{
    return hypot(hypot(x, y), z); /* hypot does not overflow on the way */
}

double cli_component_value(int index, const cairn_body_state *state)
{
    assert(index >= 0 && index < COMPONENT_COUNT);
    size_t offset = components[index].offset;
    return offset == SPEED ? length(state->velocity[0], state->velocity[1], state->velocity[2]) : field(state, offset);
}

void cli_component_set(int index, cairn_body_state *state, double value)
{
    assert(index >= 0 && index < COMPONENT_COUNT && components[index].offset != SPEED);
    memcpy((char *)state + components[index].offset, &value, sizeof value);
}

const char *cli_component_unit(int index)
{
    assert(index >= 0 && index < COMPONENT_COUNT);
    return components[index].unit;
}

double cli_quantity_value(const cli_quantity *quantity, const cairn_body_state *states)
{
    const cairn_body_state *a = &states[quantity->body];
    assert(quantity->kind != CLI_QUANTITY_SERIES && quantity->kind != CLI_QUANTITY_CONTACT);
    if (quantity->kind == CLI_QUANTITY_DISTANCE)
    {
        const double *p = a->position, *q = states[quantity->other].position;
        return length(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    }
    if (quantity->kind == CLI_QUANTITY_POINT)
    {
        cairn_body_state there = *a;
        cli_plot_world_point(quantity->dimension, a, quantity->point, there.position);
        return cli_component_value(quantity->component, &there);
    }
    return cli_component_value(quantity->component, a);
}

static int fill_series(cli_plot_run *run, const char *name, int64_t begin, int64_t every, double *column, int64_t rows)
{
    double *all = cli_allocate((size_t)run->frame_count + 1, sizeof *all);
    cairn_status status = cairn_run_read_series(run->run, name, all);
    for (int64_t row = 0; row < rows && status == CAIRN_OK; ++row)
        column[row] = all[begin + row * every];
    free(all);
    return status == CAIRN_OK ? 0 : cli_plot_report(run->context, status);
}

static bool of_states(const cli_quantity *quantity)
{
    return quantity->kind != CLI_QUANTITY_SERIES && quantity->kind != CLI_QUANTITY_CONTACT;
}

/* All columns of contact forces, one frame after another. */
static int fill_contacts(cli_plot_run *run, const cli_quantity *quantities, int count, int64_t begin, int64_t every,
                         double *values, int64_t rows)
{
    double *h = cli_allocate((size_t)run->frame_count + 1, sizeof *h);
    int result = cli_contact_steps(run, h);
    for (int64_t row = 0; row < rows && result == 0; ++row)
    {
        const cairn_contact *contacts;
        int64_t frame = begin + row * every;
        int found;
        cairn_status status = cairn_run_read_contacts(run->run, frame, &contacts, &found);
        result = status == CAIRN_OK ? 0 : cli_plot_report(run->context, status);
        for (int q = 0; q < count && result == 0; ++q)
            if (quantities[q].kind == CLI_QUANTITY_CONTACT)
                values[q * rows + row] = cli_contact_quantity_value(&quantities[q], contacts, found, h[frame]);
    }
    free(h);
    return result;
}

/* All columns that need body states, one frame after another. */
static int fill_states(cli_plot_run *run, const cli_quantity *quantities, int count, int64_t begin, int64_t every,
                       double *values, int64_t rows)
{
    for (int64_t row = 0; row < rows; ++row)
    {
        int status = cli_plot_run_read(run, begin + row * every);
        if (status != 0)
            return status;
        for (int q = 0; q < count; ++q)
            if (of_states(&quantities[q]))
                values[q * rows + row] = cli_quantity_value(&quantities[q], run->states);
    }
    return 0;
}

int cli_quantity_table(cli_plot_run *run, const cli_quantity *quantities, int count, const cli_selection *selection,
                       double **values, int64_t *rows)
{
    int64_t begin, end;
    bool any_states = false, any_contacts = false;
    int status = 0;
    assert(selection->every >= 1 && count >= 1);
    cli_plot_run_span(run, selection, &begin, &end);
    *rows = (end - begin + selection->every - 1) / selection->every;
    *values = cli_allocate((size_t)*rows * (size_t)count + 1, sizeof **values);
    for (int q = 0; q < count && status == 0 && *rows > 0; ++q)
    {
        if (quantities[q].kind == CLI_QUANTITY_SERIES)
            status = fill_series(run, quantities[q].symbol, begin, selection->every, *values + q * *rows, *rows);
        any_states = any_states || of_states(&quantities[q]);
        any_contacts = any_contacts || quantities[q].kind == CLI_QUANTITY_CONTACT;
    }
    if (status == 0 && any_states)
        status = fill_states(run, quantities, count, begin, selection->every, *values, *rows);
    if (status == 0 && any_contacts)
        status = fill_contacts(run, quantities, count, begin, selection->every, *values, *rows);
    return status;
}

void cli_quantity_list(const cli_plot_run *run, FILE *stream)
{
    fprintf(stream, "%s: %lld frames, %d bodies\n", run->path, (long long)run->frame_count, run->body_count);
    fputs("recorded series:\n", stream);
    for (int i = 0; i < cairn_run_series_count(run->run); ++i)
    {
        const char *unit = shown_unit(cairn_run_series_unit(run->run, i));
        fprintf(stream, "  %-32s %s\n", cairn_run_series_name(run->run, i), unit);
    }
    fputs("of each body, as BODY.QUANTITY:\n", stream);
    for (int i = 0; i < COMPONENT_COUNT; ++i)
        if (offered(&components[i], run->dimension))
            fprintf(stream, "  .%-31s %s\n", components[i].name, components[i].unit);
    fprintf(stream, "of a point of a body:\n  %-32s m\n",
            run->dimension == 3 ? "point(BODY,x,y,z).x" : "point(BODY,x,y).x");
    fputs("of two bodies:\n  distance(A,B)                    m\n", stream);
    fprintf(stream, "of contacts:\n  %-32s N\n  %-32s N\n  %-32s N\n", "BODY.contact_force.x", "force(A,B).x",
            "element(A,B,K).normal");
    fputs("pictures:\n  positions\n  frames\n  patch\nbodies:\n", stream);
    for (int i = 0; i < run->body_count; ++i)
        fprintf(stream, "  %s\n", cairn_run_body_name(run->run, i));
}

void cli_quantity_list_json(const cli_plot_run *run, cli_json *json)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "run", run->path);
    cli_json_integer(json, "frames", run->frame_count);
    cli_json_open(json, "series", '{');
    for (int i = 0; i < cairn_run_series_count(run->run); ++i)
        cli_json_text(json, cairn_run_series_name(run->run, i), shown_unit(cairn_run_series_unit(run->run, i)));
    cli_json_close(json, '}');
    cli_json_open(json, "components", '{');
    for (int i = 0; i < COMPONENT_COUNT; ++i)
        if (offered(&components[i], run->dimension))
            cli_json_text(json, components[i].name, components[i].unit);
    cli_json_close(json, '}');
    cli_json_open(json, "bodies", '[');
    for (int i = 0; i < run->body_count; ++i)
        cli_json_text(json, NULL, cairn_run_body_name(run->run, i));
    cli_json_close(json, ']');
    cli_json_close(json, '}');
}
