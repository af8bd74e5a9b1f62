/* Range check. If an energy or a work overflows, the motion is meaningless, and the step that produced it fails. */
#include "base/parallel_ranges.h"
#include "math/lanes.h"
#include "step/events/events.h"
#include "step/simulation.h"

#include <math.h>

static bool all_finite(const double *x, int from, int to)
{
    lanes zeros = {0.0}; /* x - x is not a number where x is not finite */
    double zero = 0;
    int i = from;
    for (; i + LANES <= to; i += LANES)
    {
        lanes four = *(const loose_lanes *)(x + i);
        zeros += four - four;
    }
    for (; i < to; ++i)
        zero += x[i] - x[i];
    return lanes_sum(zeros) + zero == 0;
}

/* The largest speed of a block's coordinates, m/s; infinite if a coordinate of q or v is not finite. */
static double speed_of(const cairn_simulation *s, int block)
{
    const crn_layout *layout = s->layout;
    double speed = 0;
    if (!all_finite(s->state.q, layout->q_start[block], layout->q_start[block + 1]) ||
        !all_finite(s->state.v, layout->block_start[block], layout->block_start[block + 1]))
        return INFINITY;
    for (int i = layout->block_start[block]; i < layout->block_start[block + 1]; ++i)
    {
        bool turns = i - layout->block_start[block] >= s->model->dimension;
        speed = fmax(speed, (turns ? crn_turning_length(layout, block) : 1.0) * fabs(s->state.v[i]));
    }
    return speed;
}

static int fastest_block(const cairn_simulation *s)
{
    int fastest = 0;
    for (int k = 1; k < s->layout->block_count; ++k)
        fastest = speed_of(s, k) > speed_of(s, fastest) ? k : fastest;
    return fastest;
}

/* Whether positions are finite, part by part. */
typedef struct looking
{
    const cairn_simulation *s;
    bool is_finite[CRN_COMPACT_THREADS];
} looking;

static void finite_part(void *data, int part)
{
    looking *all = data;
    const crn_layout *layout = all->s->layout;
    size_t count = (size_t)layout->q_start[layout->block_count];
    all->is_finite[part] = all_finite(all->s->state.q, (int)crn_part(count, layout->parts, part),
                                      (int)crn_part(count, layout->parts, part + 1));
}

cairn_status crn_check_range(const cairn_simulation *s)
{
    const crn_layout *layout = s->layout;
    const cairn_energy *e = &s->state.energy;
    looking all = {.s = s};
    crn_in_parts(layout->parts, finite_part, &all);
    /* the kinetic energy is not finite if a velocity is not */
    bool finite = isfinite(e->total) && isfinite(e->balance_error);
    for (int part = 0; part < layout->parts; ++part)
        finite = finite && all.is_finite[part];
    if (finite || layout->block_count == 0)
        return CAIRN_OK;
    int block = fastest_block(s);
    bool body = block < layout->body_block_count;
    const char *name = body ? s->model->bodies[layout->block_body[block]].name
                            : s->model->systems[block - layout->body_block_count].name;
    return crn_fail(s->context, CAIRN_NUMERIC, "step %lld: %s '%s' left the range of numbers at t = %g",
                    (long long)s->state.step + 1, body ? "body" : "system", name, s->state.t);
}
