/* The table of shape classes: all that the library knows about a kind of shape.
 *
 * A class says by data what a shape is (its name and fields in scene files, where it may be used, what its core is) and by
 * functions how large, how heavy and how it is formed. Every stage asks the class, never for a kind by name; the narrow phase
 * picks its routine for a pair by the ranks of the two classes.
 *
 * A new convex shape of space is one file in kinds/ with a class whose core is CRN_CORE_SMOOTH, one enumerator in
 * cairn_shape_kind, and one line in shape_list.h. It needs `check`, `measure`, `volume` and `support`; collision detection,
 * queries, bounds and drawing follow from the support function.
 */
#ifndef CRN_MODEL_SHAPE_SHAPE_CLASS_H
#define CRN_MODEL_SHAPE_SHAPE_CLASS_H

#include "model/shape/placed.h"
#include "model/shape/shape_list.h"

#include <assert.h>

/* Fields of cairn_shape_options, and of a shape in a scene file, that not every class takes. */
enum
{
    CRN_TAKES_RADIUS = 1 << 0,
    CRN_TAKES_RADII = 1 << 1,
    CRN_TAKES_VERTICES = 1 << 2,
    CRN_TAKES_TRIANGLES = 1 << 3,
    CRN_TAKES_FILE = 1 << 4, /* and scale */
    CRN_TAKES_WELD = 1 << 5, /* and flip */
    CRN_TAKES_RECENTRE = 1 << 6,
    CRN_TAKES_HEIGHTS = 1 << 7, /* and points */
    CRN_TAKES_SPACING = 1 << 8,
    CRN_TAKES_LENGTH = 1 << 9,
    CRN_TAKES_HEIGHT = 1 << 10,
    CRN_TAKES_SIZE = 1 << 11,
    CRN_TAKES_NORMAL = 1 << 12,
    CRN_TAKES_DENSITY = 1 << 13,
    CRN_TAKES_OPENING = 1 << 14
};

enum
{
    CRN_SHAPE_UNBOUNDED = 1 << 0, /* half-plane, half-space */
    CRN_SHAPE_IMMOVABLE = 1 << 1, /* for fixed and driven bodies only */
    CRN_SHAPE_OUTLINE = 1 << 2,   /* planar, its vertices listed by the user */
    CRN_SHAPE_THIN = 1 << 3,      /* a line of the plane without thickness */
    CRN_SHAPE_ROLLS = 1 << 4,     /* its touching point moves over it as it turns */
    CRN_SHAPE_POINTED = 1 << 5,   /* a turned core that ends in a tip at 1.5 half[2], its base at -0.5 half[2] */
    CRN_SHAPE_CHAINED = 1 << 6,   /* becomes one shape per side */
    CRN_SHAPE_GROUND = 1 << 7     /* triangles that are solid below */
};

/* Argument order of a pair in the narrow phase: lower rank first. */
typedef enum crn_shape_rank
{
    CRN_RANK_ELLIPTIC = 0,
    CRN_RANK_BALL,    /* and planar outlines */
    CRN_RANK_CAPSULE, /* plane and space */
    CRN_RANK_BOX,
    CRN_RANK_CONVEX, /* every other convex shape of space */
    CRN_RANK_MESH,
    CRN_RANK_HOLLOW,
    CRN_RANK_HALF,
    CRN_RANKS
} crn_shape_rank;

/* What the general routines for convex shapes may rely on. */
typedef enum crn_shape_core
{
    CRN_CORE_NONE = 0, /* not convex, or a planar outline */
    CRN_CORE_POINT,
    CRN_CORE_LINE,   /* along z, half its length in half[2] */
    CRN_CORE_BOX,    /* half its edges in `half` */
    CRN_CORE_HULL,   /* corners and faces in `hull` */
    CRN_CORE_TURNED, /* cylinder or cone about z: radius half[0], flat caps */
    CRN_CORE_SMOOTH  /* known by its support function; `half` is half its extent along its axes */
} crn_shape_core;

/* Mass of a planar shape of some density. */
typedef struct crn_planar_mass
{
    double mass;
    double centre[3]; /* body frame */
    double polar;     /* kg m^2 about that centre */
} crn_planar_mass;

typedef struct crn_shape_class
{
    const char *name; /* in scene files and messages */
    int dimension;    /* 2, 3; 0: both */
    unsigned takes, needs;
    int least_vertices; /* where they are listed */
    unsigned flags;
    crn_shape_rank rank;
    crn_shape_core core;
    cairn_shape_look look;

    /* CAIRN_OK, or CAIRN_INVALID with one sentence about what is wrong with the measures or vertices; NULL: nothing can be. */
    cairn_status (*check)(const cairn_model *model, int body, const cairn_shape_options *options);
    /* Set `half` and `radius` of a shape from its options; NULL: both are 0. */
    void (*measure)(const cairn_shape_options *options, int dimension, crn_shape *shape);
    /* m: the furthest that the shape goes from its own origin; NULL: |half| + radius. */
    double (*bound)(const crn_shape *shape);
    /* Make the faces by which the shape is drawn, where its look has faces; NULL: from the support function. */
    cairn_status (*draw)(crn_shape *shape);
    /* Plane: mass, centre and polar moment. */
    void (*area)(const crn_shape *shape, double density, crn_planar_mass *out);
    /* Space: volume, and principal moments of inertia of unit density about the centre of mass, which is the origin. */
    double (*volume)(const crn_shape *shape, double principal[3]);

    /* The point of the core furthest along m, both in the shape's frame; returns its name. */
    int (*support)(const crn_placed *p, const double m[3], double x[3]);
    /* What the core shows along m (shape's frame), face->n preset to that direction; NULL: its support point. */
    void (*face)(const crn_placed *p, const double m[3], crn_face *face);
    /* Where the line x + s n (world) passes through the shape, within [*low, *high]; NULL: found by the support function. */
    bool (*span)(const crn_placed *p, const double x[3], const double n[3], double *low, double *high);
    /* Outward unit normal at the surface point x (world) that a ray along d meets; NULL: found by the support function. */
    void (*normal)(const crn_placed *p, const double x[3], const double d[3], double out[3]);
} crn_shape_class;

/* One class per cairn_shape_kind, in that order. */
extern const crn_shape_class *const crn_shape_classes[];
extern const int crn_shape_class_count;

#define CRN_SHAPE_DECLARE(name) extern const crn_shape_class crn_class_##name;
CRN_SHAPE_LIST(CRN_SHAPE_DECLARE)

static inline const crn_shape_class *crn_class_of(cairn_shape_kind kind)
{
    assert((int)kind >= 0 && (int)kind < crn_shape_class_count);
    return crn_shape_classes[kind];
}

static inline bool crn_shape_has(cairn_shape_kind kind, unsigned flag)
{
    return (crn_class_of(kind)->flags & flag) != 0;
}

static inline bool crn_is_half(cairn_shape_kind kind)
{
    return crn_class_of(kind)->rank == CRN_RANK_HALF;
}

static inline bool crn_is_mesh(cairn_shape_kind kind)
{
    return crn_class_of(kind)->rank == CRN_RANK_MESH;
}

static inline bool crn_is_hollow(cairn_shape_kind kind)
{
    return crn_class_of(kind)->rank == CRN_RANK_HOLLOW;
}

static inline bool crn_is_elliptic(cairn_shape_kind kind)
{
    return crn_class_of(kind)->rank == CRN_RANK_ELLIPTIC;
}

/* Point, circle and sphere. */
static inline bool crn_is_ball(cairn_shape_kind kind)
{
    return crn_class_of(kind)->core == CRN_CORE_POINT;
}

static inline bool crn_is_box(cairn_shape_kind kind)
{
    return crn_class_of(kind)->core == CRN_CORE_BOX;
}

static inline bool crn_is_turned(cairn_shape_kind kind)
{
    return crn_class_of(kind)->core == CRN_CORE_TURNED;
}

#endif
