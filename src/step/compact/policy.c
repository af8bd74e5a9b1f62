/* How many sweeps a compact step takes.
 *
 * With a warm start, the errors of a step do not add up to the next: a few sweeps in every step hold a heap as well as hundreds in
 * each. What a step leaves of the contact laws becomes overlap, of which the next ones push out a share (PUSH_SHARE in view.c): a mean
 * residual of u leaves a mean overlap of about h u / PUSH_SHARE. So `balanced` sweeps until the mean residual of all contacts is
 *
 *     u <= min(0.01 g h, 0.05 v) + 0.002 v    and    h u <= 0.0002 r ,
 *
 * where v and r are the mean speed and size of the bodies, and that of no contact is more than twenty times as large. What moves
 * fast need not be known more precisely than it moves; what slows down is followed until it rests. It takes no more than MOST / n^2
 * sweeps over n contacts or, where that is more, a number of sweeps that grows like the cube root of n, which is the height of a heap: loads
 * have to cross it, and with momentum (solve/compact/momentum.c) they do so in a number of sweeps that is in proportion to the layers. A heap whose impulses nobody remembers gets COLD times as many, once. `fast` takes two fifths of the number that loads need to
 * cross it, heaps of spheres more (large ones three quarters, since they do not come to rest otherwise), and looks at nothing. Walls are taller than heaps of as many contacts,
 * and with fewer than STACKED sweeps per layer they sway until they fall. All of this is counted, not timed, so that results do not depend on the machine.
 *
 * `max_iterations` takes the place of these numbers. No step takes more, whatever it finds: the first pass over its contacts leaves an eighth of them (where contacts
 * bounce, a quarter) to further passes, which hold contacts that were found late and take away restitution, and each of those half of what is left. A pass that has none left is judged all
 * the same.
 *
 * In longer steps more moves, and what they leave is deeper: the overlap that gravity makes in one is g h^2. From LONG of the size of the bodies on,
 * sweeps and the share of an overlap that is pushed out grow with
 *
 *     L = (g h^2 / (LONG r))^(1/5) ,
 *
 * and those of `fast` with L^3, up to those of `balanced`: with fewer sweeps the heap keeps moving, and steps cost more than sweeps save.
 */
#include "math/vec.h"
#include "step/simulation.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    FAST = 3,             /* sweeps of `fast` at least, ... */
    FAST_PLAIN = 4,       /* ... without momentum, ... */
    LEAST = 7,            /* ... and of `balanced`, ... */
    LEAST_PLAIN = 12,     /* ... and without momentum */
    LARGE = 3000,         /* contacts */
    LOOK = 12,            /* sweeps before the first look at the residuals, which costs as much as three */
    COLD = 48,            /* times the sweeps of other steps. They take less time than so many steps. */
    LEAST_COLD = 384,     /* but at least these, ... */
    MOST_COLD = 4096,     /* and no more than those */
    MOST_SWEEPS = 256,    /* of a small problem */
    MOST = 1 << 23,       /* visits times contacts, ... */
    MOST_PLAIN = 1 << 24, /* ... and without momentum */
    MOST_FACES = 1 << 28, /* the same where bodies with faces calm down, most of which touch at whole faces, ... */
    STACKED = 2           /* sweeps per layer of a wall, at least */
};

/* ... and where few of them do: visits times the square of contacts, so that small heaps of mixed shapes are followed as closely, and
 * those of thousands of contacts as little as heaps of spheres. */
static const double MOST_CALM = 0x1p35;

static const double OF_GRAVITY = 1e-2, OF_REST = 1e-6, CALM = 0.05, OF_SPEED = 2e-3, OF_SIZE = 2e-4, WORST = 20,
                    MOMENTUM = 0.85, MOMENTUM_EASY = 0.8, FURTHER = 0.6, EVEN = 8, ASTRAY = 0.5, CALM_SPEED = 2,
                    RESTING = 1e-3, OF_CROSSING = 0.38, OF_PLAIN = 0.5, LONG = 5e-3;

static double mean_of(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; ++i)
        sum += x[i];
    return count > 0 ? sum / count : 0.0;
}

void crn_compact_measure(cairn_simulation *s)
{
    crn_compact_scratch *c = &s->compact;
    double *speed = &c->mean_speed, *size = &c->mean_size, least = INFINITY, most = 0;
    int count = 0;
    *speed = *size = 0;
    for (int b = 0; b < (int)s->model->body_count; ++b)
    {
        double v[3] = {0};
        bool moves = s->layout->body_block[b] >= 0;
        if (moves)
            crn_copy_few(s->state.v + s->layout->block_start[s->layout->body_block[b]], s->model->dimension, v);
        *speed += moves ? crn_norm3(v) : 0.0;
        *size += moves ? crn_size_of(s->layout, b) : 0.0;
        double mass = s->layout->mass[b];
        least = moves && mass < least ? mass : least;
        most = moves && mass > most ? mass : most;
        count += moves;
    }
    c->is_even = most <= EVEN * least;
    *speed /= count;
    *size /= count;
}

double crn_compact_length(const cairn_simulation *s, double h)
{
    double fall = h * h * crn_norm3(s->state.gravity), least = LONG * s->compact.mean_size;
    return fall > least ? pow(fall / least, 0.2) : 1.0;
}

/* Many spheres of like masses, which bear more momentum than others: boxes that overlap, and light bodies under heavy ones, are thrown about by it. Few spheres need no more. */
static bool is_easy(const crn_compact_scratch *c)
{
    return c->all_plain && c->is_even && !c->problem.is_planar && c->problem.contact_count >= LARGE;
}

crn_compact_momentum crn_compact_momentum_of(const crn_compact_scratch *c, double (*impulse)[3])
{
    return (crn_compact_momentum){.share = is_easy(c) ? MOMENTUM_EASY : MOMENTUM,
                                  .further = is_easy(c) ? FURTHER : 0.0,
                                  .impulse = impulse,
                                  .velocity = c->before};
}

/* m/s: the mean residual that is good enough. */
static double target_of(double gravity, double h, double speed, double size)
{
    double motion = fmax(OF_REST * gravity, fmin(OF_GRAVITY * gravity, CALM * speed)) + OF_SPEED * speed;
    return fmin(motion, OF_SIZE * size / h);
}

/* Bodies have faces, but do not stand on them. */
static bool is_mixed(const cairn_simulation *s)
{
    return s->model->dimension == 3 && !s->compact.all_plain && !s->compact.is_structure;
}

/* Loads take more sweeps to cross a taller heap, and heaps in the plane are taller. This many without momentum, which contacts that resist rolling do not have. */
static double plain_crossing_of(const cairn_simulation *s, int contacts)
{
    if (s->model->dimension == 2)
        return 3 * sqrt(contacts);
    return (s->compact.all_plain ? 0.25 : is_mixed(s) ? 0.2 : 0.3) * pow(contacts, 0.47);
}

/* Pairs of sweeps with momentum that loads need to cross a heap, or under `fast` a share of them. The numbers are those of heaps of 500 to 32,000 spheres, 500
 * and 2,000 mixed shapes, and 500 disks; bodies that touch at whole faces need some more. */
static double pairs_of(const cairn_simulation *s, int contacts, bool is_fast)
{
    double share = is_fast ? OF_CROSSING : 1.0;
    if (s->model->dimension == 2)
        return share * 0.6 * sqrt(contacts);
    if (is_easy(&s->compact))
        return is_fast ? 0.055 * pow(contacts, 0.4) : 0.155 * cbrt(contacts);
    return share * (s->compact.all_plain ? 0.235 : is_mixed(s) ? 0.16 : 0.25) * cbrt(contacts);
}

/* Sweeps for that in steps of this length: pairs, and one from the bottom up that ends with lawful impulses. */
static int crossing_of(const cairn_simulation *s, int contacts, double length, bool is_fast)
{
    if (s->compact.problem.rolling)
        return (int)(length * (is_fast ? OF_PLAIN : 1.0) * plain_crossing_of(s, contacts));
    return 2 * (int)ceil(length * pairs_of(s, contacts, is_fast)) + 1;
}

int crn_compact_left(const cairn_simulation *s)
{
    const crn_compact_scratch *c = &s->compact;
    int given = s->settings.solver.max_iterations, parts = c->any_bounces ? 4 : 8;
    if (given == 0)
        return INT_MAX;
    assert(c->taken <= given);
    if (c->taken == 0 && given > 1)
        return given - (given + parts - 1) / parts;
    return c->taken == 0 ? given : (given - c->taken + 1) / 2;
}

/* By size. Bodies that touch at whole faces come to rest only if slow motion is followed
 * closely. */
static int most_sweeps(cairn_simulation *s, double h, int contacts, bool is_calm)
{
    const crn_compact_scratch *c = &s->compact;
    bool is_plain = c->problem.rolling;
    double length = crn_compact_length(s, h), least = length * (is_plain ? LEAST_PLAIN : LEAST);
    double most = !is_calm || !c->has_faces ? (is_plain ? MOST_PLAIN : MOST)
                  : c->is_structure         ? MOST_FACES
                                            : MOST_CALM / contacts;
    double crossing = crossing_of(s, contacts, length, false);
    int layers = crn_compact_layers(s);
    if (layers > 0)
        crossing = fmax(crossing, fmin(STACKED * layers + 1, MOST_SWEEPS));
    if (s->settings.accuracy != CAIRN_ACCURACY_FAST)
        return (int)fmax(crossing, fmin(fmax(most / contacts / contacts, least), MOST_SWEEPS));
    double longer = length * length * length;
    double few = fmax(crossing_of(s, contacts, longer, true), longer * (is_plain ? FAST_PLAIN : FAST));
    return (int)fmin(few, fmax(crossing_of(s, contacts, length, false), least));
}

/* Impulses of a structure that trembles are those of the last blow. Taken over in full, they drive it on like undamped springs, and few
 * sweeps do not stop that; from a part of them it calms down. Near rest they are the answer. */
double crn_compact_trust(cairn_simulation *s, double h, int contacts)
{
    double speed = s->compact.mean_speed, gravity = h * crn_norm3(s->state.gravity);
    bool is_calm = speed <= CALM_SPEED * gravity, is_resting = speed <= RESTING * gravity;
    int given = s->settings.solver.max_iterations, most = given > 0 ? given : most_sweeps(s, h, contacts, is_calm);
    bool is_ample = s->compact.has_faces && most >= MOST_SWEEPS / 2;
    bool trembles = (is_ample || (s->compact.is_structure && is_calm)) && !is_resting;
    return trembles && s->settings.accuracy == CAIRN_ACCURACY_BALANCED ? 0.7 : 1.0;
}

/* Take so many sweeps more, and judge their impulses. Returns the mean residual. */
static double sweep_on(cairn_simulation *s, const crn_compact_problem *problem, int count, double (*impulse)[3],
                       crn_compact_certificate *certificate)
{
    crn_compact_scratch *c = &s->compact;
    crn_compact_sweep(c->sweeps, count);
    crn_compact_store(c->sweeps, impulse, NULL);
    crn_rest_restore(s);
    crn_compact_judge(problem, (const double(*)[3])impulse, c->after, c->residual, certificate);
    return mean_of(c->residual, problem->contact_count);
}

/* Whether momentum led away from every solution: contacts move twice as fast as anything would without them, or on average half as fast as bodies did and
 * gravity makes them. */
static bool is_astray(const cairn_simulation *s, double h, const crn_compact_problem *problem, double mean,
                      const crn_compact_certificate *certificate)
{
    bool has_momentum = problem->momentum.impulse && !problem->rolling;
    double motion = s->compact.mean_speed + h * crn_norm3(s->state.gravity);
    return has_momentum && !(mean <= ASTRAY * motion && certificate->worst <= 2 * certificate->scale);
}

/* Sweeps without momentum shrink all errors, the slow ones slowly: so many of them, from no impulses. */
static cairn_status start_again(cairn_simulation *s, const crn_compact_problem *problem, int count,
                                double (*impulse)[3], crn_compact_certificate *certificate)
{
    crn_compact_scratch *c = &s->compact;
    c->plain = *problem;
    c->plain.momentum.impulse = NULL;
    CRN_TRY(crn_compact_load(c->sweeps, &c->plain, NULL));
    sweep_on(s, &c->plain, count, impulse, certificate);
    return CAIRN_OK;
}

cairn_status crn_compact_policy(cairn_simulation *s, double h, const crn_compact_problem *problem, double (*impulse)[3],
                                crn_compact_certificate *certificate, int *sweeps)
{
    assert(problem->contact_count > 0);
    crn_compact_scratch *c = &s->compact;
    double speed = c->mean_speed, gravity = h * crn_norm3(s->state.gravity), mean;
    double target = target_of(gravity, h, speed, c->mean_size);
    bool is_given = s->settings.solver.max_iterations > 0;
    int most =
        is_given ? crn_compact_left(s) : most_sweeps(s, h, problem->contact_count, speed <= CALM_SPEED * gravity);
    int taken = 0;
    double length = crn_compact_length(s, h);
    int first = (int)fmax(crossing_of(s, problem->contact_count, length, false), length * LOOK);
    first = first < most ? first : most;
    if (!is_given)
    {
        most = c->is_cold ? (int)fmin(fmax(COLD * most, LEAST_COLD), MOST_COLD) : most;
        int least = most < FAST_PLAIN ? most : FAST_PLAIN;
        most = most - c->taken > least ? most - c->taken : least; /* a further pass goes on from the last one */
    }
    do
    {
        int next = taken > 0 ? taken / 2 : first, left = most - taken;
        next = left < next + next / 2 ? left : next; /* rather than look once more */
        mean = sweep_on(s, problem, next, impulse, certificate);
        taken += next;
    } while (taken < most && (mean > target || certificate->worst > WORST * target));
    if (taken > 0 && is_astray(s, h, problem, mean, certificate))
    {
        int left =
            is_given ? s->settings.solver.max_iterations - c->taken - taken : INT_MAX; /* further passes get none */
        int more = left < 2 * taken ? left : 2 * taken;
        CRN_TRY(start_again(s, problem, more, impulse, certificate));
        taken += more;
    }
    c->taken += taken;
    *sweeps += taken;
    return CAIRN_OK;
}
