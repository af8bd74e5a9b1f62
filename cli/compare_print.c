/* A comparison for people, as JSON, and as a picture of the distances over time. */
#include "compare.h"
#include "draw.h"
#include "json.h"
#include "plot_chart.h"
#include "plot_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------------------------------------- text */

static const char *body_name(const crn_compare *compare, int body)
{
    const cairn_model *model = cairn_scene_model(compare->scene);
    return body < 0 ? "-" : cairn_model_body_name(model, cairn_model_body(model, body));
}

static void print_number(int width, const char *format, double value)
{
    char text[40] = "-";
    if (!isnan(value))
    {
        snprintf(text, sizeof text, format, value);
    }
    printf("  %*s", width, text);
}

static void print_row(const crn_compare *compare, const crn_compare_run *run, int width)
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

void crn_compare_print_text(const crn_compare *compare)
{
    const char *title = cairn_scene_title(compare->scene);
    int width = (int)strlen("setting");
    for (int i = 0; i < compare->count; ++i)
    {
        int length = (int)strlen(compare->runs[i].text);
        width = length > width ? length : width;
    }
    printf("%s%s%s\n", compare->scene_name, *title ? ": " : "", title);
    printf("  to t = %g s; differences are the largest of a body from the first run\n\n", compare->until);
    printf("  %-*s  %12s  %-10s  %11s  %12s  %9s  %11s  %9s  %8s  %10s  %8s\n", width, "setting", "at end [m]",
           "of body", "angle [rad]", "ever [m]", "residual", "penetr. [m]", "lift [m]", "contacts", "iterations",
           "wall [s]");
    for (int i = 0; i < compare->count; ++i)
    {
        print_row(compare, &compare->runs[i], width);
    }
    if (compare->options->output)
    {
        printf("\n  picture  %s\n", compare->options->output);
    }
}

/* ----------------------------------------------------------------------------------------------------------- JSON */

static void put_setting(crn_json *json, const cairn_settings *s)
{
    char law[64];
    cairn_law_name(s->law, law, sizeof law);
    crn_json_open(json, "settings", '{');
    crn_json_number(json, "step", s->step);
    crn_json_text(json, "integrator", cairn_integrator_name(s->integrator));
    crn_json_text(json, "law", law);
    crn_json_text(json, "stabilisation", cairn_stabilisation_name(s->stabilisation));
    crn_json_text(json, "solver", cairn_solver_kind_name(s->solver.kind));
    crn_json_text(json, "forces", cairn_forces_name(s->solver.forces));
    crn_json_number(json, "solver_tolerance", s->solver.tolerance);
    crn_json_close(json, '}');
}

static void put_difference(crn_json *json, const crn_compare *compare, const crn_compare_run *run)
{
    crn_json_open(json, "difference", '{');
    crn_json_number(json, "position", run->position);
    crn_json_text(json, "body", body_name(compare, run->worst));
    crn_json_number(json, "angle", run->angle);
    crn_json_number(json, "largest", run->largest);
    crn_json_number(json, "largest_time", run->largest_time);
    crn_json_numbers(json, "time", run->track.time, (int)run->track.count);
    crn_json_numbers(json, "distance", run->distance, (int)run->track.count);
    crn_json_close(json, '}');
}

static void put_bodies(crn_json *json, const crn_compare *compare, const crn_compare_run *run)
{
    bool planar = cairn_model_dimension(cairn_scene_model(compare->scene)) == 2;
    crn_json_open(json, "bodies", '[');
    for (int i = 0; run->end && i < compare->body_count; ++i)
    {
        crn_json_open(json, NULL, '{');
        crn_json_text(json, "name", body_name(compare, i));
        crn_json_numbers(json, "position", run->end[i].position, planar ? 2 : 3);
        crn_json_numbers(json, planar ? "angle" : "orientation", planar ? &run->end[i].angle : run->end[i].orientation,
                         planar ? 1 : 4);
        crn_json_numbers(json, "velocity", run->end[i].velocity, planar ? 2 : 3);
        crn_json_close(json, '}');
    }
    crn_json_close(json, ']');
}

static void put_run(crn_json *json, const crn_compare *compare, const crn_compare_run *run)
{
    crn_json_open(json, NULL, '{');
    crn_json_text(json, "with", run->text);
    crn_json_text(json, "status", run->status);
    if (*run->message)
    {
        crn_json_text(json, "message", run->message);
    }
    put_setting(json, &run->settings);
    crn_json_integer(json, "steps", run->steps);
    crn_json_integer(json, "missed", run->missed);
    crn_json_integer(json, "problems", run->problems);
    crn_json_integer(json, "iterations", run->iterations);
    crn_json_integer(json, "fallbacks", run->fallbacks);
    crn_json_integer(json, "contacts_max", run->contacts_max);
    crn_json_number(json, "residual", run->residual);
    crn_json_number(json, "penetration", run->penetration);
    crn_json_number(json, "joint_error", run->joint_error);
    crn_json_number(json, "lift_off", run->lift_off);
    crn_json_number(json, "energy", run->energy);
    crn_json_number(json, "wall_s", run->wall);
    put_difference(json, compare, run);
    put_bodies(json, compare, run);
    crn_json_close(json, '}');
}

void crn_compare_print_json(const crn_compare *compare)
{
    crn_json json = {.stream = stdout};
    crn_json_open(&json, NULL, '{');
    crn_json_text(&json, "scene", compare->scene_name);
    crn_json_text(&json, "title", cairn_scene_title(compare->scene));
    crn_json_text(&json, "version", cairn_version());
    crn_json_number(&json, "until", compare->until);
    crn_json_open(&json, "runs", '[');
    for (int i = 0; i < compare->count; ++i)
    {
        put_run(&json, compare, &compare->runs[i]);
    }
    crn_json_close(&json, ']');
    crn_json_close(&json, '}');
}

/* -------------------------------------------------------------------------------------------------------- picture */

static int draw(const crn_compare *compare, crn_curve *curves)
{
    char label[128];
    snprintf(label, sizeof label, "largest distance from the run with %s (m)", compare->runs[0].text);
    for (int i = 1; i < compare->count; ++i)
    {
        const crn_compare_run *run = &compare->runs[i];
        curves[i - 1] = (crn_curve){.name = run->text,
                                    .x = run->track.time,
                                    .y = run->distance,
                                    .count = run->track.count,
                                    .colour = i - 1,
                                    .dash = (crn_dash)((i - 1) % CRN_DASH_COUNT)};
    }
    crn_chart chart = {.title = cairn_scene_title(compare->scene),
                       .x_label = "time (s)",
                       .y_label = label,
                       .curves = curves,
                       .curve_count = compare->count - 1,
                       .legend = true,
                       .log = true};
    crn_drawing drawing;
    int status = crn_drawing_open(&drawing, compare->options->output, 640, 440);
    if (status)
    {
        return status;
    }
    if (crn_chart_draw(&drawing.canvas, &chart))
    {
        return crn_drawing_close(&drawing);
    }
    crn_drawing_abandon(&drawing);
    return crn_plot_no_memory();
}

int crn_compare_draw(const crn_compare *compare)
{
    crn_curve *curves = calloc((size_t)compare->count, sizeof *curves);
    int result = curves ? draw(compare, curves) : crn_plot_no_memory();
    free(curves);
    return result;
}
