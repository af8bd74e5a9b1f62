#include "step/flow/flow.h"

#include "math/vec.h"
#include "model/handles.h"
#include "step/account/account.h"
#include "step/simulation.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TRIES = 100, /* places for a grain per step */
    STREAM = 3   /* of random numbers; those before belong to packings */
};

static const double CLEAR = 1e-6; /* of the radius, between a grain that comes in and all others */

typedef struct crn_newcomer
{
    double x[3], radius;
} newcomer;

cairn_status crn_flow_open(cairn_simulation *s)
{
    const cairn_model *model = s->model;
    crn_gates *gates = &s->gates;
    if (!model->flows)
        return CAIRN_OK;
    CRN_TRY(crn_reserve_all(&gates->memory, CRN_ARRAY(gates->gate, model->population_count)));
    gates->count = (int)model->population_count;
    for (int i = 0; i < gates->count; ++i)
    {
        const crn_flow_options *flow = model->populations[i].flow;
        const char *wrong = flow ? crn_region_open(&flow->in, model->dimension, &gates->gate[i].in) : NULL;
        if (!wrong && flow && flow->removes)
            wrong = crn_region_open(&flow->out, model->dimension, &gates->gate[i].out);
        if (wrong) /* the regions were checked when the population was made */
            return CAIRN_NO_MEMORY;
        s->state.flow[i].random = crn_random_start(flow ? flow->seed : 0, STREAM);
        s->state.flow[i].told.present = model->populations[i].count;
    }
    for (size_t b = 0; b < model->body_count; ++b)
    {
        int population = model->bodies[b].population - 1;
        s->state.absent[b] =
            population >= 0 && model->populations[population].flow && model->populations[population].flow->inserts;
        if (s->state.absent[b])
            s->state.flow[population].told.present -= 1;
    }
    return CAIRN_OK;
}

void crn_gates_close(crn_gates *gates)
{
    for (int i = 0; i < gates->count; ++i)
    {
        crn_region_close(&gates->gate[i].in);
        crn_region_close(&gates->gate[i].out);
    }
    crn_obstacles_close(&gates->obstacles);
    crn_arena_release(&gates->memory);
    *gates = (crn_gates){.count = 0};
}

/* J: kinetic energy and that of gravity. */
static double energy_of(const cairn_simulation *s, int body)
{
    cairn_body_state at;
    crn_layout_read_body(s->layout, body, s->state.q, s->state.v, &at);
    double m = s->layout->mass[body], L[3];
    crn_rotate3(crn_inertia_of(&s->layout->inertia, body).m, at.angular_velocity, L);
    return 0.5 * m * crn_dot3(at.velocity, at.velocity) + 0.5 * crn_dot3(L, at.angular_velocity) -
           m * crn_dot3(s->state.gravity, at.position);
}

/* Put a body into a state, there or not. */
static void put(cairn_simulation *s, int body, const cairn_body_state *state, bool absent)
{
    assert(s->layout->body_block[body] >= 0);
    crn_layout_write_body(s->layout, body, state, s->state.q, s->state.v);
    crn_sides_forget(&s->state.sides, body);
    s->state.absent[body] = absent;
    s->state.pulled = s->state.pulled && s->state.pull.body != body;
}

/* ------------------------------------------------------------------------------------------------------- leaving */

bool crn_flow_has(const cairn_simulation *s, int body)
{
    int population = s->model->bodies[body].population;
    return population > 0 && s->model->populations[population - 1].flow;
}

void crn_flow_set(cairn_simulation *s, int body, bool absent)
{
    assert(crn_flow_has(s, body));
    int population = s->model->bodies[body].population - 1;
    s->state.flow[population].told.present += (s->state.absent[body] ? 1 : 0) - (absent ? 1 : 0);
    s->state.absent[body] = absent;
    if (!absent)
        return;
    cairn_body_state rest = {.orientation = {1, 0, 0, 0}};
    memcpy(rest.position, s->gates.gate[population].in.pose.x, sizeof rest.position);
    put(s, body, &rest, true);
}

static void take_out(cairn_simulation *s, int population, int body)
{
    crn_flow *flow = &s->state.flow[population];
    flow->told.removed += 1;
    flow->told.mass_out += s->layout->mass[body];
    flow->told.energy_out += energy_of(s, body);
    crn_flow_set(s, body, true);
}

static bool let_leave(cairn_simulation *s, int population)
{
    const crn_population *p = &s->model->populations[population];
    bool any = false;
    for (int i = 0; i < p->count && p->flow->removes; ++i)
    {
        int body = crn_body_index(s->model, cairn_model_population_body(s->model, population, i));
        if (body < 0 || s->state.absent[body])
            continue;
        const double *q = s->state.q + s->layout->q_start[s->layout->body_block[body]];
        double x[3] = {q[0], q[1], s->model->dimension == 3 ? q[2] : 0};
        if (crn_region_depth(&s->gates.gate[population].out, x) < 0)
            continue;
        take_out(s, population, body);
        any = true;
    }
    return any;
}

/* ---------------------------------------------------------------------------------------------------- coming in */

/* How many grains should have come in by now. */
static int64_t due(const cairn_simulation *s, int population)
{
    const cairn_insertion *in = &s->model->populations[population].flow->insertion;
    double t = s->state.t - in->begin, slack = 1e-9;
    if (t < -slack / in->rate)
        return 0;
    double grains = floor(in->rate * t + slack) + 1;
    if (in->until > 0)
        grains = fmin(grains, fmax(ceil(in->rate * (in->until - in->begin) - slack), 0));
    return (int64_t)fmin(grains, 1e15);
}

/* The next grain that is absent, in the order of the population from where the last one was found; -1: none. */
static int next_absent(const cairn_simulation *s, int population)
{
    const crn_population *p = &s->model->populations[population];
    int first = s->state.flow[population].next;
    for (int i = 0; i < p->count; ++i)
    {
        int grain = (first + i) % p->count;
        int body = crn_body_index(s->model, cairn_model_population_body(s->model, population, grain));
        bool again = s->state.flow[population].told.inserted >= p->count;
        if (!p->flow->recycles && (again || grain < first))
            return -1;
        if (body >= 0 && s->state.absent[body])
            return grain;
    }
    return -1;
}

static bool is_clear(const cairn_simulation *s, const double x[3], double radius)
{
    for (int i = 0; i < s->gates.newcomer_count; ++i)
    {
        const newcomer *other = &s->gates.newcomers[i];
        double off[3], apart = (radius + other->radius) * (1 + CLEAR);
        crn_sub3(x, other->x, off);
        if (crn_dot3(off, off) < apart * apart)
            return false;
    }
    return true;
}

static bool find_place(cairn_simulation *s, int population, double radius, double x[3], bool *failed)
{
    const crn_region *region = &s->gates.gate[population].in;
    for (int i = 0; i < TRIES && !*failed; ++i)
    {
        crn_region_draw(region, &s->state.flow[population].random, x);
        if (crn_region_depth(region, x) >= radius && is_clear(s, x, radius) &&
            crn_obstacles_meet(&s->gates.obstacles, x, radius, CLEAR * radius, failed) < 0)
            return !*failed;
    }
    return false;
}

static cairn_status bring_in(cairn_simulation *s, int population, int body, const double x[3])
{
    const crn_flow_options *o = s->model->populations[population].flow;
    crn_flow *flow = &s->state.flow[population];
    crn_gates *gates = &s->gates;
    cairn_body_state state = {.orientation = {1, 0, 0, 0}};
    memcpy(state.position, x, sizeof state.position);
    memcpy(state.velocity, o->velocity, sizeof state.velocity);
    memcpy(state.angular_velocity, o->angular_velocity, sizeof state.angular_velocity);
    if (o->turned && s->model->dimension == 3)
        crn_random_turn(&flow->random, state.orientation);
    else if (o->turned)
        state.angle = 3.14159265358979323846 * (2 * crn_random_unit(&flow->random) - 1);
    if (crn_reserve_all(&gates->memory, CRN_ARRAY(gates->newcomers, gates->newcomer_count + 1)))
        return CAIRN_NO_MEMORY;
    newcomer *added = &gates->newcomers[gates->newcomer_count++];
    memcpy(added->x, x, sizeof added->x);
    added->radius = s->layout->bound[body];
    put(s, body, &state, false);
    flow->told.inserted += 1;
    flow->told.present += 1;
    flow->told.mass_in += s->layout->mass[body];
    flow->told.energy_in += energy_of(s, body);
    return CAIRN_OK;
}

/* Let those come in that are due, until one finds no place. */
static cairn_status let_in(cairn_simulation *s, int population, double h, bool *any)
{
    const crn_population *p = &s->model->populations[population];
    crn_flow *flow = &s->state.flow[population];
    int64_t wanted = p->flow->inserts ? due(s, population) - flow->told.inserted : 0;
    int grain = wanted > 0 ? next_absent(s, population) : -1;
    if (grain < 0)
        return CAIRN_OK;
    bool failed = false;
    crn_frame_update(&s->located.frame, s->layout, s->state.q, s->state.t, h);
    s->gates.newcomer_count = 0;
    CRN_TRY(crn_obstacles_gather(&s->gates.obstacles, s->model, s->located.frame.pose, s->state.absent,
                                 &s->gates.gate[population].in.bounds, p->flow->groups, p->flow->collides_with));
    for (; wanted > 0 && grain >= 0; --wanted, grain = next_absent(s, population))
    {
        double x[3];
        int body = crn_body_index(s->model, cairn_model_population_body(s->model, population, grain));
        if (!find_place(s, population, s->layout->bound[body], x, &failed))
        {
            flow->told.postponed += 1;
            break;
        }
        CRN_TRY(bring_in(s, population, body, x));
        flow->next = (grain + 1) % p->count;
        *any = true;
    }
    return failed ? CAIRN_NO_MEMORY : CAIRN_OK;
}

cairn_status crn_flow_go_on(cairn_simulation *s, double h)
{
    bool any = false;
    cairn_status status = CAIRN_OK;
    for (int i = 0; i < s->gates.count && !status; ++i)
    {
        if (!s->model->populations[i].flow)
            continue;
        any = let_leave(s, i) || any;
        status = let_in(s, i, h, &any);
    }
    if (status)
        return crn_fail(s->context, status, "insertion at t = %g: memory ran out", s->state.t);
    if (!any)
        return CAIRN_OK;
    s->saved.is_old = true; /* as after any change from outside the step */
    s->state.mode_count = s->state.pressed_count = s->state.wedged.count = 0;
    status = crn_locate(s, h);
    s->state.located_h = status ? 0.0 : h;
    CRN_TRY(status);
    s->state.energy.added += crn_recount(s);
    return CAIRN_OK;
}

/* ----------------------------------------------------------------------------------------------------- questions */

cairn_population_flow cairn_simulation_population(const cairn_simulation *s, int population)
{
    if (!crn_is_current(s) || population < 0 || (size_t)population >= s->model->population_count)
        return (cairn_population_flow){0};
    return s->state.flow ? s->state.flow[population].told
                         : (cairn_population_flow){.present = s->model->populations[population].count};
}

bool cairn_simulation_is_present(const cairn_simulation *s, cairn_body body)
{
    int index = crn_is_current(s) ? crn_body_index(s->model, body) : -1;
    return index >= 0 && !crn_is_absent(s->layout, index);
}
