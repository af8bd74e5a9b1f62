#include "pile.h"

#include "bench.h"
#include "collide/narrow.h"
#include "math/vec.h"
#include "support/builder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    STEPS = 70
};

static const double PITCH = 1.0; /* m: what a body has of room in the pit */

static cairn_shape_kind kind_of(pile_kind kind, int i)
{
    static const cairn_shape_kind SOLIDS[] = {CAIRN_SPHERE, CAIRN_BOX,       CAIRN_CAPSULE, CAIRN_CYLINDER,
                                              CAIRN_CONE,   CAIRN_ELLIPSOID, CAIRN_HULL};
    int turn = kind == PILE_CONVEX ? i % 7 : kind == PILE_MIXED ? i % 2 : kind == PILE_BOXES ? 1 : 0;
    return SOLIDS[turn];
}

/* Points on an ellipsoid, all corners of their hull, each with its opposite: so their centre of mass is the origin. */
static void draw_points(test_random *random, const double half[3], double *points)
{
    for (int i = 0; i < PILE_POINTS; i += 2)
    {
        double *x = points + 3 * i;
        for (int k = 0; k < 3; ++k)
            x[k] = test_uniform(random, -1.0, 1.0);
        crn_scale3(1.0 / crn_norm3(x), x, x);
        for (int k = 0; k < 3; ++k)
        {
            x[k] *= half[k];
            x[k + 3] = -x[k];
        }
    }
}

/* A shape of the kind about as large as a ball of radius 0.3 to 0.45 of the room of a body. */
static void draw_body(test_random *random, cairn_shape_kind kind, double *points, pile_body *body)
{
    double half[3];
    for (int k = 0; k < 3; ++k)
        half[k] = kind == CAIRN_SPHERE && k > 0 ? half[0] : test_uniform(random, 0.3, 0.45) * PITCH;
    if (kind == CAIRN_BOX)
        crn_scale3(0.75, half, half); /* so that the turned ones do not begin in each other */
    body->size = half[0];
    body->shape = cairn_shape_default(kind);
    body->shape.radius = kind == CAIRN_SPHERE ? half[0] : 0.7 * half[0];
    body->shape.length = half[1];
    body->shape.height = 1.5 * half[1];
    body->shape.vertices = points;
    body->shape.vertex_count = kind == CAIRN_HULL ? PILE_POINTS : 0;
    memcpy(body->shape.radii, half, sizeof half);
    crn_scale3(2.0, half, body->shape.size);
    if (kind == CAIRN_HULL)
        draw_points(random, half, points);
}

/* One tile: bodies over a pit of PILE_SIDE x PILE_SIDE places. */
static void throw_in(builder *b, pile_kind kind, pile_tile *tile)
{
    double wall = 0.5 * PILE_SIDE * PITCH;
    builder_ground(b);
    builder_wall(b, -wall, 0, 0, 1, 0, 0);
    builder_wall(b, wall, 0, 0, -1, 0, 0);
    builder_wall(b, 0, -wall, 0, 0, 1, 0);
    builder_wall(b, 0, wall, 0, 0, -1, 0);
    for (int i = 0; i < PILE_TILE; ++i)
    {
        pile_body *body = &tile->bodies[i];
        double aside = test_uniform(&b->random, -0.04, 0.04), ahead = test_uniform(&b->random, -0.04, 0.04);
        builder_pose pose = builder_at((i % PILE_SIDE + 0.5 + aside) * PITCH - wall,
                                       (i / PILE_SIDE % PILE_SIDE + 0.5 + ahead) * PITCH - wall,
                                       (i / (PILE_SIDE * PILE_SIDE) + 0.6) * 1.1 * PITCH);
        draw_body(&b->random, kind_of(kind, i), tile->points[i], body);
        if (body->shape.kind != CAIRN_SPHERE)
            builder_random_turn(b, pose.turn);
        builder_shape(b, &pose, &body->shape);
    }
}

static bool settle(builder *b, pile_body *bodies)
{
    cairn_settings settings = cairn_settings_default();
    settings.step = 0.02;
    settings.integrator = CAIRN_INTEGRATOR_EULER;
    settings.law = (cairn_law){CAIRN_LAW_FRICTIONLESS, 0};
    settings.solver.tolerance = 1e-3;      /* a rough rest is rest enough */
    settings.initial = CAIRN_INITIAL_KEEP; /* thrown in anyhow */
    cairn_simulation *simulation = NULL;
    bool fine = !b->status && !cairn_simulation_create(b->context, b->model, &settings, &simulation);
    for (int i = 0; i < STEPS && fine; ++i)
        fine = !cairn_simulation_step(simulation);
    int first = cairn_model_body_count(b->model) - PILE_TILE;
    for (int i = 0; i < PILE_TILE && fine; ++i)
    {
        cairn_body_state state = cairn_simulation_body(simulation, cairn_model_body(b->model, first + i));
        memcpy(bodies[i].rest.x, state.position, sizeof bodies[i].rest.x);
        crn_quaternion_to_matrix(state.orientation, bodies[i].rest.R);
    }
    cairn_simulation_destroy(simulation);
    return fine;
}

/* Tiles fill a cube as well as they can, the last layer first of all along x. */
static void set_tiles(pile *p, const pile_body *tile)
{
    double top = 0.0, width = PILE_SIDE * PITCH;
    for (int i = 0; i < PILE_TILE; ++i)
        top = fmax(top, tile[i].rest.x[2] + 0.3 * PITCH);
    int tiles = (p->count + PILE_TILE - 1) / PILE_TILE, wide = 1;
    while (wide * wide * wide < tiles)
        ++wide;
    for (int i = 0; i < p->count; ++i)
    {
        int at = i / PILE_TILE;
        p->bodies[i] = tile[i % PILE_TILE];
        crn_madd3(p->bodies[i].rest.x, 1.0,
                  (double[3]){at % wide * width, at / wide % wide * width, at / (wide * wide) * top},
                  p->bodies[i].rest.x);
    }
}

bool pile_make_tile(pile_tile *tile, pile_kind kind)
{
    cairn_context *context = cairn_context_create();
    builder b = builder_open(context, 3, 0.5, 11);
    throw_in(&b, kind, tile);
    bool fine = settle(&b, tile->bodies);
    cairn_model_destroy(b.model);
    cairn_context_destroy(context);
    return fine;
}

void pile_create(pile *p, const pile_tile *tile, int count)
{
    *p = (pile){bench_memory((size_t)count, sizeof *p->bodies), bench_memory((size_t)count, sizeof *p->poses), count};
    set_tiles(p, tile->bodies);
    pile_move(p, 0);
}

void pile_destroy(pile *p)
{
    free(p->bodies);
    free(p->poses);
}

void pile_move(pile *p, int step)
{
    for (int i = 0; i < p->count; ++i)
    {
        const pile_body *body = &p->bodies[i];
        double q[4], turn[9], sway[3];
        for (int k = 0; k < 3; ++k)
            sway[k] = 0.01 * sin(0.1 * step + i + 2.0 * k);
        crn_quaternion_exp(sway, q);
        crn_quaternion_to_matrix(q, turn);
        crn_multiply33(turn, body->rest.R, p->poses[i].R);
        crn_madd3(body->rest.x, body->size, sway, p->poses[i].x);
    }
}
