/* What a simulation meets: steps that start from the impulses of the step before, by Gauss-Seidel to a certificate of 1e-4. Heaps
 * from their fall on, in two stretches: landing, and after it. Whole steps are timed, collision detection and all. */
#include "growth_warm.h"

#include <math.h>

enum
{
    LAST = 30,   /* steps of 10 ms */
    LANDING = 20 /* the last that counts as landing */
};

typedef struct stretch
{
    double seconds;
    double contacts, sweeps; /* of all its steps */
    int steps, missed;
} stretch;

static void add_step(stretch *s, const cairn_step_report *report, double seconds)
{
    s->seconds += seconds;
    s->contacts += report->contacts;
    s->sweeps += report->solver.iterations;
    s->steps++;
    s->missed += report->solver.outcome != CAIRN_SOLVED;
}

static warm_result sum_up(const stretch *s)
{
    double contacts = fmax(s->contacts, 1.0);
    int steps = s->steps > 0 ? s->steps : 1;
    return (warm_result){.contacts = (int)(s->contacts / steps),
                         .us_a_contact = 1e6 * s->seconds / contacts,
                         .sweeps = s->sweeps / steps,
                         .missed = s->missed};
}

bool growth_warm(heap_shape shape, int contacts, double tolerance, double limit, warm_result result[WARM_STRETCHES])
{
    cairn_context *context = cairn_context_create();
    cairn_model *model = heaps_model(context, shape, contacts);
    cairn_settings settings = cairn_settings_default();
    cairn_simulation *simulation = NULL;
    stretch stretches[WARM_STRETCHES] = {{0}};
    settings.law = (cairn_law){CAIRN_LAW_CONE, 0};
    settings.solver.kind = CAIRN_SOLVER_GAUSS_SEIDEL;
    settings.solver.tolerance = tolerance;
    settings.solver.time_limit = limit;
    cairn_status status = model ? cairn_simulation_create(context, model, &settings, &simulation) : CAIRN_NO_MEMORY;
    for (int step = 1; step <= LAST && !status; ++step)
    {
        double start = bench_now();
        status = cairn_simulation_step(simulation);
        double seconds = bench_now() - start;
        add_step(&stretches[step > LANDING], cairn_simulation_report(simulation), seconds);
    }
    for (int i = 0; i < WARM_STRETCHES; ++i)
        result[i] = sum_up(&stretches[i]);
    if (status)
        fprintf(stderr, "heap of %d contacts: %s\n", contacts, cairn_context_last_message(context));
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    cairn_context_destroy(context);
    return !status;
}
