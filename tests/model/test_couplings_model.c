/* Couplings in a model: gradients at random poses against differences, forces (written apart) against gradients, what is refused, and
 * removal of what they refer to. */
#include "math/vec.h"
#include "model/joints/coupling.h"
#include "support/check.h"
#include "support/worlds.h"

#include <stdio.h>
#include <string.h>

enum
{
    BODIES = 5
};

static void must(const world *w, cairn_status status)
{
    if (status)
        fail_msg("%s", cairn_context_last_message(w->context));
}

static void refused(const world *w, cairn_status status, const char *sentence)
{
    assert_int_equal(status, CAIRN_INVALID);
    if (!strstr(cairn_context_last_message(w->context), sentence))
        fail_msg("expected '%s', found '%s'", sentence, cairn_context_last_message(w->context));
    cairn_context_clear(w->context);
}

static cairn_body add_body(world *w, const char *name, const double x[3])
{
    cairn_body_options o = cairn_body_default();
    cairn_body body;
    o.name = name;
    o.mass = 1;
    for (int k = 0; k < 3; ++k)
    {
        o.inertia[k] = 1;
        o.position[k] = x[k];
    }
    must(w, cairn_model_add_body(w->model, &o, &body));
    return body;
}

static cairn_joint add_joint(world *w, const char *name, const char *type, cairn_body a, cairn_body b, uint64_t *seed)
{
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_REVOLUTE);
    cairn_joint made;
    o.name = name;
    o.type = type;
    double at[3];
    for (int k = 0; k < 3; ++k)
    {
        o.axis[k] = random_in(seed, -1, 1);
        at[k] = random_in(seed, -1, 1);
    }
    o.a = cairn_model_attach(w->model, a, at);
    o.b = cairn_model_attach(w->model, b, at);
    must(w, cairn_model_add_joint(w->model, &o, &made));
    return made;
}

static cairn_coupling_options options_of(const char *name, const cairn_coupling_term *terms, int count)
{
    cairn_coupling_options o = cairn_coupling_default();
    o.name = name;
    o.terms = terms;
    o.term_count = count;
    return o;
}

/* Five bodies, hinges and slides between some of them, and a coupling of all that with a rope through all bodies and the world. */
static world make(uint64_t *seed, cairn_body body[BODIES], cairn_joint joint[3], cairn_joint *coupling)
{
    static const char *const NAME[] = {"a", "b", "c", "d", "e"};
    world w = world_new(3);
    cairn_attachment through[BODIES + 2] = {{.point = {0, 0, 7}}};
    for (int i = 0; i < BODIES; ++i)
    {
        double x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = random_in(seed, -3, 3);
        body[i] = add_body(&w, NAME[i], x);
    }
    for (int i = 0; i < BODIES; ++i)
    {
        through[i + 1].body = body[BODIES - 1 - i];
        for (int k = 0; k < 3; ++k)
            through[i + 1].point[k] = random_in(seed, -1, 1);
    }
    through[BODIES + 1] = through[2];
    through[BODIES + 1].point[1] += 1;
    joint[0] = add_joint(&w, "hinge", "revolute", body[3], body[1], seed);
    joint[1] = add_joint(&w, "sleeve", "cylindrical", (cairn_body){0}, body[2], seed);
    joint[2] = add_joint(&w, "cardan", "ball", body[1], body[0], seed);
    const cairn_coupling_term terms[] = {
        {.factor = 1.3, .joint = joint[0]},
        {.factor = -0.4, .joint = joint[1], .coordinate = "position"},
        {.factor = 2.1, .joint = joint[1], .coordinate = "angle"},
        {.factor = 0.8, .joint = joint[2], .coordinate = "twist"},
        {.factor = 0.7, .points = through, .point_count = BODIES + 2},
    };
    cairn_coupling_options o = options_of("all", terms, 5);
    must(&w, cairn_model_add_coupling(w.model, &o, coupling));
    return w;
}

static void move(crn_pose pose[BODIES], double v[BODIES][6], double h)
{
    for (int i = 0; i < BODIES; ++i)
    {
        double phi[3], q[4], turn[9], R[9];
        crn_madd3(pose[i].x, h, v[i], pose[i].x);
        crn_scale3(h, v[i] + 3, phi);
        crn_quaternion_exp(phi, q);
        crn_quaternion_to_matrix(q, turn);
        memcpy(R, pose[i].R, sizeof R);
        crn_multiply33(R, turn, pose[i].R);
    }
}

/* Power of the unit impulse at the velocity v, by the forces and moments on the bodies. */
static double power(const cairn_model *model, const crn_coupling *coupling, const crn_pose *pose, double v[BODIES][6])
{
    double sum = 0;
    for (int i = 0; i < coupling->part_count; ++i)
    {
        int body[2];
        crn_joint_action action = crn_coupling_act(model, coupling, i, pose, 1.0, 0.0);
        crn_coupling_bodies(model, &coupling->part[i], body);
        for (int side = 0; side < 2; ++side)
        {
            double w[3], arm[3], u[3];
            if (body[side] < 0)
                continue;
            crn_rotate3(pose[body[side]].R, v[body[side]] + 3, w);
            crn_sub3(action.x[side], pose[body[side]].x, arm);
            crn_cross3(w, arm, u);
            crn_add3(u, v[body[side]], u);
            sum += crn_dot3(action.impulse[side], u) + crn_dot3(action.moment[side], w);
        }
    }
    return sum;
}

static void gradients(void **state)
{
    (void)state;
    uint64_t seed = 4711;
    for (int k = 0; k < 200; ++k)
    {
        cairn_body body[BODIES];
        cairn_joint joint[3], made;
        world w = make(&seed, body, joint, &made);
        const crn_coupling *coupling = w.model->joints[3].coupling;
        crn_pose pose[BODIES], moved[2][BODIES];
        double v[BODIES][6], q[4], h = 1e-5, rate = 0, at[2];
        assert_int_equal(coupling->body_count, BODIES);
        for (int i = 0; i < BODIES; ++i)
        {
            double phi[3];
            for (int j = 0; j < 3; ++j)
                phi[j] = random_in(&seed, -0.6, 0.6);
            crn_quaternion_exp(phi, q);
            crn_quaternion_to_matrix(q, pose[i].R);
            for (int j = 0; j < 3; ++j)
                pose[i].x[j] = random_in(&seed, -3, 3);
            for (int j = 0; j < 6; ++j)
                v[i][j] = random_in(&seed, -1, 1);
        }
        crn_gradient_side side[CRN_JOINT_BODIES];
        crn_coupling_value(w.model, coupling, pose, NULL, side);
        for (int i = 0; i < BODIES * 6; ++i)
        {
            assert_int_equal(side[i / 6].body, i / 6);
            rate += side[i / 6].g[i % 6] * v[i / 6][i % 6];
        }
        for (int s = 0; s < 2; ++s)
        {
            memcpy(moved[s], pose, sizeof pose);
            move(moved[s], v, s == 0 ? -h : h);
            at[s] = crn_coupling_value(w.model, coupling, moved[s], NULL, NULL);
        }
        assert_near((at[1] - at[0]) / (2 * h), rate, 1e-6 * (1 + fabs(rate)));
        assert_near(power(w.model, coupling, pose, v), rate, 1e-12 * (1 + fabs(rate)));
        world_free(&w);
    }
}

/* ----------------------------------------------------------------------------------------------------- refusals */

static void refusals(void **state)
{
    (void)state;
    uint64_t seed = 5;
    cairn_body body[BODIES];
    cairn_joint joint[3], coupling, out;
    world w = make(&seed, body, joint, &coupling);
    cairn_attachment through[2] = {{.body = body[0]}, {.body = body[1]}};
    const struct
    {
        cairn_coupling_term term[2];
        int count;
        const char *sentence;
    } wrong[] = {
        {{{.factor = 1}}, 1, "term 1: the joint is not in the model"},
        {{{.factor = 1, .joint = {.id = 77}}}, 1, "term 1: the joint is not in the model"},
        {{{.factor = 0, .joint = joint[0]}}, 1, "factor: must be a finite number other than 0, found 0"},
        {{{.factor = NAN, .joint = joint[0]}}, 1, "factor: must be a finite number other than 0"},
        {{{.factor = INFINITY, .joint = joint[0]}}, 1, "factor: must be a finite number other than 0"},
        {{{.factor = 1, .joint = joint[1], .coordinate = "turn"}},
         1,
         "has no coordinate 'turn'; it has 'position', 'angle'"},
        {{{.factor = 1, .joint = joint[1]}}, 1, "which coordinate of joint 'sleeve' is meant?"},
        {{{.factor = 1, .joint = joint[0]}, {.factor = 2, .joint = joint[0]}},
         2,
         "term 2: 'angle' of joint 'hinge' is given twice"},
        {{{.factor = 1, .joint = joint[0], .points = through, .point_count = 2}},
         1,
         "either a joint or a list of points"},
        {{{.factor = 1, .points = through, .point_count = 1}}, 1, "a rope needs at least two"},
        {{{.factor = 1, .points = (cairn_attachment[2]){{.point = {0}}}, .point_count = 2}},
         1,
         "points 1 and 2 coincide"},
        {{{.factor = 1, .joint = coupling}}, 1, "'all' is a coupling"},
        {{{.factor = 1}}, 0, "terms: needs at least one"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
    {
        cairn_coupling_options o = options_of("wrong", wrong[i].term, wrong[i].count);
        refused(&w, cairn_model_add_coupling(w.model, &o, &out), wrong[i].sentence);
    }
    cairn_coupling_term fine = {.factor = 1, .joint = joint[0]};
    cairn_coupling_options o = options_of("hinge", &fine, 1);
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "the name is used twice");
    o.name = "loose";
    o.hold = false;
    o.value.expression = "1";
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "value: it is not held");
    o.hold = true;
    o.value.expression = "1 +";
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "'loose': value");
    o.value.expression = "1";
    o.weight = 0;
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "weight: must be greater than 0");
    o.struct_size = 3;
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "coupling");
    assert_int_equal(cairn_model_joint_count(w.model), 4);
    cairn_coordinate_options range = cairn_coordinate_default();
    refused(&w, cairn_model_set_coordinate(w.model, coupling, "angle", &range),
            "coupling 'all': there is no coordinate 'angle'");
    range.friction_coefficient = 0.1;
    refused(&w, cairn_model_set_coordinate(w.model, coupling, "value", &range), "nothing presses its parts together");
    range.friction_coefficient = 0;
    range.lower = range.upper = 1;
    refused(&w, cairn_model_set_coordinate(w.model, coupling, "value", &range), "coupling 'all': range: lower");
    world_free(&w);
}

/* 64 bodies are fine, 65 are not. */
static void many_bodies(void **state)
{
    (void)state;
    world w = world_new(3);
    cairn_attachment through[65];
    cairn_joint out;
    for (int i = 0; i < 65; ++i)
    {
        char name[24];
        snprintf(name, sizeof name, "body %d", i);
        through[64 - i] = (cairn_attachment){.body = add_body(&w, name, (double[3]){i, (i * i) % 7, 0})};
    }
    cairn_coupling_term term = {.factor = 1, .points = through, .point_count = 65};
    cairn_coupling_options o = options_of("rope", &term, 1);
    refused(&w, cairn_model_add_coupling(w.model, &o, &out), "terms: more than 64 bodies take part");
    term.point_count = 64;
    must(&w, cairn_model_add_coupling(w.model, &o, &out));
    cairn_model_set_gravity(w.model, (double[3]){0, 0, 0});
    must(&w, cairn_model_remove_body(w.model, through[64].body));
    cairn_settings settings = cairn_settings_default();
    settings.integrator = CAIRN_INTEGRATOR_STIFF2;
    world_start(&w, &settings);
    world_run(&w, 3);
    double rate;
    cairn_simulation_coordinate(w.simulation, out, 0, &rate);
    assert_near(rate, 0, 1e-12);
    world_free(&w);
}

/* ------------------------------------------------------------------------------------------------------ removal */

/* A coupling goes with any of its joints and bodies, and one of others stays with its value, whatever is removed before it. */
static void removal(void **state)
{
    (void)state;
    for (int what = 0; what < 6; ++what)
    {
        uint64_t seed = 99;
        cairn_body body[BODIES], own[2];
        cairn_joint joint[3], coupling, pin[2], other;
        world w = make(&seed, body, joint, &coupling);
        for (int i = 0; i < 2; ++i)
        {
            own[i] = add_body(&w, i == 0 ? "left" : "right", (double[3]){9, i, 0});
            pin[i] = add_joint(&w, i == 0 ? "left" : "right", "prismatic", (cairn_body){0}, own[i], &seed);
        }
        const cairn_attachment through[2] = {{.body = own[0]}, {.body = own[1]}};
        const cairn_coupling_term term[] = {{.factor = 1, .joint = pin[0]},
                                            {.factor = 3, .joint = pin[1]},
                                            {.factor = 2, .points = through, .point_count = 2}};
        cairn_coupling_options o = options_of("other", term, 3);
        o.hold = false;
        must(&w, cairn_model_add_coupling(w.model, &o, &other));
        cairn_settings settings = cairn_settings_default();
        settings.step = 0.001;
        settings.initial = CAIRN_INITIAL_PROJECT;
        world_start(&w, &settings);
        world_run(&w, 2);
        double value = cairn_simulation_coordinate(w.simulation, other, 0, NULL), rate;
        must(&w, what < 3 ? cairn_model_remove_joint(w.model, joint[what])
                          : cairn_model_remove_body(w.model, body[what - 3]));
        assert_string_equal(cairn_model_joint_name(w.model, coupling), "");
        assert_string_equal(cairn_model_joint_name(w.model, other), "other");
        world_run(&w, 1);
        double now = cairn_simulation_coordinate(w.simulation, other, 0, &rate);
        assert_near(now, value, 0.05);
        assert_near(now, value + settings.step * rate, 1e-4);
        must(&w, cairn_model_remove_joint(w.model, pin[1]));
        assert_string_equal(cairn_model_joint_name(w.model, other), "");
        world_run(&w, 1);
        world_free(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients),
        cmocka_unit_test(refusals),
        cmocka_unit_test(many_bodies),
        cmocka_unit_test(removal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
