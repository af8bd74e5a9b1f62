/* A family is a world in every combination of its sizes, frictions and extra numbers; each is run for as many steps as its last
 * moment says, under exact friction, and its problems are kept at the moments. Zeros end the lists of sizes and moments, a
 * negative number the others. */
#include "support/problems/problem_set.h"

#include "support/problems/problem_worlds.h"

#include <stdio.h>
#include <string.h>

enum
{
    MOST = 8,
    LATE = 60, /* steps to wait for a push after the last moment */
    SAMPLE = 7 /* one world in so many is in the sample */
};

/* How the steps are made. */
typedef enum way
{
    BY_AUTO,
    BY_SWEEPS /* gauss-seidel alone: `auto` would spend minutes on some of these */
} way;

typedef struct family
{
    const char *name;
    problem_world_fn *build; /* NULL: the built-in scene of this name */
    int dimension;
    way way;
    int sizes[MOST];
    double mus[MOST];
    double extras[MOST];
    int moments[MOST]; /* steps */
} family;

static const family FAMILIES[] = {
    {"stack", problem_world_stack, 3, BY_AUTO, {1, 3, 10, 30}, {0, 0.3, 1, -1}, {0, 1, -1}, {2, 12}},
    {"heavy", problem_world_heavy, 3, BY_AUTO, {2, 6, 15}, {0.3, 1, -1}, {1e2, 1e4, 1e6, -1}, {1, 10}},
    {"table", problem_world_table, 3, BY_AUTO, {2, 4, 7}, {0.2, 0.7, -1}, {0, 1, -1}, {1, 3, 15}},
    {"planks", problem_world_planks, 3, BY_AUTO, {4, 12, 25}, {0.1, 0.5, -1}, {2, 4, -1}, {1, 5, 20}},
    {"wall", problem_world_wall, 3, BY_AUTO, {3, 8, 14}, {0.3, 0.8, -1}, {4, 10, -1}, {2, 8, 25}},
    {"pyramid", problem_world_pyramid, 3, BY_AUTO, {2, 4, 6, 8}, {0.2, 0.6, -1}, {0, 1, -1}, {1, 4, 20}},
    {"bin", problem_world_bin, 3, BY_SWEEPS, {8, 50, 250, 700}, {0.1, 0.5, -1}, {1, 3, -1}, {8, 25, 60}},
    {"grains", problem_world_grains, 3, BY_AUTO, {20, 120}, {0.2, 0.6, -1}, {1e3, 1e6, -1}, {10, 30, 60}},
    {"cannon", problem_world_cannon, 3, BY_SWEEPS, {3, 6, 9, 13}, {0.1, 0.4, -1}, {0, 1e-3, -1}, {1, 3, 8}},
    {"rubble", problem_world_rubble, 3, BY_AUTO, {10, 40, 120}, {0.3, 0.9, -1}, {1.5, 4, -1}, {15, 40, 80}},
    {"chain", problem_world_chain, 3, BY_AUTO, {3, 8, 20}, {0.1, 0.6, -1}, {1, 1e3, -1}, {2, 12, 50}},
    {"slope", problem_world_slope, 3, BY_AUTO, {1, 4, 20}, {0, 0.2, 0.7, -1}, {0.3, -1}, {1, 5, 20}},
    {"net", problem_world_net, 3, BY_AUTO, {2, 5, 9}, {0.2, 0.8, -1}, {1e3, 1e7, -1}, {2, 5, 15}},
    {"spin", problem_world_spin, 3, BY_AUTO, {1, 4, 10}, {0.3, 1, -1}, {2, 20, -1}, {12, 30, 60}},
    {"disks", problem_world_disks, 2, BY_AUTO, {10, 60, 250}, {0, 0.4, 1, -1}, {1, 4, -1}, {10, 40}},
    {"shards", problem_world_shards, 2, BY_AUTO, {12, 60, 150}, {0.2, 0.8, -1}, {3, 6, -1}, {10, 40}},
    {"rows", problem_world_rows, 2, BY_AUTO, {3, 8, 14}, {0.2, 0.8, -1}, {1, 1e4, -1}, {1, 6, 20}},
    {"track", problem_world_track, 2, BY_AUTO, {3, 10, 30}, {0.2, 0.8, -1}, {0, 3, -1}, {1, 10, 30}},
    {"arch", NULL, 2, BY_AUTO, {1}, {0.2, 0.4, 0.6, 1, -1}, {0, -1}, {1, 10, 40}},
    {"card-house", NULL, 2, BY_AUTO, {1}, {0.1, 0.3, 0.6, 1, -1}, {0, -1}, {1, 10, 40}},
    {"brazil-nut", NULL, 2, BY_SWEEPS, {1}, {0.2, 0.5, -1}, {0, -1}, {5, 12, 30}},
    {"sphere-heap", NULL, 3, BY_AUTO, {1}, {0.1, 0.3, 0.8, -1}, {0, -1}, {5, 30, 80}},
};

static int count_sizes(const int *list)
{
    int count = 0;
    while (count < MOST && list[count] > 0)
        ++count;
    return count;
}

static int count_numbers(const double *list)
{
    int count = 0;
    while (count < MOST && list[count] >= 0)
        ++count;
    return count;
}

static int family_count(const family *f)
{
    return count_sizes(f->sizes) * count_numbers(f->mus) * count_numbers(f->extras);
}

int problem_set_world_count(void)
{
    int count = 0;
    for (size_t i = 0; i < sizeof FAMILIES / sizeof FAMILIES[0]; ++i)
        count += family_count(&FAMILIES[i]);
    return count;
}

/* The family of a world; *place is the world's number within it. */
static const family *find(int world, int *place)
{
    const family *f = FAMILIES;
    for (*place = world; *place >= family_count(f); ++f)
        *place -= family_count(f);
    return f;
}

bool problem_set_is_sample(int world)
{
    int place;
    const family *f = find(world, &place);
    int rank = place / count_numbers(f->extras) / count_numbers(f->mus);
    return world % SAMPLE == 0 && rank < 2;
}

/* One world as it is being run. */
typedef struct stage
{
    const family *family;
    int size;
    double mu, extra;
    cairn_scene *scene;
    cairn_model *model;
    cairn_simulation *simulation;
    cairn_settings settings;
} stage;

static stage choose(int world)
{
    int place;
    const family *f = find(world, &place);
    int extras = count_numbers(f->extras);
    int mus = count_numbers(f->mus);
    stage s = {.family = f, .settings = cairn_settings_default()};
    s.settings.initial = CAIRN_INITIAL_KEEP;
    s.extra = f->extras[place % extras];
    s.mu = f->mus[place / extras % mus];
    s.size = f->sizes[place / extras / mus];
    return s;
}

static cairn_status open_scene(cairn_context *context, stage *s)
{
    char mu[32];
    snprintf(mu, sizeof mu, "%g", s->mu);
    cairn_parameter parameter = {"mu", mu};
    const cairn_builtin *scene = cairn_builtin_find(s->family->name);
    cairn_status status =
        scene ? cairn_scene_parse(context, scene->name, scene->text, scene->length, &parameter, 1, &s->scene)
              : CAIRN_INVALID;
    if (!status)
        s->settings = cairn_scene_settings(s->scene);
    return status;
}

static cairn_status open_stage(cairn_context *context, stage *s)
{
    cairn_status status;
    if (s->family->build)
    {
        builder b = builder_open(context, s->family->dimension, s->mu, 1 + (uint64_t)s->size);
        s->family->build(&b, s->size, s->extra);
        s->model = b.model;
        status = b.status;
    }
    else
    {
        status = open_scene(context, s);
    }
    s->settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    s->settings.integrator = CAIRN_INTEGRATOR_STIFF;
    if (s->family->way == BY_SWEEPS)
    {
        s->settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
        s->settings.solver.max_iterations = 1000;
    }
    else
    {
        s->settings.solver.kind = CAIRN_SOLVER_AUTO;
    }
    s->settings.solver.tolerance = s->family->way == BY_SWEEPS ? 1e-4 : 1e-5;
    const cairn_model *model = s->scene ? cairn_scene_model(s->scene) : s->model;
    return status ? status : cairn_simulation_create(context, model, &s->settings, &s->simulation);
}

static void close_stage(stage *s)
{
    cairn_simulation_destroy(s->simulation);
    cairn_scene_destroy(s->scene);
    cairn_model_destroy(s->model);
}

/* Sizes and numbers in the name, so that a name tells its problem. */
void problem_set_name(int world, char *name, size_t size)
{
    stage s = choose(world);
    snprintf(name, size, "%s-%d-mu%g-%g", s.family->name, s.size, s.mu, s.extra);
}

static bool visit_one(const stage *s, int step, problem_set_fn *visit, void *data)
{
    char name[64];
    snprintf(name, sizeof name, "%s-%d-mu%g-%g-%03d", s->family->name, s->size, s->mu, s->extra, step);
    return visit(data, name, cairn_simulation_problem(s->simulation));
}

/* Whether anything pushes: problems that r = 0 solves are not worth keeping. */
static bool pushes(const cairn_solution *solution)
{
    bool found = false;
    for (int i = 0; i < solution->contact_rows && !found; ++i)
        found = solution->r[i] != 0;
    return found;
}

/* Each moment is the first step from there on in which contacts push. A problem that stops the world because nothing solves it
 * is one to keep. */
static cairn_status run_stage(stage *s, problem_set_fn *visit, void *data)
{
    const int *moments = s->family->moments;
    int count = count_sizes(moments);
    int next = 0;
    cairn_status status = CAIRN_OK;
    bool go_on = true;
    for (int step = 1; next < count && step <= moments[count - 1] + LATE && !status && go_on; ++step)
    {
        status = cairn_simulation_step(s->simulation);
        if (!status && step >= moments[next] && pushes(cairn_simulation_solution(s->simulation)))
        {
            go_on = visit_one(s, moments[next++], visit, data);
        }
        else if (status == CAIRN_UNSOLVED)
        {
            visit_one(s, step, visit, data);
            return CAIRN_OK;
        }
    }
    return status;
}

cairn_status problem_set_run(cairn_context *context, int world, problem_set_fn *visit, void *data)
{
    stage s = choose(world);
    cairn_status status = open_stage(context, &s);
    status = status ? status : run_stage(&s, visit, data);
    close_stage(&s);
    return status;
}

typedef struct writer
{
    cairn_context *context;
    const char *directory;
    cairn_status status;
    int count;
} writer;

/* Springs that outweigh the masses are compliant rows, for which the global layout has no place. */
static bool has_compliant_joints(const cairn_problem *problem)
{
    for (int i = 0; i < problem->joint_rows; ++i)
        if (problem->R_c && problem->R_c[i] > 0)
            return true;
    return false;
}

static bool write_one(void *data, const char *name, const cairn_problem *problem)
{
    writer *w = data;
    char path[4096];
    cairn_fclib_options options = cairn_fclib_default();
    options.title = name;
    options.layout = has_compliant_joints(problem) ? CAIRN_FCLIB_LOCAL : options.layout;
    snprintf(path, sizeof path, "%s/%s.hdf5", w->directory, name);
    w->status = cairn_problem_save_fclib(w->context, problem, path, &options);
    w->count += !w->status;
    return !w->status;
}

int problem_set_write(cairn_context *context, const char *directory, bool sample)
{
    writer w = {.context = context, .directory = directory};
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < problem_set_world_count() && !status && !w.status; ++i)
        if (!sample || problem_set_is_sample(i))
            status = problem_set_run(context, i, write_one, &w);
    return status || w.status ? -1 : w.count;
}
