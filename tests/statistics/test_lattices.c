/* Lattices, whose coordination and solid fraction are known: 4 and 6 neighbours in the plane, 6 and 12 in space; pi/4, pi/sqrt(12), pi/6
 * and pi/sqrt(18). A region of whole cells has the fraction of the lattice wherever it begins, so that spheres are cut by faces, edges
 * and corners in all ways. */
#include "support/check.h"
#include "support/grains.h"

#include <stdio.h>

static const double PI = 3.14159265358979323846;

typedef struct lattice
{
    const char *name;
    int dimension;
    double cell[3];     /* of the smallest box that repeats */
    double grain[4][3]; /* places in it */
    int grains;
    double radius;
    int neighbours;
    double fraction;
} lattice;

static const double ROOT2 = 1.41421356237309504880, ROOT3 = 1.73205080756887729353;

static const lattice LATTICES[] = {
    {"square", 2, {1, 1, 1}, {{0}}, 1, 0.5, 4, 0.78539816339744830962},
    {"hexagonal",
     2,
     {1, 1.73205080756887729353, 1},
     {{0}, {0.5, 0.86602540378443864676}},
     2,
     0.5,
     6,
     0.90689968211710892529},
    {"cubic", 3, {1, 1, 1}, {{0}}, 1, 0.5, 6, 0.52359877559829887308},
    {"face-centred",
     3,
     {1, 1, 1},
     {{0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
     4,
     0.35355339059327376220,
     12,
     0.74048048969306104117},
};
enum
{
    SIDE = 6, /* cells along each axis */
    LATTICE_COUNT = sizeof LATTICES / sizeof LATTICES[0]
};

/* A block of the lattice, turned. */
static world fill(const lattice *l, const turned *t)
{
    world w = world_new(l->dimension);
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j)
            for (int k = 0; k < (l->dimension == 3 ? SIDE : 1); ++k)
                for (int g = 0; g < l->grains; ++g)
                {
                    double x[3] = {l->cell[0] * i + l->grain[g][0], l->cell[1] * j + l->grain[g][1],
                                   l->dimension == 3 ? l->cell[2] * k + l->grain[g][2] : 0};
                    double y[3];
                    turn_vector(t, x, y);
                    add_grain(&w, y, l->radius * (1 - 1e-12));
                }
    return w;
}

/* The middle of a region of 2 cells that begins at `at`. */
static cairn_region two_cells(const lattice *l, const turned *t, const double at[3])
{
    bool space = l->dimension == 3;
    double middle[3] = {at[0] + l->cell[0], at[1] + l->cell[1], space ? at[2] + l->cell[2] : 0}, turned_middle[3];
    turn_vector(t, middle, turned_middle);
    return box_region(t, turned_middle, 2 * l->cell[0], 2 * l->cell[1], space ? 2 * l->cell[2] : 0);
}

static void test_neighbours_and_fraction(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < LATTICE_COUNT; ++i)
        for (int turns = 0; turns < 2; ++turns)
        {
            const lattice *l = &LATTICES[i];
            turned t = turn_by(l->dimension, 0.7 * turns);
            world w = fill(l, &t);
            char name[40];
            for (int k = 0; k < 10; ++k)
            {
                double at[3];
                for (int d = 0; d < 3; ++d)
                    at[d] = (1 + (k == 0 ? 0.001 : random_in(&seed, 0, 1))) * l->cell[d];
                snprintf(name, sizeof name, "r%d", k);
                cairn_region region = two_cells(l, &t, at);
                add_region(&w, name, &region);
            }
            cairn_settings settings = cairn_settings_default();
            world_start(&w, &settings);
            for (int k = 0; k < 10; ++k)
            {
                snprintf(name, sizeof name, "r%d.touching", k);
                assert_near(read_number(&w, name), l->neighbours, 1e-12);
                snprintf(name, sizeof name, "r%d.fraction", k);
                assert_near(read_number(&w, name), l->fraction, 1e-9);
                snprintf(name, sizeof name, "r%d.bodies", k);
                assert_near(read_number(&w, name), l->grains * (l->dimension == 3 ? 8 : 4), 0);
                snprintf(name, sizeof name, "r%d.fraction_error", k);
                assert_near(read_number(&w, name), 0, 0);
            }
            world_free(&w);
        }
}

/* The closed forms in the table are those of the geometry. */
static void test_table(void **state)
{
    (void)state;
    assert_near(LATTICES[0].fraction, PI / 4, 1e-15);
    assert_near(LATTICES[1].fraction, PI / (2 * ROOT3), 1e-15);
    assert_near(LATTICES[2].fraction, PI / 6, 1e-15);
    assert_near(LATTICES[3].fraction, PI / (3 * ROOT2), 1e-15);
}

/* A ball in a bin: the floor and two walls of one body are three neighbours. */
static void test_walls(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_body_options options = cairn_body_default();
    options.name = "bin";
    options.kind = CAIRN_FIXED;
    cairn_body bin;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_body(w.model, &options, &bin), CAIRN_OK);
    for (int k = 0; k < 3; ++k)
    {
        cairn_shape_options wall = cairn_shape_default(CAIRN_HALF_SPACE);
        for (int i = 0; i < 3; ++i)
            wall.normal[i] = i == k;
        assert_int_equal(cairn_model_add_shape(w.model, bin, &wall, &shape), CAIRN_OK);
    }
    add_grain(&w, (double[3]){1, 1, 1}, 1);
    add_grain(&w, (double[3]){1, 1, 3}, 1);
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    assert_near(read_number(&w, "grains.touching"), (4 + 3) / 2.0, 1e-12);
    world_step(&w);
    assert_near(read_number(&w, "grains.coordination"), (2 + 1) / 2.0, 1e-12); /* walls carry nothing */
    assert_near(read_number(&w, "grains.rattlers"), 0.5, 1e-12);
    assert_near(read_number(&w, "grains.backbone"), 2, 1e-12);
    world_free(&w);
}

/* Two boxes on each other touch in four points, and are one neighbour of each other. */
static void test_points(void **state)
{
    (void)state;
    world w = world_new(3);
    add_ground(w.model, (cairn_material){0});
    for (int k = 0; k < 2; ++k)
        add_box(w.model, k == 0 ? "a" : "b", 1, (double[3]){1, 1, 1}, (double[3]){0, 0, k + 0.5}, (cairn_material){0});
    cairn_settings settings = cairn_settings_default();
    world_start(&w, &settings);
    world_step(&w);
    assert_true(cairn_simulation_contact_count(w.simulation) > 4);
    assert_near(read_number(&w, "grains.coordination"), (2 + 1) / 2.0, 1e-12);
    assert_near(read_number(&w, "grains.touching"), (2 + 1) / 2.0, 1e-12);
    world_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours_and_fraction), cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_walls), cmocka_unit_test(test_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
