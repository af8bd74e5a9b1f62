/* The report's section on the physics certificate: what was found, and a table of the first violations. */
#include "cli/report/report.h"

#include "cli/common/html.h"

#include <inttypes.h>

enum
{
    MOST_ROWS = 100
};

static void put_body(cli_report *r, cairn_body body)
{
    if (body.id > 0 && body.id <= r->run.body_count)
        cli_html_text(r->page, cairn_run_body_name(r->run.run, body.id - 1));
}

static void put_violation(cli_report *r, const cairn_violation *v)
{
    fprintf(r->page, "<tr><td class=\"n\">%.6g</td><td>%s</td><td>", v->time, cairn_violation_name(v->kind));
    put_body(r, v->a);
    fputs(v->a.id > 0 && v->b.id > 0 ? ", " : "", r->page);
    put_body(r, v->b);
    fprintf(r->page, "</td><td class=\"n\">%.3g</td><td class=\"n\">%.1e</td><td>%s</td></tr>\n", v->size, v->allowance,
            cairn_violation_unit(v->kind));
}

static void put_counts(cli_report *r, const cairn_violation *violations, int64_t count)
{
    int64_t of_kind[CAIRN_VIOLATION_KINDS] = {0};
    for (int64_t i = 0; i < count; ++i)
        ++of_kind[violations[i].kind];
    fputs("<p>", r->page);
    for (int k = 0, said = 0; k < CAIRN_VIOLATION_KINDS; ++k)
    {
        if (of_kind[k] > 0)
        {
            fprintf(r->page, "%s%" PRId64 " of %s", said++ ? ", " : "", of_kind[k],
                    cairn_violation_name((cairn_violation_kind)k));
        }
    }
    fprintf(r->page, ", marked in the picture of the energy.%s</p>\n", count > MOST_ROWS ? " The first hundred:" : "");
}

int cli_report_physics(cli_report *r)
{
    const cairn_violation *violations;
    int64_t count;
    cairn_status status = cairn_run_read_violations(r->run.run, &violations, &count);
    char audit[16] = "";
    if (status)
        return cli_plot_report(r->run.context, status);
    fputs("<h2>Physics</h2>\n", r->page);
    if (count == 0)
    {
        bool checked = cairn_run_setting(r->run.run, "audit", audit, sizeof audit) && audit[1] == 'n';
        fprintf(r->page, "<p class=\"soft\">%s</p>\n",
                checked
                    ? "No violation: restitution, friction, energy, momentum, jumps of velocities and overlaps were "
                      "checked in every step, from states, geometry and impulses alone."
                    : "Not checked.");
        return 0;
    }
    put_counts(r, violations, count);
    fputs("<div class=\"scroll\"><table>\n<tr><th class=\"n\">time, s</th><th>violation</th><th>bodies</th>"
          "<th class=\"n\">size</th><th class=\"n\">allowed</th><th>unit</th></tr>\n",
          r->page);
    for (int64_t i = 0; i < count && i < MOST_ROWS; ++i)
        put_violation(r, &violations[i]);
    fputs("</table></div>\n", r->page);
    return 0;
}
