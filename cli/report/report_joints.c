/* The report's section on joints and sensors: the range of every quantity that the run recorded of them. */
#include "cli/common/html.h"
#include "cli/report/report.h"
#include "cli/report/report_stats.h"

#include <string.h>

enum
{
    MOST_ROWS = 100
};

static bool begins(const char *name, const char *head)
{
    return strncmp(name, head, strlen(head)) == 0;
}

/* Whether a series is a quantity of a joint (elbow.angle) or a sensor's; those of springs and forces have their group in front. */
static bool is_told(const char *name)
{
    bool grouped = begins(name, "springs/") || begins(name, "joints/") || begins(name, "forces/");
    return begins(name, "sensors/") || (!grouped && strchr(name, '.'));
}

static void put_series(cli_report *r, const char *name, const char *unit, const cli_stats *s)
{
    fputs("<tr><td>", r->page);
    cli_html_text(r->page, begins(name, "sensors/") ? name + strlen("sensors/") : name);
    fprintf(r->page, "</td><td class=\"n\">%.6g</td><td class=\"n\">%.6g</td><td class=\"n\">%.6g</td><td>", s->least,
            s->most, s->last);
    cli_html_text(r->page, unit);
    fputs("</td></tr>\n", r->page);
}

int cli_report_joints(cli_report *r)
{
    int status = 0, rows = 0, left_out = 0;
    for (int i = 0; i < cairn_run_series_count(r->run.run) && !status; ++i)
    {
        const char *name = cairn_run_series_name(r->run.run, i);
        cli_stats s = {.count = 0};
        if (!is_told(name))
            continue;
        status = cli_stats_read(&r->run, name, &s);
        if (status || s.count == 0 || (s.least == 0 && s.most == 0 && !begins(name, "sensors/")))
            continue;
        if (rows == 0)
            fputs(
                "<h2>Joints and sensors</h2>\n<div class=\"scroll\"><table>\n<tr><th>quantity</th><th class=\"n\">least"
                "</th><th class=\"n\">most</th><th class=\"n\">last</th><th>unit</th></tr>\n",
                r->page);
        if (rows < MOST_ROWS)
            put_series(r, name, cairn_run_series_unit(r->run.run, i), &s);
        left_out += rows++ >= MOST_ROWS;
    }
    if (rows > 0)
        fputs("</table></div>\n", r->page);
    if (left_out > 0)
        fprintf(r->page, "<p class=\"soft\">%d more are in the run file.</p>\n", left_out);
    return status;
}
