/* `cairn query`: geometric queries about the bodies of a scene or a run. */
#include "cli/common/cli.h"
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/scene_source.h"

#include <cairn/query.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct query_options
{
    double at, most;
    bool json, all;
    cli_text_list set;
} query_options;

/* The model, a query with its bodies placed, and the objects that must outlive it. */
typedef struct query_site
{
    cairn_context *context;
    cairn_scene *scene;
    cairn_run *run;
    const cairn_model *model;
    cairn_query *query;
    int dimension;
    double time;
} query_site;

/* -------------------------------------------------------------------------------------------------------- the site */

static cairn_status step_to(query_site *site, double end)
{
    cairn_settings settings = cairn_scene_settings(site->scene);
    cairn_simulation *simulation = NULL;
    cairn_status status = cairn_simulation_create(site->context, site->model, &settings, &simulation);
    while (!status && cairn_simulation_time(simulation) < end - 1e-9 * settings.step)
    {
        double left = end - cairn_simulation_time(simulation);
        status = left < settings.step * (1 - 1e-9) ? cairn_simulation_step_by(simulation, left)
                                                   : cairn_simulation_step(simulation);
    }
    status = status ? status : cairn_query_follow(site->query, simulation);
    site->time = simulation ? cairn_simulation_time(simulation) : 0.0;
    cairn_simulation_destroy(simulation);
    return status;
}

static int open_scene(query_site *site, const char *name, const query_options *o)
{
    int result = cli_scene_load(site->context, name, &o->set, false, &site->scene);
    if (result)
        return result;
    site->model = cairn_scene_model(site->scene);
    cairn_status status = cairn_query_create(site->context, site->model, &site->query);
    if (!status && o->at > 0)
        status = step_to(site, o->at);
    return cli_exit_status(status);
}

/* The last frame at or before a time; without a time, the last frame. */
static cairn_status find_frame(query_site *site, double at, int64_t *frame)
{
    int64_t count = cairn_run_frame_count(site->run);
    double *time = cli_allocate((size_t)count + 1, sizeof *time);
    cairn_status status = cairn_run_read_series(site->run, "time", time);
    *frame = 0;
    for (int64_t i = 0; i < count && !status; ++i)
        *frame = isnan(at) || time[i] <= at + 1e-9 * fabs(at) ? i : *frame;
    site->time = status || count == 0 ? 0.0 : time[*frame];
    free(time);
    return status;
}

static cairn_status open_run(query_site *site, const query_options *o)
{
    cairn_status status = cairn_run_scene(site->run, &site->scene);
    if (status)
        return status;
    int64_t frame;
    cairn_body_state *states = cli_allocate((size_t)cairn_run_body_count(site->run) + 1, sizeof *states);
    site->model = cairn_scene_model(site->scene);
    status = cairn_query_create(site->context, site->model, &site->query);
    status = status ? status : find_frame(site, o->at, &frame);
    status = status ? status : cairn_run_read_frame(site->run, frame, states);
    status = status ? status : cairn_query_place(site->query, states);
    free(states);
    return status;
}

static int open_site(query_site *site, const char *name, const query_options *o)
{
    int result;
    if (cli_path_is_run(name))
    {
        cairn_status status = cairn_run_open(site->context, name, &site->run);
        bool there = status != CAIRN_IO;
        status = status ? status : open_run(site, o);
        result = there ? cli_exit_status(status) : CLI_EXIT_WRONG;
    }
    else
    {
        result = open_scene(site, name, o);
    }
    cli_messages_print(site->context);
    site->dimension = result ? 0 : cairn_model_dimension(site->model);
    return result;
}

/* -------------------------------------------------------------------------------------------------------- arguments */

/* The next `count` words as numbers. */
static bool take_numbers(char **words, int count, double *out)
{
    for (int i = 0; i < count; ++i)
    {
        char *end;
        out[i] = strtod(words[i], &end);
        if (end == words[i] || *end || !isfinite(out[i]))
            return cli_error("query: expected a finite number, found '%s'", words[i]);
    }
    return true;
}

static bool take_body(const query_site *site, const char *name, cairn_body *out)
{
    *out = cairn_model_find_body(site->model, name);
    if (out->id == 0)
    {
        cairn_suggestion near = {.word = name};
        for (int i = 0; i < cairn_model_body_count(site->model); ++i)
            cairn_suggestion_offer(&near, cairn_model_body_name(site->model, cairn_model_body(site->model, i)));
        cli_error("query: there is no body '%s'%s", name, near.hint);
    }
    return out->id != 0;
}

static bool check_count(const char *kind, int found, int wanted, const char *form)
{
    if (found != wanted)
        cli_error("query: %s takes %d arguments (%s), found %d", kind, wanted, form, found);
    return found == wanted;
}

/* ------------------------------------------------------------------------------------------------------------ answers */

static void print_vector(const char *name, const double *x, int dimension)
{
    printf("  %-9s", name);
    for (int k = 0; k < dimension; ++k)
        printf(" %.12g", x[k] + 0.0); /* avoid -0 */
    printf("\n");
}

static void begin_json(cli_json *json, const query_site *site, const char *kind)
{
    cli_json_open(json, NULL, '{');
    cli_json_text(json, "query", kind);
    cli_json_number(json, "time", site->time);
}

static void print_distance(const query_site *site, const query_options *o, const char *kind, const cairn_distance *d,
                           const char *a, const char *b)
{
    if (o->json)
    {
        cli_json json = {.stream = stdout};
        begin_json(&json, site, kind);
        cli_json_number(&json, "distance", d->distance);
        cli_json_numbers(&json, "normal", d->normal, site->dimension);
        cli_json_numbers(&json, "point_a", d->point_a, site->dimension);
        cli_json_numbers(&json, "point_b", d->point_b, site->dimension);
        cli_json_close(&json, '}');
        return;
    }
    printf("%s and %s at t = %g s: %s %.12g m\n", a, b, site->time, d->distance < 0 ? "overlap by" : "apart by",
           fabs(d->distance));
    print_vector("normal", d->normal, site->dimension);
    print_vector("point a", d->point_a, site->dimension);
    print_vector("point b", d->point_b, site->dimension);
}

static int ask_distance(query_site *site, const query_options *o, int count, char **words)
{
    cairn_body a, b;
    cairn_distance d;
    if (!check_count("distance", count, 2, "BODY BODY") || !take_body(site, words[0], &a) ||
        !take_body(site, words[1], &b))
        return CLI_EXIT_WRONG;
    cairn_status status = cairn_query_distance(site->query, a, b, &d);
    if (!status)
        print_distance(site, o, "distance", &d, words[0], words[1]);
    return cli_exit_status(status);
}

static int ask_closest(query_site *site, const query_options *o, int count, char **words)
{
    cairn_body body;
    cairn_distance d;
    double point[3] = {0};
    if (!check_count("closest", count, 1 + site->dimension, site->dimension == 2 ? "BODY X Y" : "BODY X Y Z") ||
        !take_body(site, words[0], &body) || !take_numbers(words + 1, site->dimension, point))
        return CLI_EXIT_WRONG;
    cairn_status status = cairn_query_closest(site->query, body, point, &d);
    if (!status)
        print_distance(site, o, "closest", &d, words[0], "the point");
    return cli_exit_status(status);
}

static void print_hit(const query_site *site, cli_json *json, const cairn_ray_hit *hit)
{
    const char *name = cairn_model_body_name(site->model, hit->body);
    if (json)
    {
        cli_json_open(json, NULL, '{');
        cli_json_text(json, "body", name);
        cli_json_integer(json, "shape", cairn_model_shape_index(site->model, hit->shape));
        cli_json_number(json, "distance", hit->distance);
        cli_json_numbers(json, "point", hit->point, site->dimension);
        cli_json_numbers(json, "normal", hit->normal, site->dimension);
        cli_json_bool(json, "inside", hit->inside);
        cli_json_close(json, '}');
        return;
    }
    printf("%s at %.12g m%s\n", name, hit->distance, hit->inside ? " (the ray starts inside)" : "");
    print_vector("point", hit->point, site->dimension);
    print_vector("normal", hit->normal, site->dimension);
}

static void print_hits(const query_site *site, const query_options *o, const cairn_ray_hit *hits, int count)
{
    cli_json json = {.stream = stdout};
    if (o->json)
    {
        begin_json(&json, site, "ray");
        cli_json_open(&json, "hits", '[');
    }
    else if (count == 0)
    {
        printf("nothing is hit\n");
    }
    for (int i = 0; i < (o->all ? count : count > 0); ++i)
        print_hit(site, o->json ? &json : NULL, &hits[i]);
    if (o->json)
    {
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
    }
}

static int ask_ray(query_site *site, const query_options *o, int count, char **words)
{
    int n = site->dimension, found = 0, room = cairn_model_shape_count(site->model);
    double origin[3] = {0}, direction[3] = {0};
    if (!check_count("ray", count, 2 * n, n == 2 ? "X Y DX DY" : "X Y Z DX DY DZ") || !take_numbers(words, n, origin) ||
        !take_numbers(words + n, n, direction))
        return CLI_EXIT_WRONG;
    cairn_ray_hit *hits = cli_allocate((size_t)room + 1, sizeof *hits);
    cairn_status status = cairn_query_ray(site->query, origin, direction, o->most, hits, room, &found);
    if (!status)
        print_hits(site, o, hits, found);
    free(hits);
    return cli_exit_status(status);
}

static bool take_region(const query_site *site, int count, char **words, cairn_region *region)
{
    int n = site->dimension;
    bool ball = count > 0 && !strcmp(words[0], "ball"), box = count > 0 && !strcmp(words[0], "box");
    if (!ball && !box)
    {
        return cli_error("query: overlap takes 'ball' or 'box' and its place, found %s%s%s", count > 0 ? "'" : "",
                         count > 0 ? words[0] : "nothing", count > 0 ? "'" : "");
    }
    const char *form = ball ? (n == 2 ? "ball X Y RADIUS" : "ball X Y Z RADIUS")
                            : (n == 2 ? "box X Y WIDTH HEIGHT" : "box X Y Z DX DY DZ");
    return check_count("overlap", count, 1 + n + (ball ? 1 : n), form) && take_numbers(words + 1, n, region->centre) &&
           take_numbers(words + 1 + n, ball ? 1 : n, ball ? &region->radius : region->size);
}

static int ask_overlap(query_site *site, const query_options *o, int count, char **words)
{
    cairn_region region = {.radius = 0};
    int found = 0, room = cairn_model_body_count(site->model);
    if (!take_region(site, count, words, &region))
        return CLI_EXIT_WRONG;
    cairn_body *bodies = cli_allocate((size_t)room + 1, sizeof *bodies);
    cairn_status status = cairn_query_overlap(site->query, &region, bodies, room, &found);
    cli_json json = {.stream = stdout};
    if (!status && o->json)
    {
        begin_json(&json, site, "overlap");
        cli_json_open(&json, "bodies", '[');
    }
    for (int i = 0; i < found && !status; ++i)
    {
        const char *name = cairn_model_body_name(site->model, bodies[i]);
        o->json ? cli_json_text(&json, NULL, name) : (void)puts(name);
    }
    if (!status && o->json)
    {
        cli_json_close(&json, ']');
        cli_json_close(&json, '}');
    }
    free(bodies);
    return cli_exit_status(status);
}

static void print_quantity(void *data, const char *name, const cairn_quantity *quantity)
{
    cli_json *json = data;
    if (json)
        cli_json_text(json, name, quantity->unit);
    else
        printf("%-40s %s%s\n", name, quantity->unit,
               quantity->count > 3   ? "  (several numbers)"
               : quantity->count > 1 ? "  (vector)"
                                     : "");
}

/* The names of all quantities, and their units. */
static int ask_quantities(query_site *site, const query_options *o, int count, char **words)
{
    (void)words;
    if (!check_count("quantities", count, 0, "nothing more"))
        return CLI_EXIT_WRONG;
    cli_json json = {.stream = stdout};
    if (o->json)
    {
        begin_json(&json, site, "quantities");
        cli_json_open(&json, "units", '{');
    }
    cairn_status status = cairn_quantity_each(site->model, print_quantity, o->json ? &json : NULL);
    if (o->json)
    {
        cli_json_close(&json, '}');
        cli_json_close(&json, '}');
    }
    return cli_exit_status(status);
}

/* ----------------------------------------------------------------------------------------------------------- command */

static const struct
{
    const char *name;
    int (*ask)(query_site *site, const query_options *o, int count, char **words);
} KINDS[] = {{"ray", ask_ray},
             {"distance", ask_distance},
             {"overlap", ask_overlap},
             {"closest", ask_closest},
             {"quantities", ask_quantities}};
enum
{
    KIND_COUNT = sizeof KINDS / sizeof KINDS[0]
};

static int find_kind(const char *name)
{
    cairn_suggestion near = {.word = name};
    for (int i = 0; i < KIND_COUNT; ++i)
    {
        if (!strcmp(name, KINDS[i].name))
            return i;
        cairn_suggestion_offer(&near, KINDS[i].name);
    }
    cli_error("query: unknown question '%s'%s%s known are ray, distance, overlap, closest and quantities", name,
              near.hint, near.hint[0] ? "" : ";");
    return -1;
}

static int ask(void *data, int count, char **words)
{
    const query_options *o = data;
    int kind = find_kind(words[1]);
    if (kind < 0)
        return CLI_EXIT_WRONG;
    if (!isnan(o->at) && o->at < 0)
        return cli_wrong("option --at: must be 0 or more, found %g", o->at);
    query_site site = {.context = cli_context_create()};
    int result = open_site(&site, words[0], o);
    result = result ? result : KINDS[kind].ask(&site, o, count - 2, words + 2);
    cli_messages_print(site.context);
    cairn_query_destroy(site.query);
    cairn_scene_destroy(site.scene);
    cairn_run_close(site.run);
    cairn_context_destroy(site.context);
    return result;
}

int cli_command_query(int argc, char **argv)
{
    query_options o = {.at = NAN, .most = INFINITY};
    const cli_option options[] = {
        {CLI_VALUE(NUMBER, "at", 0, &o.at, "TIME",
                   "s: simulate a scene up to this time (default 0); use the frame of a run at or before it (default: "
                   "the last)")},
        {CLI_FLAG("all", 0, &o.all, "ray: list all shapes hit, nearest first, not only the nearest")},
        {CLI_VALUE(NUMBER, "most", 0, &o.most, "LENGTH", "ray: length in m; default: unlimited")},
        {CLI_VALUE(LIST, "set", 's', &o.set, "NAME=VALUE", "set a parameter of the scene; repeatable")},
        {CLI_FLAG("json", 0, &o.json, "print one JSON object")},
        {0},
    };
    const cli_command command = {
        .usage = "query SCENE|RUN QUESTION ARGUMENTS [options]",
        .text = "Geometric queries about the bodies of a scene (a file, or a built-in scene) or of a run file:\n\n  "
                "ray X Y Z DX DY DZ        what a ray from a point in a direction hits first\n  distance A B           "
                "   how far two bodies are apart, or how deep they overlap\n  closest BODY X Y Z        the point of a "
                "body nearest to a point\n  overlap ball X Y Z R      the bodies that touch a ball, or\n  overlap box "
                "X Y Z A B C   a box with edges A, B, C about a centre\n  quantities                the names of all "
                "quantities, and their units\n\nPlanar scenes take no Z, DZ and C. Lengths "
                "are in m. For example, what lies below a point 20 m\nup in the built-in scene box-stack:\n\n  cairn "
                "query box-stack ray 0 0 20 0 0 -1 --all",
        .options = options,
        .least = 2,
        .most = 10,
        .work = ask,
        .data = &o};
    return cli_command_call(&command, argc, argv);
}
