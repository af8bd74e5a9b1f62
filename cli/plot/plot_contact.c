#include "cli/plot/plot_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum part
{
    PART_X = 0,
    PART_Y,
    PART_Z,
    PART_MAGNITUDE,
    PART_NORMAL,
    PART_FRICTION,
    PART_SHARE,
    PARTS,
} part;

static const char *const PART_NAME[PARTS] = {"x", "y", "z", "magnitude", "normal", "friction", "share"};
static const char FORCE[] = "force(", ELEMENT[] = "element(";

bool cli_contact_quantity_meant(const char *text)
{
    return strncmp(text, FORCE, sizeof FORCE - 1) == 0 || strncmp(text, ELEMENT, sizeof ELEMENT - 1) == 0;
}

/* Two bodies with a comma between; names may hold commas themselves, so each comma is tried. */
static bool parse_bodies(const cli_plot_run *run, const char *begin, const char *end, cli_quantity *out)
{
    for (const char *comma = begin; comma < end; ++comma)
    {
        if (*comma != ',')
            continue;
        out->body = cli_plot_run_find_body(run, begin, (size_t)(comma - begin));
        out->other = cli_plot_run_find_body(run, comma + 1, (size_t)(end - comma - 1));
        if (out->body >= 0 && out->other >= 0)
            return true;
    }
    return false;
}

/* The number after the last comma; *end is then that comma. */
static bool parse_element(const char *begin, const char **end, int *element)
{
    const char *comma = *end - 1;
    while (comma > begin && *comma != ',')
        comma--;
    char *stop;
    long number = strtol(comma + 1, &stop, 10);
    bool good = comma > begin && stop == *end && stop > comma + 1 && number >= 1 && number <= 100000;
    *element = good ? (int)number : 0;
    *end = comma;
    return good;
}

/* BODY.contact_force.x, of the contacts with all other bodies. */
static bool parse_body_force(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    static const char field[] = ".contact_force.";
    const char *at = strstr(text, field);
    for (const char *next = at; next; next = strstr(next + 1, field))
        at = next; /* the last: names may contain it, too */
    int which = 0;
    while (at && which < PART_NORMAL && strcmp(at + sizeof field - 1, PART_NAME[which]) != 0)
        ++which;
    if (!at || which == PART_NORMAL || (which == PART_Z && run->dimension == 2))
        return false;
    *out = (cli_quantity){.kind = CLI_QUANTITY_CONTACT,
                          .text = text,
                          .symbol = "contact force",
                          .unit = "N",
                          .component = which,
                          .dimension = run->dimension,
                          .body = cli_plot_run_find_body(run, text, (size_t)(at - text)),
                          .other = -1};
    return out->body >= 0;
}

bool cli_contact_quantity_parse(const cli_plot_run *run, const char *text, cli_quantity *out)
{
    if (parse_body_force(run, text, out))
        return true;
    const char *dot = strrchr(text, '.');
    bool element = strncmp(text, ELEMENT, sizeof ELEMENT - 1) == 0;
    const char *begin = text + (element ? sizeof ELEMENT : sizeof FORCE) - 1;
    if (!cli_contact_quantity_meant(text) || !dot || dot <= begin || dot[-1] != ')')
        return false;
    int which = 0, last = element ? PARTS : PART_NORMAL;
    while (which < last && strcmp(dot + 1, PART_NAME[which]) != 0)
        ++which;
    if (which == last || (which == PART_Z && run->dimension == 2))
        return false;
    const char *end = dot - 1;
    *out = (cli_quantity){.kind = CLI_QUANTITY_CONTACT,
                          .text = text,
                          .symbol = which == PART_SHARE ? "share of the friction limit" : "force",
                          .unit = which == PART_SHARE ? "" : "N",
                          .component = which,
                          .dimension = run->dimension};
    return (!element || parse_element(begin, &end, &out->element)) && parse_bodies(run, begin, end, out);
}

/* N: the force of one contact on the body, along axis k of the world. */
static double force_along(const cli_quantity *q, const cairn_contact *c, double h, int k)
{
    double sign = c->a.id == q->body + 1 ? 1.0 : -1.0;
    double other = q->dimension == 3 ? c->impulse[2] * c->tangent[1][k] : 0.0;
    return sign * (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + other) / h;
}

/* One contact's part of the value; the impulse over h. */
static double value_of(const cli_quantity *q, const cairn_contact *c, double h)
{
    double normal = c->impulse[0] / h;
    /* in the plane the first tangent points to the left of the normal, whichever body that points to */
    double friction = q->dimension == 2 ? -c->impulse[1] / h : hypot(c->impulse[1], c->impulse[2]) / h;
    switch ((part)q->component)
    {
    case PART_NORMAL:
        return normal;
    case PART_FRICTION:
        return friction;
    case PART_SHARE:
        return normal > 0.0 ? friction / (c->friction * normal) : NAN;
    default:
        break;
    }
    return force_along(q, c, h, q->component);
}

/* Whether a contact is one of those that the quantity adds up. */
static bool counts(const cli_quantity *q, const cairn_contact *c)
{
    int a = c->a.id - 1, b = c->b.id - 1;
    bool between = q->other < 0 ? a == q->body || b == q->body
                                : (a == q->body && b == q->other) || (b == q->body && a == q->other);
    return between && (q->element == 0 || c->element + 1 == q->element);
}

double cli_contact_quantity_value(const cli_quantity *quantity, const cairn_contact *contacts, int count, double h)
{
    double sum = 0.0, vector[3] = {0};
    for (int i = 0; i < count; ++i)
    {
        if (!counts(quantity, &contacts[i]))
            continue;
        for (int k = 0; k < quantity->dimension && quantity->component == PART_MAGNITUDE; ++k)
            vector[k] += force_along(quantity, &contacts[i], h, k);
        sum += quantity->component == PART_MAGNITUDE ? 0.0 : value_of(quantity, &contacts[i], h);
    }
    sum = quantity->component == PART_MAGNITUDE ? hypot(hypot(vector[0], vector[1]), vector[2]) : sum;
    return isfinite(h) ? sum : NAN;
}

int cli_contact_steps(cli_plot_run *run, double *out)
{
    cairn_status status = run->frame_count > 0 ? cairn_run_read_series(run->run, "step", out) : CAIRN_OK;
    if (status != CAIRN_OK)
        return cli_plot_report(run->context, status);
    for (int64_t i = run->frame_count - 1; i > 0; i--)
        out[i] = (run->time[i] - run->time[i - 1]) / (out[i] - out[i - 1]);
    out[0] = NAN;
    return 0;
}
