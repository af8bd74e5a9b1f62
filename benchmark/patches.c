/* What compliance costs: a small pile of balls whose contacts are patches of 7 x 7 elements, beside a larger pile of rigid balls
 * that has as many rows. Both are let settle, then the problem of every further step is solved from nothing and from the
 * impulses of the step before, by the solver's own choice. The time a row of the one over that of the other should stay
 * below 2. */
#include "bench.h"
#include "support/problems/random_problem.h"

#include <cairn/cairn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SETTLE = 100,
    MOMENTS = 9,
    ELEMENTS = 7
};

/* A four-sided pile of balls of radius 0.05 and up to 3 % less (an even lattice is no heap: which contacts carry is open),
 * each in the hollow of those below; `elements` 0: rigid. */
static cairn_model *make_pile(cairn_context *context, int side, int elements)
{
    cairn_model *model = NULL;
    cairn_material_options rubber = cairn_material_default();
    cairn_material material;
    rubber.name = "rubber";
    rubber.friction = 0.3;
    rubber.patch = (cairn_patch_options){elements, 6e-4, 2e-8, 0.3, 1.0, 0.0, CAIRN_KERNEL_MEAN};
    test_random random = {7};
    cairn_status status = cairn_model_create(context, 3, &model);
    status = status ? status : cairn_model_add_material(model, &rubber, &material);
    cairn_body_options ground = cairn_body_default();
    cairn_body body;
    cairn_shape shape;
    ground.name = "ground";
    ground.kind = CAIRN_FIXED;
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_SPACE);
    plane.material = material;
    status = status ? status : cairn_model_add_body(model, &ground, &body);
    status = status ? status : cairn_model_add_shape(model, body, &plane, &shape);
    for (int layer = 0; layer < side; ++layer)
    {
        int width = side - layer;
        for (int k = 0; k < width * width && !status; ++k)
        {
            char name[32];
            cairn_body_options ball = cairn_body_default();
            snprintf(name, sizeof name, "ball %d %d", layer, k);
            ball.name = name;
            ball.position[0] = 0.1 * (k % width + 0.5 * layer);
            ball.position[1] = 0.1 * (double)(k / width) + 0.05 * layer;
            ball.position[2] = 0.05 + 0.1 * layer * sqrt(0.5);
            cairn_shape_options sphere = cairn_shape_default(CAIRN_SPHERE);
            sphere.radius = 0.05 * (1 - test_uniform(&random, 0, 0.03));
            sphere.density = 2000;
            sphere.material = material;
            status = cairn_model_add_body(model, &ball, &body);
            status = status ? status : cairn_model_add_shape(model, body, &sphere, &shape);
        }
    }
    if (status)
    {
        cairn_model_destroy(model);
        return NULL;
    }
    return model;
}

typedef struct cost
{
    int contacts;
    double cold, warm; /* s, median of the moments */
    double iterations;
    double certificate; /* worst */
} cost;

static double solve(cairn_solver *solver, const cairn_problem *problem, const double *guess, cost *out)
{
    cairn_solver_options options = cairn_solver_default();
    cairn_solver_report report;
    cairn_solution solution;
    options.guess = guess;
    double start = bench_now();
    bool fine = !cairn_solver_solve(solver, problem, &options, &solution, &report);
    double time = bench_now() - start;
    out->certificate = fmax(out->certificate, fine ? report.certificate.relative : INFINITY);
    out->iterations += fine && !guess ? (double)report.iterations / MOMENTS : 0;
    return time;
}

/* The impulses of the step before as a guess: both steps have the same contacts, or there is none. */
static bool measure_moments(cairn_simulation *simulation, cairn_solver *solver, cost *out)
{
    double cold[MOMENTS], warm[MOMENTS];
    double *guess = NULL;
    int rows = 0;
    bool fine = true;
    for (int i = 0; i < SETTLE && fine; ++i)
        fine = !cairn_simulation_step(simulation);
    for (int i = 0; i < MOMENTS && fine; ++i)
    {
        fine = !cairn_simulation_step(simulation);
        const cairn_problem *problem = cairn_simulation_problem(simulation);
        const cairn_solution *solution = cairn_simulation_solution(simulation);
        bool same = rows == solution->contact_rows;
        cold[i] = solve(solver, problem, NULL, out);
        warm[i] = solve(solver, problem, same ? guess : NULL, out);
        rows = solution->contact_rows;
        double *next = realloc(guess, (size_t)rows * sizeof(double));
        guess = next ? next : guess;
        memcpy(guess, solution->r, (size_t)rows * sizeof(double));
        out->contacts = problem->contact_count;
    }
    out->cold = fine ? bench_median(cold, MOMENTS) : 0;
    out->warm = fine ? bench_median(warm, MOMENTS) : 0;
    free(guess);
    return fine;
}

static cost measure_pile(bench_run *run, int side, int elements)
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = make_pile(context, side, elements);
    cairn_settings settings = cairn_settings_default();
    settings.step = 1e-3;
    cairn_simulation *simulation = NULL;
    cairn_solver *solver = cairn_solver_create(context);
    cost out = {0};
    bool fine = model && !cairn_simulation_create(context, model, &settings, &simulation) &&
                measure_moments(simulation, solver, &out) && out.certificate <= 1e-9;
    if (!fine)
    {
        bench_wrong(run, elements ? "soft pile" : "rigid pile");
        fprintf(stderr, "  %s\n", cairn_context_last_message(context));
    }
    cairn_solver_destroy(solver);
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return out;
}

/* The first rigid pile that has as many contacts, from one of about so many balls on. */
static cost measure_rigid(bench_run *run, int contacts, int *side)
{
    cost out = {0};
    *side = (int)cbrt(contacts);
    do
    {
        *side += 1;
        out = measure_pile(run, *side, 0);
    } while (out.contacts > 0 && out.contacts < contacts);
    return out;
}

static void print_cost(bench_run *run, const char *name, int side, const cost *c, bool first)
{
    double row = 1e6 / (3.0 * fmax(c->contacts, 1));
    printf("  %-6s %5d %9d %10.2f %10.2f %10.2f %10.2f %11.1f\n", name, side, c->contacts, 1e3 * c->cold, 1e3 * c->warm,
           c->cold * row, c->warm * row, c->iterations);
    if (run->json)
    {
        fprintf(run->json,
                "%s    {\"pile\": \"%s\", \"side\": %d, \"contacts\": %d, \"cold_ms\": %.4f, \"warm_ms\": %.4f}",
                first ? "" : ",\n", name, side, c->contacts, 1e3 * c->cold, 1e3 * c->warm);
    }
}

void bench_patches(bench_run *run)
{
    printf("\nCompliant patches of %d x %d elements beside rigid contacts: ms a problem, us a row, law cone\n",
           ELEMENTS, ELEMENTS);
    printf("  %-6s %5s %9s %10s %10s %10s %10s %11s\n", "pile", "side", "contacts", "cold", "warm", "cold/row",
           "warm/row", "iterations");
    if (run->json)
        fprintf(run->json, "[\n");
    for (int side = 1; side <= (run->quick ? 1 : 3); ++side)
    {
        cost soft = measure_pile(run, side, ELEMENTS);
        int other;
        cost rigid = measure_rigid(run, soft.contacts, &other);
        print_cost(run, "soft", side, &soft, side == 1);
        print_cost(run, "rigid", other, &rigid, false);
        if (soft.contacts && rigid.contacts)
        {
            double share = (double)rigid.contacts / soft.contacts;
            printf("  soft over rigid, a row: cold %.2f, warm %.2f\n", soft.cold / rigid.cold * share,
                   soft.warm / rigid.warm * share);
        }
    }
    if (run->json)
        fprintf(run->json, "\n  ]");
}
