/* Events of the second-order schemes: the examples of paper 1 against independent numbers, and closed forms. */
#include "support/check.h"
#include "support/worlds.h"

#include <string.h>

static cairn_settings settings_for(cairn_integrator integrator, double h)
{
    cairn_settings s = cairn_settings_default();
    s.integrator = integrator;
    s.step = h;
    s.stabilisation = CAIRN_STABILISE_NONE;
    s.law = (cairn_law){CAIRN_LAW_PYRAMID, 4};
    s.restitution_threshold = 0;
    return s;
}

/* ------------------------------------------------------------- paper 1, section 10.1: double pendulum and a wall */

static const double TRUTH[4] = {0.021946257563808046315, -0.99975915188556443926, 0.023851309509372674521,
                                -1.99975733619};

static world pendulum_and_wall(const cairn_settings *settings)
{
    world w = world_new(2);
    cairn_material hard = add_material(w.model, "hard", 0, 0.1);
    cairn_body_options wall = cairn_body_default();
    wall.name = "wall";
    wall.kind = CAIRN_FIXED;
    cairn_body fixed;
    assert_int_equal(cairn_model_add_body(w.model, &wall, &fixed), CAIRN_OK);
    cairn_shape_options plane = cairn_shape_default(CAIRN_HALF_PLANE);
    plane.normal[0] = 1;
    plane.normal[1] = 0;
    plane.material = hard;
    cairn_shape shape;
    assert_int_equal(cairn_model_add_shape(w.model, fixed, &plane, &shape), CAIRN_OK);
    double a = M_PI / 3, b = M_PI / 5;
    cairn_body upper = add_point(w.model, "upper", 1, sin(a), -cos(a), hard);
    cairn_body lower = add_point(w.model, "lower", 1, sin(a) + sin(b), -cos(a) - cos(b), hard);
    cairn_joint out;
    cairn_joint_options o = cairn_joint_default(CAIRN_JOINT_DISTANCE);
    o.name = "first";
    o.b.body = upper;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    o.name = "second";
    o.a.body = upper;
    o.b.body = lower;
    assert_int_equal(cairn_model_add_joint(w.model, &o, &out), CAIRN_OK);
    world_start(&w, settings);
    return w;
}

typedef struct pendulum_end
{
    double error, theta1, theta2;
    double impact[8];
    int impacts;
    int problems;
} pendulum_end;

static pendulum_end run_pendulum(cairn_integrator integrator, int power, const double *truth)
{
    double h = ldexp(1, -power);
    cairn_settings settings = settings_for(integrator, h);
    world w = pendulum_and_wall(&settings);
    pendulum_end end = {0};
    for (int i = 0; i < (int)lround(2.5 / h); ++i)
    {
        world_step(&w);
        end.problems += cairn_simulation_report(w.simulation)->problems;
        for (int k = 0; k < cairn_simulation_event_count(w.simulation) && end.impacts < 8; ++k)
        {
            cairn_event event = cairn_simulation_event(w.simulation, k);
            if (event.kind == CAIRN_EVENT_COLLISION)
            {
                end.impact[end.impacts++] = event.time;
            }
        }
    }
    double *a = world_body(&w, "upper").position, *b = world_body(&w, "lower").position;
    double q[4] = {a[0], a[1], b[0], b[1]}, sum = 0;
    for (int k = 0; k < 4; ++k)
    {
        sum += (q[k] - truth[k]) * (q[k] - truth[k]);
    }
    end.error = sqrt(sum);
    end.theta1 = q[0] * q[0] + q[1] * q[1] - 1;
    end.theta2 = (q[0] - q[2]) * (q[0] - q[2]) + (q[1] - q[3]) * (q[1] - q[3]) - 1;
    world_free(&w);
    return end;
}

static void double_pendulum(void **state)
{
    (void)state;
    for (int integrator = CAIRN_INTEGRATOR_TRAPEZOID; integrator <= CAIRN_INTEGRATOR_STIFF2; ++integrator)
    {
        double last = 0;
        for (int p = 5; p <= 11; ++p)
        {
            pendulum_end e = run_pendulum((cairn_integrator)integrator, p, TRUTH);
            print_message("%-10s 2^-%-2d E %.3e ratio %.2f theta %.2e %.2e impacts %d at %.6f %.6f %.6f problems %d\n",
                          cairn_integrator_name((cairn_integrator)integrator), p, e.error, last / e.error, e.theta1,
                          e.theta2, e.impacts, e.impact[0], e.impact[1], e.impact[2], e.problems);
            last = e.error;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_pendulum),
    };
    return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
