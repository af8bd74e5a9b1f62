/* The layout of the unknowns of all bodies and systems. It is computed once per model and does not change while it steps.
 *
 * There is one block per dynamic body, followed by one per user's system. Each block has an offset in the velocity vector v and
 * one in the coordinate vector q:
 *     planar body     v = (vx, vy, omega)              q = (x, y, angle)
 *     planar point    v = (vx, vy)                     q = (x, y)
 *     spatial body    v = (velocity, omega in body)    q = (position, quaternion)
 *     spatial point   v = velocity                     q = position
 *     user's system   v, q = its own n coordinates
 * The block pattern of A (diagonal blocks, and two for each spring between two dynamic bodies) is constant too.
 */
#ifndef CRN_FORMULATE_LAYOUT_H
#define CRN_FORMULATE_LAYOUT_H

#include "base/memory.h"
#include "math/inertia.h"
#include "model/model.h"

#include <string.h>

typedef struct crn_layout
{
    crn_arena memory; /* owns all arrays below */
    const cairn_model *model;
    int parts; /* into which loops over bodies are divided, one per thread; 1 until somebody sets it */
    int block_count;
    int body_block_count; /* blocks of bodies come first; block body_block_count + s belongs to system s */
    int *block_start;     /* block_count + 1: offset in v */
    int *q_start;         /* block_count + 1: offset in q */
    int *block_body;      /* body_block_count */
    int *body_block;      /* per body: its block; -1 unless it is dynamic */
    double *mass;         /* per body: kg; 0 unless dynamic */
    crn_inertias inertia; /* per body: kg m^2, body frame; made of the two below */
    int *inertia_start;
    double *inertia_value;
    const bool *absent; /* per body: it is not there; NULL: all are. The state owns it */
    bool drives;        /* some body is driven */
    int gyroscopic;     /* bodies in space whose inertia is not isotropic */
    double *bound;      /* per body: m, radius about its origin that encloses all its finite shapes */
    double *swing;      /* the same of their cores: what is rounded with a radius ends that much further out */

    int entry_count; /* block entries of A */
    int *row_start;  /* without springs, the places of entries are their numbers: the two below are the same array */
    int *column;
    int *value_start;   /* entry_count + 1 */
    int *diagonal;      /* per block: its diagonal entry */
    int (*coupling)[2]; /* per spring: entries (a, b) and (b, a); -1 if it does not couple two blocks */
    int *
        mass_start; /* per user's system and one more: offset of its mass matrix; those of bodies are mass and inertia */
} crn_layout;

/* Returns CAIRN_INVALID with a message if a dynamic body lacks mass or inertia. */
cairn_status crn_layout_create(cairn_context *context, const cairn_model *model, crn_layout **out);
void crn_layout_destroy(crn_layout *layout);

/* Whether a body is not there: it has no weight, touches nothing and stays at rest. */
static inline bool crn_is_absent(const crn_layout *layout, int body)
{
    return layout->absent && layout->absent[body];
}

/* Copy a vector of velocities, and one of coordinates. */
static inline void crn_copy_v(const crn_layout *layout, const double *from, double *to)
{
    memcpy(to, from, (size_t)layout->block_start[layout->block_count] * sizeof(double));
}
static inline void crn_copy_q(const crn_layout *layout, const double *from, double *to)
{
    memcpy(to, from, (size_t)layout->q_start[layout->block_count] * sizeof(double));
}

/* m, > 0: the bound of a body, or without finite shapes the root mean square distance of its mass. */
double crn_spread_of(const crn_layout *layout, int body);
static inline double crn_size_of(const crn_layout *layout, int body)
{
    return layout->bound[body] > 0 ? layout->bound[body] : crn_spread_of(layout, body);
}

/* Factors by which velocities of block k become speeds in m/s: of its linear coordinates 1, of angular ones (from the `dimension`th on)
 * this, the body's size. Users' coordinates have no known scale, so theirs is 1. */
static inline double crn_turning_length(const crn_layout *layout, int k)
{
    return k < layout->body_block_count ? crn_size_of(layout, layout->block_body[k]) : 1.0;
}

/* Whether a body turns alike about all axes. It then has no gyroscopic moment. */
bool crn_is_isotropic(const double inertia[9]);

/* Number of velocity unknowns of a body: 2, 3 or 6. */
int crn_body_dofs(const cairn_model *model, int body);

/* The initial state of a dynamic body, as it is read from q and v. */
void crn_layout_initial_body(const crn_layout *layout, int body, cairn_body_state *state);
/* q and v of the initial state. */
void crn_layout_initial(const crn_layout *layout, double *q, double *v);

/* Read pose and velocity of a dynamic body from q and v, and write them back. */
void crn_layout_read_body(const crn_layout *layout, int body, const double *q, const double *v,
                          cairn_body_state *state);
void crn_layout_write_body(const crn_layout *layout, int body, const cairn_body_state *state, double *q, double *v);

/* The same with the coordinates and the velocities of its block alone. */
void crn_layout_take_body(const crn_layout *layout, int body, const double *q, const double *v,
                          cairn_body_state *state);
void crn_layout_put_body(const crn_layout *layout, int body, const cairn_body_state *state, double *q, double *v);

/* The same of a body of space that turns, whatever the layout. */
void crn_layout_take_free(const double *q, const double *v, cairn_body_state *state);
void crn_layout_put_free(const cairn_body_state *state, double *q, double *v);

/* Move q by the displacement d (velocity coordinates): planar and linear parts add, quaternions rotate by exp(d). */
void crn_layout_move(const crn_layout *layout, const double *d, double *q);
/* The displacement d that moves `from` to `to`. */
void crn_layout_difference(const crn_layout *layout, const double *from, const double *to, double *d);

#endif
