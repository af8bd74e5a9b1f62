#include "formulate/layout.h"

#include "base/parallel_ranges.h"
#include "formulate/pattern.h"
#include "math/lanes.h"
#include "math/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int crn_body_dofs(const cairn_model *model, int body)
{
    assert(body >= 0 && (size_t)body < model->body_count);
    bool point = model->bodies[body].point;
    return model->dimension == 2 ? (point ? 2 : 3) : (point ? 3 : 6);
}

static int body_coordinates(const cairn_model *model, int body)
{
    int dofs = crn_body_dofs(model, body);
    return dofs == 6 ? 7 : dofs;
}

void crn_layout_destroy(crn_layout *layout)
{
    if (layout)
        crn_arena_release(&layout->memory);
    free(layout);
}

static cairn_status allocate(crn_layout *layout)
{
    size_t bodies = layout->model->body_count, blocks = bodies + layout->model->system_count + 1;
    return crn_reserve_all(&layout->memory, CRN_ARRAY(layout->block_start, blocks), CRN_ARRAY(layout->q_start, blocks),
                           CRN_ARRAY(layout->mass_start, layout->model->system_count + 1),
                           CRN_ARRAY(layout->block_body, bodies), CRN_ARRAY(layout->body_block, bodies),
                           CRN_ARRAY(layout->mass, bodies), CRN_ARRAY(layout->bound, bodies),
                           CRN_ARRAY(layout->swing, bodies), CRN_ARRAY(layout->inertia_start, bodies + 1),
                           CRN_ARRAY(layout->inertia_value, bodies));
}

static void add_block(crn_layout *layout, int dofs, int coordinates)
{
    assert(dofs > 0);
    assert(coordinates >= dofs);
    int k = layout->block_count++;
    layout->block_start[k + 1] = layout->block_start[k] + dofs;
    layout->q_start[k + 1] = layout->q_start[k] + coordinates;
}

static void number_blocks(crn_layout *layout)
{
    const cairn_model *model = layout->model;
    for (int b = 0; b < (int)model->body_count; ++b)
    {
        layout->body_block[b] = -1;
        layout->drives = layout->drives || model->bodies[b].kind == CAIRN_DRIVEN;
        if (model->bodies[b].kind == CAIRN_DYNAMIC)
        {
            layout->block_body[layout->block_count] = b;
            layout->body_block[b] = layout->block_count;
            add_block(layout, crn_body_dofs(model, b), body_coordinates(model, b));
        }
    }
    layout->body_block_count = layout->block_count;
    for (size_t s = 0; s < model->system_count; ++s)
    {
        int n = model->systems[s].options.n;
        add_block(layout, n, n);
        layout->mass_start[s + 1] = layout->mass_start[s] + n * n;
    }
}

/* The root mean square distance of the mass from the centre. In space, trace I is twice the sum of m r^2. */
static double spread(const crn_layout *layout, int body)
{
    assert(layout->mass[body] > 0);
    const crn_matrix3 inertia = crn_inertia_of(&layout->inertia, body);
    const double *I = inertia.m;
    double sum = layout->model->dimension == 2 ? I[8] : 0.5 * (I[0] + I[4] + I[8]);
    double distance = sqrt(sum / layout->mass[body]);
    return isfinite(distance) && distance > 0 ? distance : 1.0;
}

double crn_spread_of(const crn_layout *layout, int body)
{
    bool turns = layout->body_block[body] >= 0 && !layout->model->bodies[body].point;
    return turns ? spread(layout, body) : 1.0;
}

bool crn_is_isotropic(const double I[9])
{
    return I[0] == I[4] && I[4] == I[8] && I[1] == 0 && I[2] == 0 && I[5] == 0;
}

/* Add the inertia of body b, in as few numbers as give it back to the bit. */
static cairn_status add_inertia(crn_layout *layout, int b, const double I[9])
{
    bool is_planar = layout->model->dimension == 2;
    const crn_matrix3 alike = crn_inertia_from(I[8], is_planar);
    int first = layout->inertia_start[b], count = memcmp(alike.m, I, sizeof alike.m) == 0 ? 1 : 9;
    CRN_TRY(crn_reserve_all(&layout->memory, CRN_ARRAY(layout->inertia_value, first + count)));
    memcpy(layout->inertia_value + first, count == 1 ? I + 8 : I, (size_t)count * sizeof(double));
    layout->inertia_start[b + 1] = first + count;
    layout->inertia = (crn_inertias){layout->inertia_start, layout->inertia_value, is_planar};
    return CAIRN_OK;
}

static cairn_status weigh_bodies(cairn_context *context, crn_layout *layout)
{
    const cairn_model *model = layout->model;
    layout->inertia = (crn_inertias){layout->inertia_start, layout->inertia_value, model->dimension == 2};
    for (int b = 0; b < (int)model->body_count; ++b)
    {
        double I[9] = {0};
        layout->inertia_start[b + 1] = layout->inertia_start[b];
        if (model->bodies[b].kind != CAIRN_DYNAMIC)
            continue;
        CRN_TRY(crn_model_weigh(context, model, b, &layout->mass[b], I));
        if (add_inertia(layout, b, I))
            return crn_fail(context, CAIRN_NO_MEMORY, "simulation: memory ran out");
        layout->gyroscopic += crn_body_dofs(model, b) == 6 && !crn_is_isotropic(I);
    }
    return CAIRN_OK;
}

static cairn_status weigh(cairn_context *context, crn_layout *layout)
{
    const cairn_model *model = layout->model;
    for (size_t i = 0; i < model->shape_count; ++i)
    {
        const crn_shape *shape = &model->shapes[i];
        if (!isfinite(shape->bound))
            continue;
        layout->bound[shape->body] = fmax(layout->bound[shape->body], shape->bound);
        layout->swing[shape->body] = fmax(layout->swing[shape->body], shape->bound - shape->radius);
    }
    return weigh_bodies(context, layout);
}

cairn_status crn_layout_create(cairn_context *context, const cairn_model *model, crn_layout **out)
{
    crn_layout *layout = calloc(1, sizeof *layout);
    if (!layout)
        return crn_fail(context, CAIRN_NO_MEMORY, "simulation: memory ran out");
    layout->model = model;
    layout->parts = 1;
    cairn_status status = allocate(layout);
    if (status == CAIRN_OK)
    {
        number_blocks(layout);
        status = crn_pattern_build(layout);
    }
    if (status == CAIRN_NO_MEMORY)
        crn_fail(context, status, "simulation: memory ran out");
    status = status ? status : weigh(context, layout);
    if (status != CAIRN_OK)
    {
        crn_layout_destroy(layout);
        return status;
    }
    *out = layout;
    return CAIRN_OK;
}

void crn_layout_read_body(const crn_layout *layout, int body, const double *q, const double *v, cairn_body_state *state)
{
    assert(body >= 0 && (size_t)body < layout->model->body_count);
    int block = layout->body_block[body];
    assert(block >= 0);
    crn_layout_take_body(layout, body, q + layout->q_start[block], v + layout->block_start[block], state);
}

void crn_layout_take_free(const double *q, const double *v, cairn_body_state *state)
{
    *state = (cairn_body_state){.angle = 0};
    memcpy(state->position, q, 3 * sizeof(double));
    memcpy(state->orientation, q + 3, 4 * sizeof(double));
    memcpy(state->velocity, v, 3 * sizeof(double));
    memcpy(state->angular_velocity, v + 3, 3 * sizeof(double));
}

void crn_layout_put_free(const cairn_body_state *state, double *q, double *v)
{
    memcpy(q, state->position, 3 * sizeof(double));
    memcpy(q + 3, state->orientation, 4 * sizeof(double));
    crn_quaternion_normalise(q + 3);
    memcpy(v, state->velocity, 3 * sizeof(double));
    memcpy(v + 3, state->angular_velocity, 3 * sizeof(double));
}

void crn_layout_take_body(const crn_layout *layout, int body, const double *q, const double *v, cairn_body_state *state)
{
    const cairn_model *model = layout->model;
    int dimension = model->dimension;
    if (dimension == 3 && !model->bodies[body].point)
    {
        crn_layout_take_free(q, v, state);
        return;
    }
    *state = (cairn_body_state){.orientation = {1, 0, 0, 0}};
    memcpy(state->position, q, (size_t)dimension * sizeof(double));
    memcpy(state->velocity, v, (size_t)dimension * sizeof(double));
    if (model->bodies[body].point)
    {
        const cairn_body_state *initial = &model->bodies[body].traits->initial;
        memcpy(state->orientation, initial->orientation, sizeof state->orientation);
        state->angle = initial->angle;
    }
    else
    {
        state->angle = q[2];
        state->angular_velocity[2] = v[2];
        crn_quaternion_exp((double[3]){0, 0, q[2]}, state->orientation);
    }
}

void crn_layout_write_body(const crn_layout *layout, int body, const cairn_body_state *state, double *q, double *v)
{
    assert(body >= 0 && (size_t)body < layout->model->body_count);
    int block = layout->body_block[body];
    assert(block >= 0);
    crn_layout_put_body(layout, body, state, q + layout->q_start[block], v + layout->block_start[block]);
}

void crn_layout_put_body(const crn_layout *layout, int body, const cairn_body_state *state, double *q, double *v)
{
    const cairn_model *model = layout->model;
    int dimension = model->dimension;
    if (dimension == 3 && !model->bodies[body].point)
    {
        crn_layout_put_free(state, q, v);
        return;
    }
    memcpy(q, state->position, (size_t)dimension * sizeof(double));
    memcpy(v, state->velocity, (size_t)dimension * sizeof(double));
    if (model->bodies[body].point)
        return;
    q[2] = state->angle;
    v[2] = state->angular_velocity[2];
}

void crn_layout_initial_body(const crn_layout *layout, int body, cairn_body_state *state)
{
    const cairn_body_state initial = crn_initial_of(&layout->model->bodies[body]);
    double q[7] = {0}, v[6] = {0};
    crn_layout_put_body(layout, body, &initial, q, v);
    crn_layout_take_body(layout, body, q, v, state);
}

void crn_layout_initial(const crn_layout *layout, double *q, double *v)
{
    const cairn_model *model = layout->model;
    for (int k = 0; k < layout->body_block_count; ++k)
    {
        int body = layout->block_body[k];
        const cairn_body_state initial = crn_initial_of(&model->bodies[body]);
        crn_layout_write_body(layout, body, &initial, q, v);
    }
    for (int s = 0; s < (int)model->system_count; ++s)
    {
        int block = layout->body_block_count + s;
        size_t size = (size_t)model->systems[s].options.n * sizeof(double);
        memcpy(q + layout->q_start[block], model->systems[s].q0, size);
        memcpy(v + layout->block_start[block], model->systems[s].v0, size);
    }
}

static bool has_quaternion(const crn_layout *layout, int block)
{
    int dofs = layout->block_start[block + 1] - layout->block_start[block];
    return layout->q_start[block + 1] - layout->q_start[block] != dofs;
}

/* Turn four bodies: as crn_quaternion_multiply and crn_quaternion_normalise, to the bit. */
INLINE void turn_four(double *const q[LANES], const double *const phi[LANES])
{
    double spin[LANES][4];
    lanes a[4], b[4], c[4];
    UNROLL
    for (int l = 0; l < LANES; ++l)
    {
        crn_quaternion_exp(phi[l], spin[l]);
        a[l] = *(const loose_lanes *)q[l];
        b[l] = *(const loose_lanes *)spin[l];
    }
    lanes_transpose(a);
    lanes_transpose(b);
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    c[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    c[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    c[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
    lanes square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
    lanes norm = {sqrt(square[0]), sqrt(square[1]), sqrt(square[2]), sqrt(square[3])};
    UNROLL
    for (int k = 0; k < 4; ++k)
        c[k] /= norm;
    lanes_transpose(c);
    UNROLL
    for (int l = 0; l < LANES; ++l)
        *(loose_lanes *)q[l] = c[l];
}

WIDE static void turn_four_wide(double *const q[LANES], const double *const phi[LANES])
{
    turn_four(q, phi);
}

static void turn_four_plain(double *const q[LANES], const double *const phi[LANES])
{
    turn_four(q, phi);
}

static void turn_one(double *q, const double *phi)
{
    double spin[4];
    crn_quaternion_exp(phi, spin);
    crn_quaternion_multiply(q, spin, q);
    crn_quaternion_normalise(q);
}

typedef struct moving
{
    const crn_layout *layout;
    const double *d;
    double *q;
} moving;

static void move_part(void *data, int part)
{
    const moving *all = data;
    const crn_layout *layout = all->layout;
    double *turned[LANES];
    const double *phi[LANES];
    size_t blocks = (size_t)layout->block_count, end = crn_part(blocks, layout->parts, part + 1);
    int waiting = 0;
    for (size_t k = crn_part(blocks, layout->parts, part); k < end; ++k)
    {
        const double *dk = all->d + layout->block_start[k];
        double *qk = all->q + layout->q_start[k];
        bool turns = has_quaternion(layout, (int)k);
        int linear = turns ? 3 : layout->block_start[k + 1] - layout->block_start[k];
        for (int i = 0; i < linear; ++i)
            qk[i] += dk[i];
        if (!turns)
            continue;
        turned[waiting] = qk + 3;
        phi[waiting++] = dk + 3;
        if (waiting == LANES)
        {
            (HAS_WIDE ? turn_four_wide : turn_four_plain)(turned, phi);
            waiting = 0;
        }
    }
    for (int i = 0; i < waiting; ++i)
        turn_one(turned[i], phi[i]);
}

void crn_layout_move(const crn_layout *layout, const double *d, double *q)
{
    moving all = {layout, d, q};
    crn_in_parts(layout->parts, move_part, &all);
}

void crn_layout_difference(const crn_layout *layout, const double *from, const double *to, double *d)
{
    assert(d != from && d != to);
    for (int k = 0; k < layout->block_count; ++k)
    {
        const double *a = from + layout->q_start[k];
        const double *b = to + layout->q_start[k];
        double *dk = d + layout->block_start[k];
        bool turns = has_quaternion(layout, k);
        int linear = turns ? 3 : layout->block_start[k + 1] - layout->block_start[k];
        for (int i = 0; i < linear; ++i)
            dk[i] = b[i] - a[i];
        if (turns)
        {
            double back[4], turn[4];
            crn_quaternion_conjugate(a + 3, back);
            crn_quaternion_multiply(back, b + 3, turn);
            crn_quaternion_log(turn, dk + 3);
        }
    }
}
