#include "cli/plot/plot_contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum part
{
    PART_X = 0,
    PART_Y,
    PART_Z,
    PART_NORMAL,
    PART_FRICTION,
    PART_SHARE,
    PARTS,
} part;

static const char *const PART_NAME[PARTS] = {"x", "y", "z", "normal", "friction", "share"};
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

bool cli_contact_quantity_parse(const cli_plot_run *run, const char *text, cli_quantity *out)
{
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

/* One contact's part of the value; the impulse over h. */
static double value_of(const cli_quantity *q, const cairn_contact *c, double h)
{
    double sign = c->a.id == q->body + 1 ? 1.0 : -1.0, normal = c->impulse[0] / h;
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
    int k = q->component;
    double other = q->dimension == 3 ? c->impulse[2] * c->tangent[1][k] : 0.0;
    return sign * (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[0][k] + other) / h;
}

double cli_contact_quantity_value(const cli_quantity *quantity, const cairn_contact *contacts, int count, double h)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
    {
        const cairn_contact *c = &contacts[i];
        bool there = c->a.id == quantity->body + 1 && c->b.id == quantity->other + 1;
        bool back = c->b.id == quantity->body + 1 && c->a.id == quantity->other + 1;
        if ((there || back) && (quantity->element == 0 || c->element + 1 == quantity->element))
            sum += value_of(quantity, c, h);
    }
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
