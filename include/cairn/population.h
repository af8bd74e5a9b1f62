/* Populations: many bodies of one kind, described once.
 *
 * A population says what its grains are (shape, sizes, density, material), how many there are, and where they begin: packed
 * into a region, without overlaps. Its bodies are ordinary bodies named by their index, "sand[0]", "sand[1]" and so on. What a
 * population becomes depends on its options and its seed alone, on every machine.
 *
 *     cairn_population_options sand = cairn_population_default();
 *     sand.name = "sand";
 *     sand.count = 10000;
 *     sand.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.004, .most = 0.006};
 *     sand.density = 2500;
 *     sand.region = (cairn_population_region){.kind = CAIRN_REGION_CYLINDER, .radius = 0.2, .height = 0.8};
 *     cairn_model_add_population(model, &sand, &index);
 *
 * Guide: docs/populations.md.
 */
#ifndef CAIRN_POPULATION_H
#define CAIRN_POPULATION_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* How the radii of grains are distributed. */
typedef enum cairn_sizes_kind
{
    /* All have the radius `mean`. */
    CAIRN_SIZES_EQUAL = 0,
    /* Evenly between `least` and `most`. */
    CAIRN_SIZES_UNIFORM,
    /* Normal, with `mean` and `deviation`, cut off at `least` and `most`. */
    CAIRN_SIZES_NORMAL,
    /* The logarithm is normal; `mean` and `deviation` are those of the radius. Cut off as well. */
    CAIRN_SIZES_LOGNORMAL,
    /* A sieve curve: points (radius, share of what is finer), joined by straight lines. */
    CAIRN_SIZES_TABLE,
} cairn_sizes_kind;

/* The distribution of radii. The radius of a grain that is no ball is that of a ball (in the plane: a disc) of the same volume. */
typedef struct cairn_sizes
{
    cairn_sizes_kind kind;
    /* The distribution is that of the mass, as sieving measures it; default no: that of the number of grains. */
    bool by_mass;
    /* m, > 0: see the kinds. */
    double mean;
    /* m, > 0: standard deviation before the distribution is cut off. */
    double deviation;
    /* m: bounds of the radius. 0, the default for the normal kinds: three deviations from the mean (of the logarithm). */
    double least, most;
    /* Pairs of a radius (m) and a share, both never falling, the shares from 0 to 1; equal radii make a jump. */
    const double *table;
    /* Pairs, 2 or more. */
    int table_count;
} cairn_sizes;

/* The kinds of regions. */
typedef enum cairn_region_kind
{
    /* `size`; in the plane a rectangle. */
    CAIRN_REGION_BOX = 0,
    /* `radius` and, along its z-axis, `height`; in the plane a disc of that radius. */
    CAIRN_REGION_CYLINDER,
    /* Space: inside a closed mesh. */
    CAIRN_REGION_MESH,
} cairn_region_kind;

/* A part of the world. Grains lie in it entirely. */
typedef struct cairn_population_region
{
    cairn_region_kind kind;
    /* m: where its centre (of a mesh: the origin of its vertices) is. */
    double position[3];
    /* rad: how far it is turned, plane. */
    double angle;
    /* Quaternion (w, x, y, z) by which it is turned, space; all 0: not turned. */
    double orientation[4];
    /* m: edge lengths of a box. */
    double size[3];
    /* m: of a cylinder or disc. */
    double radius, height;
    /* m, mesh: x, y, z of each vertex; and three vertices per triangle, counted from 0, counter-clockwise from outside. */
    const double *vertices;
    int vertex_count;
    const int *triangles;
    int triangle_count;
} cairn_population_region;

/* How grains are placed. None overlaps another one, or another body that it may touch. */
typedef enum cairn_packing
{
    /* One by one, each at a random free place; large grains first. Fills a share of up to 0.3 (space) or 0.45 (plane). */
    CAIRN_PACKING_RANDOM = 0,
    /* On a cubic (plane: square) lattice along the axes of the region, from its lower end on. */
    CAIRN_PACKING_LATTICE,
    /* One by one, each falls along gravity and rolls down over the grains below until it cannot get lower. */
    CAIRN_PACKING_DEPOSIT,
    /* All at once from random places: they grow from points and push each other aside. Fills a share of up to 0.6 (plane: 0.8). */
    CAIRN_PACKING_GROWTH,
} cairn_packing;

/* Grains that come in over time. Until then they are absent: they touch nothing, do not move and have no energy. */
typedef struct cairn_insertion
{
    /* 1/s: grains per time, > 0; 0, the default: all are there from the start. */
    double rate;
    /* s: when the first comes in; default 0. */
    double begin;
    /* s: none comes in from here on; 0, the default: until all are in. */
    double until;
} cairn_insertion;

/* A population: its grains, and where they begin. */
typedef struct cairn_population_options
{
    /* Set by cairn_population_default; do not change. */
    size_t struct_size;
    /* Required; a body must not have it, nor another population. */
    const char *name;
    /* Number of grains; 0: given by `fraction`. */
    int count;
    /* 0..1: as many grains as fill this share of the region's volume; 0, the default: given by `count`. */
    double fraction;
    cairn_sizes sizes;
    /* Shapes of a grain instead of a ball or disc: bounded shapes without a file, as in cairn_shape_options. They are moved so
     * that their centre of mass is the body's origin, and scaled to the radius of the grain. With `sizes.mean` 0 (kind equal) they
     * stay as large as they are. NULL: a ball or disc. */
    const cairn_shape_options *shapes;
    int shape_count;
    /* kg/m^3 (plane: kg/m^2), > 0: of shapes that have no density of their own. */
    double density;
    /* Of a ball or disc, and of shapes that have the null material; null, the default: the default material. */
    cairn_material material;
    cairn_population_region region;
    cairn_packing packing;
    /* m: of the lattice; 0, the default: the largest diameter and 1 % more. */
    double spacing;
    /* 0..1, of a lattice: the share of the free room between a grain and its cell, a cube (plane: a square) of edge `spacing`, in which its centre is displaced, evenly along each axis. The
     * cells lie in the region's bounds then. Default 0. */
    double jitter;
    /* Of the generator of random numbers; default 1. */
    uint64_t seed;
    /* m/s, world frame, and rad/s, body frame: of every grain at the start. */
    double velocity[3], angular_velocity[3];
    /* Contact filter, as in cairn_body_options. */
    uint64_t groups, collides_with;
    /* With a rate, grains come in one after the other at random free places of the region; `packing` does not count. A count of
     * 0 is then as many as come in until `until`. */
    cairn_insertion insertion;
    /* Grains whose centre gets into this region become absent; NULL: none. */
    const cairn_population_region *removal;
    /* Removed grains come in again, as long as the insertion goes on; default no. */
    bool recycle;
} cairn_population_options;

/* No grains yet: a ball, radii equal, random packing, seed 1. */
CAIRN_API cairn_population_options cairn_population_default(void);

/* Add a population and its bodies. *out: its index, from 0. CAIRN_INVALID, with the population's name and the field at fault in
 * the message, when a value is out of range or the grains do not fit; the model is then as before. The bodies that the model has
 * already are obstacles where they are at the start. */
CAIRN_API cairn_status cairn_model_add_population(cairn_model *model, const cairn_population_options *options,
                                                  int *out);

/* The number of populations. */
CAIRN_API int cairn_model_population_count(const cairn_model *model);

/* Index of the population with this name; -1 when there is none. */
CAIRN_API int cairn_model_find_population(const cairn_model *model, const char *name);

/* Name of a population; "" for an index out of range. It lives as long as the model. */
CAIRN_API const char *cairn_model_population_name(const cairn_model *model, int population);

/* The number of grains that a population was made of; 0 for an index out of range. */
CAIRN_API int cairn_model_population_size(const cairn_model *model, int population);

/* Grain `index`, from 0; the null handle when there is none, or when it was removed from the model. */
CAIRN_API cairn_body cairn_model_population_body(const cairn_model *model, int population, int index);

/* ----------------------------------------------------------------------------------- grains that come and go */

/* What a population has gained and lost in a simulation since its start. */
typedef struct cairn_population_flow
{
    /* Grains that are there now. */
    int present;
    /* Grains that came in and that were removed, recycled ones each time; those that are there from the start do not count. */
    int64_t inserted, removed;
    /* Steps at whose start a grain was due and found no free place: it waits. */
    int64_t postponed;
    /* kg and J: what they weighed, and their kinetic and potential energy then. */
    double mass_in, mass_out, energy_in, energy_out;
} cairn_population_flow;

/* The flow of a population; zeros for an index out of range. */
CAIRN_API cairn_population_flow cairn_simulation_population(const cairn_simulation *simulation, int population);

/* Whether a body is there: false for grains that have not come in yet or were removed, and for null, stale and foreign handles. The
 * position of an absent body is NAN in cairn_simulation_body and in run files. */
CAIRN_API bool cairn_simulation_is_present(const cairn_simulation *simulation, cairn_body body);

CAIRN_END_DECLS

#endif
