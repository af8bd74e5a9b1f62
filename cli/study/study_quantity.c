/* What a study compares: norms over all dynamic bodies, or one number of the final state. */
#include "cli/common/cli.h"
#include "cli/plot/plot_quantity.h"
#include "cli/study/study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct
{
    const char *name;
    cli_measure kind;
} NORMS[] = {
    {"position", CLI_MEASURE_POSITION},
    {"velocity", CLI_MEASURE_VELOCITY},
    {"orientation", CLI_MEASURE_ORIENTATION},
    {"energy", CLI_MEASURE_ENERGY},
};
enum
{
    NORM_COUNT = (int)(sizeof NORMS / sizeof NORMS[0])
};

/* --------------------------------------------------------------------------------------------------------- names */

/* -1 when there is none of that name. */
static int find_body(const cairn_model *model, const char *name)
{
    cairn_body body = cairn_model_find_body(model, name);
    return body.id ? cairn_model_body_index(model, body) : -1;
}

static bool parse_component(const cairn_model *model, const char *text, cli_study_quantity *out)
{
    const char *dot = strrchr(text, '.');
    char *name = dot ? cli_text("%.*s", (int)((size_t)(dot - text)), text) : NULL;
    out->kind = CLI_MEASURE_COMPONENT;
    out->body = name ? find_body(model, name) : -1;
    out->component = dot ? cli_component_find(dot + 1, cairn_model_dimension(model)) : -1;
    free(name);
    return out->body >= 0 && out->component >= 0;
}

/* A name of a pair: a body, or "world". */
static bool parse_end(const cairn_model *model, const char *name, int *out)
{
    *out = find_body(model, name);
    return *out >= 0 || !strcmp(name, "world");
}

/* distance(A,B) and theta(A,B,L). */
static bool parse_pair(const cairn_model *model, const char *text, cli_study_quantity *out)
{
    char a[64], b[64], length[32];
    int used = 0;
    if (sscanf(text, "distance(%63[^,],%63[^,)])%n", a, b, &used) == 2 && used == (int)strlen(text))
    {
        out->kind = CLI_MEASURE_DISTANCE;
        return parse_end(model, a, &out->body) && parse_end(model, b, &out->other);
    }
    used = 0;
    if (sscanf(text, "theta(%63[^,],%63[^,],%31[^,)])%n", a, b, length, &used) == 3 && used == (int)strlen(text))
    {
        out->kind = CLI_MEASURE_THETA;
        return parse_end(model, a, &out->body) && parse_end(model, b, &out->other) &&
               cli_study_number(length, &out->length);
    }
    return false;
}

static bool parse_norm(const char *text, cli_study_quantity *out)
{
    for (int i = 0; i < NORM_COUNT; ++i)
    {
        if (!strcmp(text, NORMS[i].name))
        {
            out->kind = NORMS[i].kind;
            return true;
        }
    }
    return false;
}

/* Any other quantity of one number. */
static bool parse_named(const cairn_model *model, const char *text, cli_study_quantity *out)
{
    cairn_quantity found;
    out->kind = CLI_MEASURE_NAMED;
    bool known = !cairn_quantity_find(NULL, model, text, &found) && found.count == 1;
    out->unit = known ? found.unit : "";
    return known;
}

static void offer(void *data, const char *name, const cairn_quantity *quantity)
{
    if (quantity->count == 1)
        cairn_suggestion_offer(data, name);
}

static void refuse(const cairn_model *model, const char *text)
{
    cairn_suggestion near = {.word = text};
    for (int i = 0; i < NORM_COUNT; ++i)
        cairn_suggestion_offer(&near, NORMS[i].name);
    (void)cairn_quantity_each(model, offer, &near); /* without memory there is no hint */
    cli_error("option --quantity: unknown quantity '%s'%s%s known are position, velocity, orientation, energy, "
              "BODY.x and the like, distance(A,B), theta(A,B,L) and all quantities of one number, such as JOINT.angle",
              text, near.hint, near.hint[0] ? "" : ";");
}

int cli_study_quantity_parse(const cairn_model *model, const char *text, cli_study_quantity *out)
{
    *out = (cli_study_quantity){.body = -1, .other = -1, .component = -1};
    bool fits = strlen(text) < sizeof out->text;
    if (!fits || !(parse_norm(text, out) || parse_pair(model, text, out) || parse_component(model, text, out) ||
                   parse_named(model, text, out)))
    {
        refuse(model, text);
        return CLI_EXIT_WRONG;
    }
    strcpy(out->text, text);
    return CLI_EXIT_DONE;
}

const char *cli_study_quantity_unit(const cli_study_quantity *quantity)
{
    switch (quantity->kind)
    {
    case CLI_MEASURE_POSITION:
    case CLI_MEASURE_DISTANCE:
        return "m";
    case CLI_MEASURE_VELOCITY:
        return "m/s, rad/s";
    case CLI_MEASURE_ORIENTATION:
        return "rad";
    case CLI_MEASURE_ENERGY:
        return "J";
    case CLI_MEASURE_THETA:
        return "m²";
    case CLI_MEASURE_NAMED:
        return quantity->unit;
    case CLI_MEASURE_COMPONENT:
        break;
    }
    return cli_component_unit(quantity->component);
}

/* -------------------------------------------------------------------------------------------------------- values */

static double between(const cli_study_quantity *quantity, const cli_study_state *state)
{
    static const double ORIGIN[3] = {0, 0, 0};
    const double *a = quantity->body < 0 ? ORIGIN : state->bodies[quantity->body].position;
    const double *b = quantity->other < 0 ? ORIGIN : state->bodies[quantity->other].position;
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

double cli_study_quantity_value(const cli_study_quantity *quantity, const cairn_model *model,
                                const cli_study_state *state)
{
    (void)model;
    double length;
    switch (quantity->kind)
    {
    case CLI_MEASURE_ENERGY:
        return state->energy;
    case CLI_MEASURE_COMPONENT:
        return cli_component_value(quantity->component, &state->bodies[quantity->body]);
    case CLI_MEASURE_NAMED:
        return state->named[quantity->place];
    case CLI_MEASURE_DISTANCE:
        return between(quantity, state);
    case CLI_MEASURE_THETA:
        length = between(quantity, state);
        return length * length - quantity->length * quantity->length;
    case CLI_MEASURE_POSITION:
    case CLI_MEASURE_VELOCITY:
    case CLI_MEASURE_ORIENTATION:
        break;
    }
    return NAN;
}

/* -------------------------------------------------------------------------------------------------------- errors */

/* A sum of squares over what the reference knows. */
typedef struct sum
{
    double squares, size;
    int count;
} sum;

static void add_vector(sum *s, const double found[3], const double wanted[3])
{
    for (int k = 0; k < 3; ++k)
    {
        if (!isnan(wanted[k]))
        {
            s->squares += (found[k] - wanted[k]) * (found[k] - wanted[k]);
            s->size += wanted[k] * wanted[k];
            ++s->count;
        }
    }
}

/* In space, of the unit quaternions p and q: 2 atan2(|vector part|, |scalar part|). */
double cli_study_turn(int dimension, const cairn_body_state *a, const cairn_body_state *b)
{
    const double *p = a->orientation, *q = b->orientation;
    if (dimension == 2)
        return a->angle - b->angle;
    double w = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
    double x = p[0] * q[1] - p[1] * q[0] - p[2] * q[3] + p[3] * q[2];
    double y = p[0] * q[2] - p[2] * q[0] - p[3] * q[1] + p[1] * q[3];
    double z = p[0] * q[3] - p[3] * q[0] - p[1] * q[2] + p[2] * q[1];
    return 2 * atan2(sqrt(x * x + y * y + z * z), fabs(w));
}

static void add_orientation(sum *s, int dimension, const cairn_body_state *found, const cairn_body_state *wanted)
{
    double angle = cli_study_turn(dimension, found, wanted);
    if (!isnan(dimension == 2 ? wanted->angle : wanted->orientation[0]))
    {
        s->squares += angle * angle;
        s->size += dimension == 2 ? wanted->angle * wanted->angle : 1;
        ++s->count;
    }
}

static void add_body(sum *s, cli_measure kind, int dimension, const cairn_body_state *found,
                     const cairn_body_state *wanted)
{
    if (kind == CLI_MEASURE_POSITION)
    {
        add_vector(s, found->position, wanted->position);
    }
    else if (kind == CLI_MEASURE_VELOCITY)
    {
        add_vector(s, found->velocity, wanted->velocity);
        add_vector(s, found->angular_velocity, wanted->angular_velocity);
    }
    else
    {
        add_orientation(s, dimension, found, wanted);
    }
}

static double norm_error(const cli_study_quantity *quantity, const cairn_model *model, const cli_study_state *state,
                         const cli_study_state *reference, double *size)
{
    sum s = {0};
    for (int i = 0; i < cairn_model_body_count(model); ++i)
        if (cairn_model_body_kind(model, cairn_model_body(model, i)) == CAIRN_DYNAMIC)
            add_body(&s, quantity->kind, cairn_model_dimension(model), &state->bodies[i], &reference->bodies[i]);
    *size = sqrt(s.size);
    return s.count > 0 ? sqrt(s.squares) : NAN;
}

double cli_study_quantity_error(const cli_study_quantity *quantity, const cairn_model *model,
                                const cli_study_state *state, const cli_study_state *reference, double *size)
{
    assert(state->bodies && reference->bodies);
    if (quantity->kind <= CLI_MEASURE_ORIENTATION)
        return norm_error(quantity, model, state, reference, size);
    double found = cli_study_quantity_value(quantity, model, state);
    if (quantity->kind == CLI_MEASURE_THETA)
    {
        *size = quantity->length * quantity->length;
        return found;
    }
    double wanted = cli_study_quantity_value(quantity, model, reference);
    *size = fabs(wanted);
    return fabs(found - wanted);
}
