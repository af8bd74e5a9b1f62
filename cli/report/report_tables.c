/* The numbers of a report. They are those of the recorded frames: with `--every` some steps are not among them. */
#include "cli/common/cli.h"
#include "cli/report/report.h"

#include "cli/common/html.h"
#include "cli/plot/plot_contact.h"
#include "cli/report/report_stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_EVENTS = 100,
    MOST_PAIRS = 30,
    EVENT_KINDS = CAIRN_EVENT_KINDS,
};

static void open_table(FILE *page, const char *head)
{
    fprintf(page, "<div class=\"scroll\"><table>\n%s", head);
}

static void close_table(FILE *page)
{
    fputs("</table></div>\n", page);
}

/* Tables side by side, where there is room. */
static void open_group(FILE *page)
{
    fputs("<div class=\"tables\">\n", page);
}

static void close_group(FILE *page)
{
    fputs("</div>\n", page);
}

static void put_row(FILE *page, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void put_row(FILE *page, const char *name, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fputs("<tr><th>", page);
    cli_html_text(page, name);
    fputs("</th><td>", page);
    cli_html_text(page, text);
    fputs("</td></tr>\n", page);
}

/* ---------------------------------------------------------------------------------------------------------- summary */

static const char *status_sentence(const char *status)
{
    if (!strcmp(status, "done"))
        return "The run came to its end, every step within its tolerance.";
    if (!strcmp(status, "missed-tolerance"))
        return "The run finished, but some steps missed their tolerance.";
    if (!strcmp(status, "violated-physics"))
        return "The run finished, but the physics certificate found violations.";
    if (!strcmp(status, "failed"))
        return "The run failed: a step could not be taken. This page shows the steps before that.";
    if (!strcmp(status, "interrupted"))
        return "The run was interrupted. This page shows the steps before that.";
    return "The run is still in progress, or its program was killed. This page shows what it has written.";
}

static void put_setting(cli_report *r, const char *name, const char *label, const char *unit)
{
    char text[256];
    if (cairn_run_setting(r->run.run, name, text, sizeof text) && text[0])
        put_row(r->page, label, "%s%s", text, unit);
}

/* All settings that the run has, by the library's table. */
static void put_settings(cli_report *r)
{
    for (int i = 0; i < cairn_setting_count(); ++i)
    {
        const cairn_setting *setting = cairn_setting_at(i);
        char label[64], unit[16];
        snprintf(label, sizeof label, "%s", setting->name);
        for (char *at = label; *at; ++at)
            *at = *at == '_' ? ' ' : *at;
        snprintf(unit, sizeof unit, "%s%s", *setting->unit ? " " : "", setting->unit);
        put_setting(r, setting->name, label, unit);
    }
}

static void put_parameters(cli_report *r)
{
    for (int i = 0; i < cairn_run_parameter_count(r->run.run); ++i)
    {
        cairn_parameter p = cairn_run_parameter(r->run.run, i);
        put_row(r->page, "--set", "%s=%s", p.name, p.value);
    }
}

int cli_report_summary(cli_report *r)
{
    cli_stats step;
    int status = cli_stats_read(&r->run, "step", &step);
    const char *word = cairn_run_status(r->run.run);
    int moving = 0;
    for (int b = 0; b < r->run.body_count; ++b)
        moving += r->scene.moves[b];
    fprintf(r->page, "<p class=\"%s\">%s</p>\n", strcmp(word, "done") ? "bad" : "soft", status_sentence(word));
    if (r->run.cut)
        fputs("<p class=\"bad\">The run file is truncated. This page shows what is left of it.</p>\n", r->page);
    open_group(r->page);
    open_table(r->page, "");
    put_row(r->page, "scene", "%s", cairn_run_scene_name(r->run.run));
    put_row(r->page, "run file", "%s", r->run.path);
    put_row(r->page, "bodies", "%d, of which %d move, %s", r->run.body_count, moving,
            r->run.dimension == 2 ? "in the plane" : "in space");
    if (r->run.frame_count > 0)
        put_row(r->page, "time", "%g s to %g s", r->run.time[0], r->run.time[r->run.frame_count - 1]);
    put_row(r->page, "steps", "%.0f, %" PRId64 " frames recorded", step.last, r->run.frame_count);
    put_setting(r, "created", "created", "");
    put_setting(r, "cairn_version", "by cairn", "");
    put_parameters(r);
    close_table(r->page);
    close_group(r->page);
    fputs("<details class=\"settings\"><summary>Settings</summary>\n", r->page);
    open_table(r->page, "");
    put_settings(r);
    close_table(r->page);
    fputs("</details>\n", r->page);
    return status;
}

/* ------------------------------------------------------------------------------------------------------ certificate */

static double solver_tolerance(const cli_report *r)
{
    char text[64];
    return cairn_run_setting(r->run.run, "solver_tolerance", text, sizeof text) ? strtod(text, NULL) : NAN;
}

/* The bodies of the contact that was worst in a frame. */
static int put_worst_contact(cli_report *r, int64_t frame)
{
    const cairn_contact *contacts;
    int count;
    double *worst = cli_allocate((size_t)r->run.frame_count, sizeof *worst);
    cairn_status status = cairn_run_read_series(r->run.run, "certificate/worst_contact", worst);
    status = status ? status : cairn_run_read_contacts(r->run.run, frame, &contacts, &count);
    int index = status ? -1 : (int)worst[frame];
    if (!status && index >= 0 && index < count && contacts[index].a.id > 0 && contacts[index].b.id > 0)
    {
        put_row(r->page, "there, worst contact", "%s on %s", cairn_run_body_name(r->run.run, contacts[index].a.id - 1),
                cairn_run_body_name(r->run.run, contacts[index].b.id - 1));
    }
    free(worst);
    return status ? cli_plot_report(r->run.context, status) : 0;
}

static int put_parts(cli_report *r)
{
    static const char *const PARTS[][3] = {{"certificate/natural_map", "laws of contact (natural map)", "m/s"},
                                           {"certificate/impulse_outside", "impulses outside their cone", "N s"},
                                           {"certificate/penetration_speed", "speed of penetration", "m/s"},
                                           {"certificate/complementarity", "complementarity", "J"},
                                           {"certificate/joint", "joints", "m/s"},
                                           {"certificate/dynamics", "dynamics", "m/s"}};
    int status = 0;
    open_table(r->page, "<tr><th>part, absolute</th><th class=\"n\">largest</th><th class=\"n\">at</th></tr>\n");
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0] && !status; ++i)
    {
        cli_stats s;
        status = cli_stats_read(&r->run, PARTS[i][0], &s);
        if (!status && s.count > 0)
        {
            fprintf(r->page, "<tr><td>%s</td><td class=\"n\">%.2e %s</td><td class=\"n\">%.4g s</td></tr>\n",
                    PARTS[i][1], s.most, PARTS[i][2], r->run.time[s.most_frame]);
        }
    }
    close_table(r->page);
    return status;
}

int cli_report_certificate(cli_report *r)
{
    cli_stats s;
    int64_t above = 0;
    double tolerance = solver_tolerance(r);
    int status = cli_stats_read(&r->run, "certificate/relative", &s);
    if (status || s.count == 0)
        return status;
    fputs("<h2>Certificate</h2>\n<p class=\"soft\">How well the equations of motion, joints, contact and friction laws "
          "hold in each step, computed independently of the solver.</p>\n",
          r->page);
    open_group(r->page);
    open_table(r->page, "");
    put_row(r->page, "relative, median", "%.2e", s.median);
    put_row(r->page, "90th percentile", "%.2e", s.nine_tenths);
    put_row(r->page, "99th percentile", "%.2e", s.ninety_nine);
    put_row(r->page, "worst", "%.2e at t = %.6g s", s.most, r->run.time[s.most_frame]);
    status = put_worst_contact(r, s.most_frame);
    if (!status && isfinite(tolerance))
    {
        status = cli_stats_above(&r->run, "certificate/relative", tolerance, &above);
        put_row(r->page, "above the tolerance", "%" PRId64 " of %" PRId64 " recorded steps (tolerance %.2g)", above,
                s.count, tolerance);
    }
    close_table(r->page);
    status = status ? status : put_parts(r);
    close_group(r->page);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- energy */

/* One row per series that the run has: energies at both ends and their change, or the work done. */
static int put_energies(cli_report *r, const char *const (*rows)[2], size_t count, bool work)
{
    int status = 0;
    for (size_t i = 0; i < count && !status; ++i)
    {
        cli_stats s;
        status = cli_stats_read(&r->run, rows[i][0], &s);
        if (status || s.count == 0 || (work && s.least == 0 && s.most == 0))
            continue;
        fprintf(r->page, "<tr><td>%s</td>", rows[i][1]);
        if (!work)
            fprintf(r->page, "<td class=\"n\">%.6g</td>", s.first);
        fprintf(r->page, "<td class=\"n\">%.6g</td>", s.last);
        if (!work)
            fprintf(r->page, "<td class=\"n\">%.6g</td>", s.last - s.first);
        fputs("</tr>\n", r->page);
    }
    return status;
}

int cli_report_energy(cli_report *r)
{
    static const char *const NOW[][2] = {{"energy/kinetic", "kinetic"},
                                         {"energy/potential", "potential"},
                                         {"energy/elastic", "elastic"},
                                         {"energy/total", "total"}};
    static const char *const WORKS[][2] = {{"energy/work_gravity", "gravity"},
                                           {"energy/work_springs", "springs"},
                                           {"energy/work_dampers", "dampers"},
                                           {"energy/work_forces", "outer forces"},
                                           {"energy/work_gyroscopic", "gyroscopic forces"},
                                           {"energy/work_joints", "joints"},
                                           {"energy/work_contact_normal", "normal forces of contacts"},
                                           {"energy/work_friction", "friction"},
                                           {"energy/work_systems", "users' systems"},
                                           {"energy/work_driven", "driven bodies, into springs"},
                                           {"energy/integration", "integration: numerical gain or loss"},
                                           {"energy/projection", "projection of positions"}};
    cli_stats balance;
    fputs("<h2>Energy</h2>\n", r->page);
    open_group(r->page);
    open_table(r->page, "<tr><th>energy, J</th><th class=\"n\">at the start</th><th class=\"n\">at the end</th><th "
                        "class=\"n\">change</th></tr>\n");
    int status = put_energies(r, NOW, sizeof NOW / sizeof NOW[0], false);
    close_table(r->page);
    open_table(r->page, "<tr><th>work since the start</th><th class=\"n\">J</th></tr>\n");
    status = status ? status : put_energies(r, WORKS, sizeof WORKS / sizeof WORKS[0], true);
    close_table(r->page);
    close_group(r->page);
    status = status ? status : cli_stats_read(&r->run, "energy/balance_error", &balance);
    if (!status && balance.count > 0)
    {
        fprintf(r->page, "<p class=\"soft\">The balance closes to %.1e J.</p>\n",
                fmax(fabs(balance.least), fabs(balance.most)));
    }
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- events */

void cli_report_bodies(cli_report *r, cairn_body a, cairn_body b)
{
    const cairn_body body[2] = {a, b};
    for (int k = 0, put = 0; k < 2; ++k)
    {
        if (body[k].id < 1 || body[k].id > r->run.body_count)
            continue;
        fputs(put++ ? ", " : "", r->page);
        cli_html_text(r->page, cairn_run_body_name(r->run.run, body[k].id - 1));
    }
}

static void put_event(cli_report *r, const cairn_event *e)
{
    fprintf(r->page, "<tr><td class=\"n\">%.6g</td><td>%s</td><td>", e->time, cairn_event_name(e->kind));
    cli_report_bodies(r, e->a, e->b);
    if (e->kind == CAIRN_EVENT_COLLISION)
        fprintf(r->page, "</td><td class=\"n\">%.4g</td><td class=\"n\">%.4g</td></tr>\n", e->speed, e->impulse);
    else
        fputs("</td><td></td><td></td></tr>\n", r->page);
}

int cli_report_events(cli_report *r)
{
    const cairn_event *events;
    int64_t count, of_kind[EVENT_KINDS] = {0};
    cairn_status status = cairn_run_read_events(r->run.run, &events, &count);
    if (status)
        return cli_plot_report(r->run.context, status);
    fputs("<h2>Events</h2>\n", r->page);
    if (count == 0)
    {
        fputs("<p class=\"soft\">None recorded. Second-order integrators locate events within a step.</p>\n", r->page);
        return 0;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        int kind = (int)events[i].kind;
        if (kind >= 0 && kind < EVENT_KINDS)
            ++of_kind[kind];
    }
    fputs("<p>", r->page);
    for (int k = 0, said = 0; k < EVENT_KINDS; ++k)
        if (of_kind[k] > 0)
            fprintf(r->page, "%s%" PRId64 " %s", said++ ? ", " : "", of_kind[k], cairn_event_name((cairn_event_kind)k));
    fprintf(r->page, ".%s</p>\n", count > MOST_EVENTS ? " The first hundred:" : "");
    open_table(r->page, "<tr><th class=\"n\">time, s</th><th>event</th><th>bodies</th><th class=\"n\">speed, "
                        "m/s</th><th class=\"n\">impulse, N s</th></tr>\n");
    for (int64_t i = 0; i < count && i < MOST_EVENTS; ++i)
        put_event(r, &events[i]);
    close_table(r->page);
    return 0;
}

/* --------------------------------------------------------------------------------------------------------- contacts */

typedef struct pair
{
    int a, b; /* bodies, as the contacts have them */
    int contacts;
    double normal, friction; /* N: sums of sizes */
} pair;

static int by_force(const void *p, const void *q)
{
    const pair *x = p, *y = q;
    if (x->normal != y->normal)
        return x->normal > y->normal ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

static int by_bodies(const void *p, const void *q)
{
    const pair *x = p, *y = q;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

/* Contacts to pairs of bodies, in place: sorted by bodies, then summed. How many pairs. */
static int sum_pairs(pair *pairs, int count)
{
    int used = 0;
    qsort(pairs, (size_t)count, sizeof *pairs, by_bodies);
    for (int i = 0; i < count; ++i)
    {
        if (used > 0 && pairs[used - 1].a == pairs[i].a && pairs[used - 1].b == pairs[i].b)
        {
            pairs[used - 1].contacts += pairs[i].contacts;
            pairs[used - 1].normal += pairs[i].normal;
            pairs[used - 1].friction += pairs[i].friction;
        }
        else
        {
            pairs[used++] = pairs[i];
        }
    }
    qsort(pairs, (size_t)used, sizeof *pairs, by_force);
    return used;
}

static void put_pairs(cli_report *r, const pair *pairs, int count)
{
    fprintf(r->page, "<p>At the end%s:</p>\n", count > MOST_PAIRS ? ", the pairs with the largest forces" : "");
    open_table(r->page, "<tr><th>bodies</th><th class=\"n\">contacts</th><th class=\"n\">normal force, N</th><th "
                        "class=\"n\">friction, N</th></tr>\n");
    for (int i = 0; i < count && i < MOST_PAIRS; ++i)
    {
        fputs("<tr><td>", r->page);
        cli_report_bodies(r, (cairn_body){.id = pairs[i].a}, (cairn_body){.id = pairs[i].b});
        fprintf(r->page, "</td><td class=\"n\">%d</td><td class=\"n\">%.5g</td><td class=\"n\">%.5g</td></tr>\n",
                pairs[i].contacts, pairs[i].normal, pairs[i].friction);
    }
    close_table(r->page);
}

static int last_pairs(cli_report *r)
{
    const cairn_contact *contacts;
    int64_t last = r->run.frame_count - 1;
    int count, status;
    double *steps = cli_allocate((size_t)r->run.frame_count, sizeof *steps);
    status = cli_contact_steps(&r->run, steps);
    double h = status ? NAN : steps[last];
    free(steps);
    cairn_status read = status ? CAIRN_OK : cairn_run_read_contacts(r->run.run, last, &contacts, &count);
    if (status || read)
        return status ? status : cli_plot_report(r->run.context, read);
    pair *pairs = cli_allocate((size_t)count + 1, sizeof *pairs);
    for (int i = 0; i < count; ++i)
    {
        const cairn_contact *c = &contacts[i];
        pairs[i] = (pair){c->a.id, c->b.id, 1, c->impulse[0] / h, hypot(c->impulse[1], c->impulse[2]) / h};
    }
    if (count > 0)
        put_pairs(r, pairs, sum_pairs(pairs, count));
    free(pairs);
    return 0;
}

int cli_report_contacts(cli_report *r)
{
    cli_stats count, depth, joint;
    int status = cli_stats_read(&r->run, "contacts/count", &count);
    status = status ? status : cli_stats_read(&r->run, "penetration", &depth);
    status = status ? status : cli_stats_read(&r->run, "joint_error", &joint);
    if (status || count.count == 0)
        return status;
    fputs("<h2>Contacts</h2>\n", r->page);
    open_table(r->page, "");
    put_row(r->page, "contacts", "%.0f at most (t = %.4g s), %.3g on average, %.0f at the end", count.most,
            r->run.time[count.most_frame], count.mean, count.last);
    put_row(r->page, "penetration", "%.3g m at most (t = %.4g s), %.3g m at the end", depth.most,
            r->run.time[depth.most_frame], depth.last);
    if (r->scene.joint_count > 0)
        put_row(r->page, "joint error", "%.3g m at most (t = %.4g s)", joint.most, r->run.time[joint.most_frame]);
    close_table(r->page);
    return r->run.frame_count > 1 ? last_pairs(r) : 0;
}

/* ----------------------------------------------------------------------------------------------------------- solver */

int cli_report_solver(cli_report *r)
{
    cli_stats iterations, fallbacks, factors, problems;
    int status = cli_stats_read(&r->run, "solver/iterations", &iterations);
    status = status ? status : cli_stats_read(&r->run, "solver/fallbacks", &fallbacks);
    status = status ? status : cli_stats_read(&r->run, "solver/refactorisations", &factors);
    status = status ? status : cli_stats_read(&r->run, "problems", &problems);
    if (status || iterations.count == 0)
        return status;
    fputs("<h2>Solver</h2>\n", r->page);
    open_table(r->page, "");
    put_row(r->page, "iterations per step", "%.3g on average, %.0f at the 90th percentile, %.0f at most (t = %.4g s)",
            iterations.mean, iterations.nine_tenths, iterations.most, r->run.time[iterations.most_frame]);
    if (problems.count > 0)
        put_row(r->page, "one-step problems", "%.0f", problems.sum);
    put_row(r->page, "fallbacks to another solver", "%.0f", fallbacks.sum);
    put_row(r->page, "new factorisations", "%.0f", factors.sum);
    close_table(r->page);
    return 0;
}
