/* The arrays of a step on the device.
 *
 * Bodies are kept in the order of the cells of the last step ("kept"), sorted into the cells of this one ("sorted"), and moved back.
 * Nothing of the kept state changes before the last kernel of a step, so a step that finds too little memory simply does not happen: it
 * sets `full`, all later kernels of the batch do nothing, and the caller grows the arrays and goes on from there.
 *
 * A sphere of radius r, mass m and moment of inertia J has its angular velocity stored as r w, in m/s, and r^2/J beside it. With the arms
 * -r_a n and r_b n of a contact, radii then drop out of the sweeps:
 *
 *     u = v_a - v_b - (r_a w_a + r_b w_b) x n ,    r w changes by -(r^2/J) n x p  on both sides.
 *
 * Half-space k is body n + k, which never changes.
 *
 * Bodies of other shapes are described in shapes/shape.hpp.
 */
#pragma once

#include "atomic.hpp"
#include "forces/force.hpp"
#include "interface.h"
#include "joints/joint.hpp"
#include "shapes/shape.hpp"

namespace crn
{

enum
{
    MOST_SEARCHES = 3,      /* for contacts, at most */
    LEVELS = 32,            /* of cells; each has cells of twice the size of the one below */
    COLOURS = 64,           /* contacts beyond them are visited one by one */
    BINS = COLOURS + 1,     /* colours, and those contacts */
    SLABS = 15,             /* into which bodies are divided, at most */
    GROUPS = SLABS * BINS,  /* of contacts of one slab and colour */
    UNCOLOURED = 255
};

/* Beside each other in one sector of memory, since sweeps always need both. */
struct alignas(2 * sizeof(R4)) Motion
{
    R4 v; /* and 1/m */
    R4 w; /* r w, and r^2/J */
};

/* Bodies i = 0 .. n-1, and behind them the half-spaces. */
struct Bodies
{
    D4 *x;   /* and radius */
    D4 *q;   /* w, x, y, z */
    Motion *m;
    I2 *tag; /* number in the description; material + 2^24 level */
};

/* Contacts in the order of the search: those that body i found are first[i] .. first[i+1]-1. */
struct Found
{
    int *first;      /* n + 1 */
    int *other;      /* sorted index of the other body; -1 - k: half-space k */
    R4 *r;           /* impulse: the part across the normal, and along it */
    uint8_t *colour;
};

/* Contacts in the order of the sweeps. `pair`: 29 bits for each body, then its class. */
struct Ordered
{
    unsigned long long *pair;
    R4 *n; /* and bias */
    R4 *r;
};

/* Of sweeps without barriers (flow.hpp), in small worlds only. */
struct Flowing
{
    Motion *m;   /* with stamps in the places of 1/m and r^2/J; NULL: such sweeps are not for this world */
    R4 *weight;  /* per contact: 1/m and r^2/J of its bodies: 1/m_a, 1/m_b, then the others */
    int *turn;   /* per contact: the stamps it waits for */
};

/* Of a pair of materials, besides friction and restitution; in a world with shapes. */
struct Surface
{
    real rolling, spinning; /* m */
    real cohesion, range;   /* N, m; range 0: by the size of the bodies */
};

/* In place of the disc of friction: corners at the angle `phase` from the first tangent on, at `reach` times mu r_n. 0 corners: the disc. */
struct Figure
{
    int corners;
    real phase, reach;
};

/* One level of cells: a box of 2^bits cells, which repeats in all directions, so that bodies may be anywhere. */
struct Level
{
    double inverse[3]; /* 1/m: of the sizes of a cell */
    int bits[3]; /* each 2 at least */
    int axis[3]; /* x, y or z: the one along which cells follow each other in memory, then the others */
    int first;   /* of its cells among those of all levels */
    int is_used;
};

/* Of a world that is one domain of several (ranks/ranks.hpp): all NULL in one that is alone. */
struct Domain
{
    uint8_t *mine;            /* per body of the description: it can move, and this rank owns it */
    long long *global;        /* likewise: its number among all */
    long long *global_shape;  /* per shape */
    unsigned long long *name; /* per contact in the order of the search: made from its bodies, shapes and feature alone */
    int *finder;              /* likewise, of shapes: the one that found it */
};

/* Set by the host for a batch of steps. */
struct Batch
{
    double h, gravity[3];
};

/* Counted on the device. */
struct Counters
{
    int taken;                      /* steps of this batch */
    int full;                       /* the step needs more memory than there is */
    int contacts, most_slots;       /* of this step; most_slots: of one body */
    int contacts_needed;
    int pairs, pairs_needed;        /* of shapes */
    int held;                       /* overlaps that were not pushed out, in all steps of the batch (HoldOverlaps) */
    int lost;                       /* 1 + a body whose state is not finite; 0: there is none */
    int faulty;                     /* 1 + a force that is not a finite number; 0: there is none */
    int struck[MOST_SEARCHES];      /* bodies or shapes that look again (find.hpp) */
    int list[2], round;             /* uncoloured contacts: before and after a round */
    double push_share;
};

struct World
{
    int n, planes, levels, cells;
    int looks;           /* for contacts, in every step (find.hpp) */
    int has_shapes; /* also where there are none on this rank */
    int slots, capacity; /* contacts that one body may find, and all bodies together */
    int materials, driven, sweeps, law;
    int push_out;
    int is_periodic;
    double box[3]; /* m: of a periodic box; 0: open along this axis */
    double restitution_threshold, push_out_speed, step, push_share;

    Batch *batch;
    double *kept_h; /* s: length of the step that led to the kept state; 0: there was none */
    Counters *counters;
    Level *level;         /* LEVELS */
    real *level_reach;   /* the largest radius + reach of a level */
    uint8_t *pair_class;
    real *friction, *restitution; /* per class */
    Surface *surface;              /* likewise; NULL: nothing rolls or pulls */
    Figure figure;
    crn_gpu_plane *plane;
    int *driven_of;       /* per body of the description */
    crn_gpu_drive *drive; /* per step of the batch and driven body */

    Bodies kept, sorted;
    Found last, found;
    int *cell, *arrival;  /* of each body or shape: its cell, and how many had come there before it */
    int *entered, *from;  /* bodies or shapes by cell, within one as they came; kept index of each sorted body */
    int *cell_count, *cell_first;
    R4 *near;             /* per sorted body: place, rounded, and radius + reach */
    int *slot;            /* slots x n */
    real *struck[MOST_SEARCHES];/* m/s, per sorted body: what collisions in this step may change of its velocity, by each look for contacts (find.hpp) */
    int *again;           /* bodies, or shapes in the order of the cells, that look again */
    double bounce;        /* 1 + the largest restitution */
    int *count;           /* per body: contacts found */

    unsigned long long *pair; /* as in Ordered, in the order of the search */
    R4 *n_bias;
    int *list[2];
    unsigned long long *mask, *best; /* per body: colours in use; priority of the contact that holds it */
    int slab, slabs;          /* bodies of a slab, and how many there are */
    uint16_t *group, *group_sorted; /* per contact: slab and colour */
    int *range;               /* of the groups in the order of the sweeps: slabs BINS + 1 */
    int *number, *order;      /* contacts of the search by colour */
    Ordered ordered;
    Flowing flow;
    struct
    {
        Motion *m;
        R4 *r, *extra;
        double *z; /* of joints */
    } before; /* of momentum.hpp, where there is a tolerance */
    real calm; /* m/s: of calm.hpp, the residual up to which contacts are left alone; 0: none is */

    Shapes shapes;
    Joints joints;
    Forces forces;
    Domain domain;

    /* of the certificate */
    int *incoming_count, *incoming_first, *incoming;
    D4 *judged_v, *judged_w;
};

CRN_HD unsigned long long pack(int a, int b, int kind)
{
    return (unsigned long long)a | (unsigned long long)b << 29 | (unsigned long long)kind << 58;
}
CRN_HD int first_of(unsigned long long pair)
{
    return (int)(pair & 0x1fffffff);
}
CRN_HD int second_of(unsigned long long pair)
{
    return (int)(pair >> 29 & 0x1fffffff);
}
CRN_HD int class_of(unsigned long long pair)
{
    return (int)(pair >> 58);
}

/* Bits that look like chance (G. Steele et al., OOPSLA 2014). */
CRN_HD unsigned long long scramble(unsigned long long x)
{
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Whether this rank visits contacts between bodies with these numbers. Two ghosts leave theirs to their owners. */
CRN_HD bool concerns(const World &world, int a, int b)
{
    return !world.domain.mine || world.domain.mine[a] || world.domain.mine[b];
}

/* Whether this rank counts a contact: the owner of its first body that can move. */
CRN_HD bool is_counted(const World &world, unsigned long long pair)
{
    int a = first_of(pair);
    if (!world.domain.mine)
        return true;
    return world.domain.mine[world.sorted.tag[world.sorted.m[a].v.w != 0 ? a : second_of(pair)].x];
}

} // namespace crn
