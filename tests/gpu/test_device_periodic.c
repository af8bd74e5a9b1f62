/* Periodic boxes on the device, through its twin for the processor (or, with CAIRN_GPU_LIBRARY, on a device): conservation of momentum across the borders, and the
 * processor's own steps. */
#include "support/check.h"
#include "support/device.h"

#include "math/vec.h"

#include <stdio.h>
#include <string.h>

static world new_box(double x, double y, double z, double mu, double restitution, cairn_material *material)
{
    world w = world_new(3);
    *material = add_material(w.model, "wood", mu, restitution);
    cairn_model_set_gravity(w.model, (double[3]){0, 0, z > 0 ? 0 : -9.81});
    assert_int_equal(cairn_model_set_periodic(w.model, (double[3]){x, y, z}, 0), CAIRN_OK);
    return w;
}

static void set_velocity(world *w, const char *name, double x, double y, double z)
{
    cairn_body_state state = world_body(w, name);
    memcpy(state.velocity, (double[3]){x, y, z}, sizeof state.velocity);
    assert_int_equal(cairn_simulation_set_body(w->simulation, cairn_model_find_body(world_model(w), name), &state),
                     CAIRN_OK);
}

/* Contacts of balls lie at the surface of a, and seen from the image of b that they name, at that of b. Returns how many are across a border. */
static int check_images(const world *w, double radius)
{
    int found = 0;
    for (int i = 0; i < cairn_simulation_contact_count(w->simulation); ++i)
    {
        cairn_contact c = cairn_simulation_contact(w->simulation, i);
        double from_a[3], from_b[3];
        crn_sub3(c.point, cairn_simulation_body(w->simulation, c.a).position, from_a);
        crn_sub3(c.point, cairn_simulation_body(w->simulation, c.b).position, from_b);
        crn_sub3(from_b, c.image, from_b);
        assert_near(crn_norm3(from_a), radius, 0.2 * radius); /* the gap is that where the step began */
        assert_near(crn_norm3(from_b), radius, 0.2 * radius);
        found += crn_norm3(c.image) > 0;
    }
    return found;
}

/* A body leaves the box and strikes another on the other side of it, not in the middle: on both machines alike. */
static void meet(bool is_box, const double way[3])
{
    cairn_body_state end[2][2];
    for (int i = 0; i < 2; ++i)
    {
        cairn_material material;
        world w = new_box(1, 1.2, 1.1, 0.4, 0, &material);
        for (int k = 0; k < 2; ++k)
        {
            const double side = k ? -0.38 : 0.38,
                         x[3] = {side * way[0], 0.02 * k + side * way[1], 0.03 * k + side * way[2]};
            if (is_box)
                add_box(w.model, k ? "b" : "a", 1, (double[3]){0.1, 0.12, 0.14}, x, material);
            else
                add_ball(w.model, k ? "b" : "a", 1, 0.06, x, material);
        }
        cairn_settings settings = on_device(0.002, 200);
        settings.device = i ? CAIRN_DEVICE_CPU : CAIRN_DEVICE_GPU;
        settings.audit_every = 1;
        world_start(&w, &settings);
        set_velocity(&w, "a", way[0], way[1], way[2]);
        int found = 0, images = 0;
        for (int step = 0; step < 200; ++step)
        {
            device_take(&w, 1);
            found += cairn_simulation_report(w.simulation)->physics.violations;
            images += is_box ? 1 : check_images(&w, 0.06);
        }
        assert_int_equal(found, 0);
        assert_true(images > 0);
        end[i][0] = world_body(&w, "a");
        end[i][1] = world_body(&w, "b");
        world_free(&w);
    }
    assert_true(crn_norm3(end[1][1].velocity) > 0.3); /* they have met */
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 3; ++j)
        {
            assert_near(end[0][k].position[j], end[1][k].position[j], 1e-4);
            assert_near(end[0][k].velocity[j], end[1][k].velocity[j], 1e-3);
        }
}

static void bodies_meet_across_borders(void **state)
{
    (void)state;
    for (int is_box = 0; is_box < 2; ++is_box)
    {
        meet(is_box, (double[3]){1, 0, 0});
        meet(is_box, (double[3]){0, 1.25, 0});
        meet(is_box, (double[3]){0, 0, 1.1});
    }
    meet(false, (double[3]){1, 1.2, 1.1}); /* through a corner */
}

/* A gas of balls, some with capsules among them, in a box that is closed nowhere: what they exchange adds up to nothing. */
static void momentum_stays(void **state)
{
    (void)state;
    for (int has_shapes = 0; has_shapes < 2; ++has_shapes)
    {
        cairn_material material;
        world w = new_box(1, 1, 1, 0.3, 0.5, &material);
        char name[32];
        uint64_t seed = 5;
        double sum[3] = {0, 0, 0};
        for (int i = 0; i < 64; ++i)
        {
            const double x[3] = {0.25 * (i % 4), 0.25 * (i / 4 % 4), 0.25 * (i / 16)};
            snprintf(name, sizeof name, "grain%d", i);
            if (has_shapes && i % 3 == 0)
                add_box(w.model, name, 0.5, (double[3]){0.12, 0.1, 0.14}, x, material);
            else
                add_ball(w.model, name, 0.5, 0.09, x, material);
        }
        cairn_settings settings = on_device(0.004, 40);
        settings.audit_every = 1;
        world_start(&w, &settings);
        for (int i = 0; i < 64; ++i)
        {
            double v[3];
            for (int k = 0; k < 3; ++k)
                v[k] = random_in(&seed, -1, 1);
            snprintf(name, sizeof name, "grain%d", i);
            set_velocity(&w, name, v[0], v[1], v[2]);
            crn_madd3(sum, 0.5, v, sum);
        }
        double before = 0;
        for (int step = 0; step < 100; ++step)
        {
            device_take(&w, 1);
            before = step == 0 ? cairn_simulation_energy(w.simulation).kinetic : before;
            assert_int_equal(cairn_simulation_report(w.simulation)->physics.violations, 0);
        }
        double after[3] = {0, 0, 0};
        for (int i = 0; i < 64; ++i)
        {
            snprintf(name, sizeof name, "grain%d", i);
            crn_madd3(after, 0.5, world_body(&w, name).velocity, after);
        }
        for (int k = 0; k < 3; ++k)
            assert_near(after[k], sum[k], 2e-5);
        assert_true(cairn_simulation_energy(w.simulation).kinetic < 0.7 * before); /* they have collided */
        world_free(&w);
    }
}

/* Sheared boxes are refused. */
static void shear_is_refused(void **state)
{
    (void)state;
    cairn_material material;
    world w = new_box(1, 1, 1, 0.3, 0, &material);
    assert_int_equal(cairn_model_set_periodic(w.model, (double[3]){1, 1, 1}, 0.5), CAIRN_OK);
    add_ball(w.model, "ball", 1, 0.1, (double[3]){0, 0, 0}, material);
    cairn_settings settings = on_device(0.004, 40);
    assert_int_equal(cairn_simulation_create(w.context, w.model, &settings, &w.simulation), CAIRN_UNSUPPORTED);
    assert_non_null(strstr(cairn_context_message(w.context, 0).text, "periodic boxes that are sheared"));
    world_free(&w);
}

int main(void)
{
    if (!device_is_there())
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_meet_across_borders),
        cmocka_unit_test(momentum_stays),
        cmocka_unit_test(shear_is_refused),
    };
    return cmocka_run_group_tests(tests, device_choose, NULL);
}
