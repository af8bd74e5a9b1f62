/* A comparison for people, as JSON, and as a picture of the distances over time. */
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/compare/compare.h"
#include "cli/draw/draw.h"
#include "cli/plot/plot_chart.h"
#include "cli/plot/plot_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- text */

static const char *body_name(const cli_compare *compare, int body)
{
    const cairn_model *model = cairn_scene_model(compare->scene);
    return body < 0 ? "-" : cairn_model_body_name(model, cairn_model_body(model, body));
}

static void print_number(int width, const char *format, double value)
{
    char text[40] = "-";
    if (!isnan(value))
        snprintf(text, sizeof text, format, value);
    printf("  %*s", width, text);
}

static void print_row(const cli_compare *compare, const cli_compare_run *run, int width)
{
    bool first = run == compare->runs;
    printf("  %-*s", width, run->text);
    print_number(12, "%.3e", first ? NAN : run->position);
    printf("  %-10.10s", first || isnan(run->position) ? "-" : body_name(compare, run->worst));
    print_number(11, "%.3e", first ? NAN : run->angle);
    print_number(12, "%.3e", first ? NAN : run->largest);
    print_number(9, "%.2e", run->residual);
    print_number(11, "%.2e", run->penetration);
    print_number(9, "%.2e", run->lift_off);
    printf("  %8d  %10" PRId64, run->contacts_max, run->iterations);
    print_number(8, "%.3g", run->wall);
    printf("%s%s\n", strcmp(run->status, "done") != 0 ? "  " : "", strcmp(run->status, "done") != 0 ? run->status : "");
}

void cli_compare_print_text(const cli_compare *compare)
{
    const char *title = cairn_scene_title(compare->scene);
    int width = (int)strlen("setting");
    for (int i = 0; i < compare->count; ++i)
    {
        int length = (int)strlen(compare->runs[i].text);
        width = length > width ? length : width;
    }
    printf("%s%s%s\n", compare->scene_name, *title ? ": " : "", title);
    printf("  to t = %g s; differences are the largest over all bodies, from the first run\n\n", compare->until);
    printf("  %-*s  %12s  %-10s  %11s  %12s  %9s  %11s  %9s  %8s  %10s  %8s\n", width, "setting", "at end [m]",
           "of body", "angle [rad]", "ever [m]", "residual", "penetr. [m]", "lift [m]", "contacts", "iterations",
           "wall [s]");
    for (int i = 0; i < compare->count; ++i)
        print_row(compare, &compare->runs[i], width);
    if (compare->options->output)
        printf("\n  picture  %s\n", compare->options->output);
}

/* ----------------------------------------------------------------------------------------------------------- JSON */

static void put_settings(cli_json *json, const cairn_settings *settings)
{
    cli_json_open(json, "settings", '{');
    cli_settings_json(json, settings);
    cli_json_close(json, '}');
}

static void put_difference(cli_json *json, const cli_compare *compare, const cli_compare_run *run)
{
    cli_json_open(json, "difference", '{');
    cli_json_number(json, "position", run->position);
    cli_json_text(json, "body", body_name(compare, run->worst));
    cli_json_number(json, "angle", run->angle);
    cli_json_number(json, "largest", run->largest);
    cli_json_number(json, "largest_time", run->largest_time);
    cli_json_numbers(json, "time", run->track.time, (int)run->track.count);
    cli_json_numbers(json, "distance", run->distance, (int)run->track.count);
    cli_json_close(json, '}');
}

static void put_bodies(cli_json *json, const cli_compare *compare, const cli_compare_run *run)
{
    bool planar = cairn_model_dimension(cairn_scene_model(compare->scene)) == 2;
    cli_json_open(json, "bodies", '[');
    for (int i = 0; run->end && i < compare->body_count; ++i)
    {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "name", body_name(compare, i));
        cli_json_numbers(json, "position", run->end[i].position, planar ? 2 : 3);
        cli_json_numbers(json, planar ? "angle" : "orientation", planar ? &run->end[i].angle : run->end[i].orientation,
                         planar ? 1 : 4);
        cli_json_numbers(json, "velocity", run->end[i].velocity, planar ? 2 : 3);
        cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
}

static void put_run(cli_json *json, const cli_compare *compare, const cli_compare_run *run)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "with", run->text);
    cli_json_text(json, "status", run->status);
    if (*run->message)
        cli_json_text(json, "message", run->message);
    put_settings(json, &run->settings);
    cli_json_integer(json, "steps", run->steps);
    cli_json_integer(json, "missed", run->missed);
    cli_json_integer(json, "problems", run->problems);
    cli_json_integer(json, "iterations", run->iterations);
    cli_json_integer(json, "fallbacks", run->fallbacks);
    cli_json_integer(json, "contacts_max", run->contacts_max);
    cli_json_number(json, "residual", run->residual);
    cli_json_number(json, "penetration", run->penetration);
    cli_json_number(json, "joint_error", run->joint_error);
    cli_json_number(json, "lift_off", run->lift_off);
    cli_json_number(json, "energy", run->energy);
    cli_json_number(json, "wall_s", run->wall);
    put_difference(json, compare, run);
    put_bodies(json, compare, run);
    cli_json_close(json, '}');
}

void cli_compare_print_json(const cli_compare *compare)
{
    cli_json json = {.stream = stdout};
    cli_json_open(&json, NULL, '{');
    cli_json_text(&json, "scene", compare->scene_name);
    cli_json_text(&json, "title", cairn_scene_title(compare->scene));
    cli_json_text(&json, "version", cairn_version());
    cli_json_number(&json, "until", compare->until);
    cli_json_open(&json, "runs", '[');
    for (int i = 0; i < compare->count; ++i)
        put_run(&json, compare, &compare->runs[i]);
    cli_json_close(&json, ']');
    cli_json_close(&json, '}');
}

/* -------------------------------------------------------------------------------------------------------- picture */

static int draw(const cli_compare *compare, cli_curve *curves)
{
    char label[128];
    snprintf(label, sizeof label, "largest distance from the run with %s (m)", compare->runs[0].text);
    for (int i = 1; i < compare->count; ++i)
    {
        const cli_compare_run *run = &compare->runs[i];
        curves[i - 1] = (cli_curve){.name = run->text,
                                    .x = run->track.time,
                                    .y = run->distance,
                                    .count = run->track.count,
                                    .colour = i - 1,
                                    .dash = (cli_dash)((i - 1) % CLI_DASH_COUNT)};
    }
    cli_chart chart = {.title = cairn_scene_title(compare->scene),
                       .x_label = "time (s)",
                       .y_label = label,
                       .curves = curves,
                       .curve_count = compare->count - 1,
                       .legend = true,
                       .log = true};
    return cli_chart_write(&chart, compare->options->output, 640, 440);
}

int cli_compare_draw(const cli_compare *compare)
{
    cli_curve *curves = cli_allocate((size_t)compare->count, sizeof *curves);
    int result = draw(compare, curves);
    free(curves);
    return result;
}
