/* The pictures of a report are those of `cairn plot`, with what most readers look at first. */
#include "cli/plot/plot_options.h"
#include "cli/report/report.h"

#include "cli/common/cli.h"
#include "cli/common/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_CURVES = 4, /* of a picture */
    MOST_BODIES = 7, /* whose height is drawn: as many as there are colours */
};

typedef struct picture
{
    const char *name, *title;
    const char *quantities[MOST_CURVES]; /* up to the first NULL; those that the run lacks are left out */
    bool log;
} picture;

static const picture PICTURES[] = {
    {"energy", "Energy", {"energy/total", "energy/kinetic", "energy/potential", "energy/elastic"}, false},
    {"residual", "Certificate", {"certificate/relative"}, true},
    {"penetration", "Penetration", {"penetration"}, false},
    {"joints", "Joint error", {"joint_error"}, false},
    {"contacts", "Contacts", {"contacts/count"}, false},
    {"solver", "Iterations of the solver", {"solver/iterations"}, false},
    {"balance", "Error of the energy balance", {"energy/balance_error"}, false},
};
enum
{
    PICTURE_COUNT = (int)(sizeof PICTURES / sizeof PICTURES[0])
};

static cli_plot_options options_of(const cli_report *r, const char *path, const char *title)
{
    return (cli_plot_options){.output = path,
                              .title = title,
                              .selection = {-INFINITY, INFINITY, 1},
                              .runs = (const char **)&((cli_report *)r)->run.path,
                              .run_count = 1};
}

static int draw_curves(cli_report *r, const char *name, const char *title, const char **quantities, int count, bool log)
{
    char *path = cli_text("%s/%s.svg", r->directory, name);
    cli_plot_options o = options_of(r, path, title);
    o.quantities = quantities;
    o.quantity_count = count;
    o.log = log;
    int status = cli_plot_curves(&r->run, &o);
    free(path);
    return status;
}

static bool wanted(const cli_report *r, const picture *p)
{
    return cli_plot_run_has_series(&r->run, p->quantities[0]) &&
           (strcmp(p->name, "joints") || r->scene.joint_count > 0);
}

static int draw_picture(cli_report *r, const picture *p)
{
    const char *quantities[MOST_CURVES];
    int count = 0;
    for (int i = 0; i < MOST_CURVES && p->quantities[i]; ++i)
        if (cli_plot_run_has_series(&r->run, p->quantities[i]))
            quantities[count++] = p->quantities[i];
    return wanted(r, p) ? draw_curves(r, p->name, p->title, quantities, count, p->log) : 0;
}

/* Where gravity pulls is y in the plane and z in space, most often. */
static int draw_heights(cli_report *r)
{
    const char *quantities[MOST_BODIES];
    char *texts[MOST_BODIES] = {0};
    int count = 0;
    for (int b = 0; b < r->run.body_count && count < MOST_BODIES; ++b)
        if (r->scene.moves[b])
        {
            texts[count] = cli_text("%s.%c", cairn_run_body_name(r->run.run, b), r->run.dimension == 2 ? 'y' : 'z');
            quantities[count] = texts[count];
            ++count;
        }
    int status = count > 0 ? draw_curves(r, "heights", "Heights", quantities, count, false) : 0;
    for (int i = 0; i < count; ++i)
        free(texts[i]);
    return status;
}

static int draw_positions(cli_report *r)
{
    char *path = cli_text("%s/positions.svg", r->directory);
    const char *positions[] = {"positions"};
    cli_plot_options o = options_of(r, path, "Positions");
    o.quantities = positions;
    o.quantity_count = 1;
    int status = cli_plot_positions(&r->run, &o);
    free(path);
    return status;
}

int cli_report_draw(cli_report *r)
{
    int status = draw_positions(r);
    status = status ? status : draw_heights(r);
    for (int i = 0; i < PICTURE_COUNT && !status; ++i)
        status = draw_picture(r, &PICTURES[i]);
    return status;
}

static void put_image(FILE *page, const char *name, const char *text)
{
    fprintf(page, "<div class=\"card\"><a href=\"%s.svg\"><img src=\"%s.svg\" alt=\"", name, name);
    cli_html_text(page, text);
    fputs("\"></a></div>\n", page);
}

void cli_report_pictures(cli_report *r)
{
    bool moving = false;
    for (int b = 0; b < r->run.body_count; ++b)
        moving = moving || r->scene.moves[b];
    fputs("<h2>Pictures</h2>\n<div class=\"columns\">\n", r->page);
    put_image(r->page, "positions", "successive positions of the bodies");
    if (moving)
        put_image(r->page, "heights", "heights of the bodies over time");
    for (int i = 0; i < PICTURE_COUNT; ++i)
        if (wanted(r, &PICTURES[i]))
            put_image(r->page, PICTURES[i].name, PICTURES[i].title);
    fputs("</div>\n", r->page);
}
