#include "support/problems/instances.h"

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

double instance_uniform(instance *x, double low, double high)
{
    return random_in(&x->seed, low, high);
}

/* The end of the 3rd to 9th step, off by nothing, by 1e-16 to 1e-3 of a step, or by any share of one. */
static void draw_time(instance *x)
{
    double sign = x->number % 2 ? 1 : -1;
    switch (x->number / 2 % 4)
    {
    case 0:
        x->offset = 0;
        break;
    case 1:
        x->offset = sign * pow(10, instance_uniform(x, -16, -8));
        break;
    case 2:
        x->offset = sign * pow(10, instance_uniform(x, -8, -3));
        break;
    default:
        x->offset = instance_uniform(x, 0.01, 0.99);
        break;
    }
    x->time = (floor(instance_uniform(x, 3, 9)) + x->offset) * x->h;
}

static instance draw(int number, cairn_integrator integrator)
{
    static const double RESTITUTION[] = {0, 1, 0.5};
    instance x = {.seed = (uint64_t)number * UINT64_C(0xd1342543de82ef95), .number = number};
    x.dimension = instance_uniform(&x, 0, 1) < 0.5 ? 2 : 3;
    x.h = instance_uniform(&x, 0, 1) < 0.5 ? ldexp(1, -(int)instance_uniform(&x, 6, 9))
                                           : instance_uniform(&x, 0.003, 0.015);
    int which = (int)instance_uniform(&x, 0, 5);
    x.e = which < 3 ? RESTITUTION[which] : instance_uniform(&x, 0, 1);
    x.mu = instance_uniform(&x, 0, 0.8);
    x.settings = cairn_settings_default();
    x.settings.integrator = integrator;
    x.settings.step = x.h;
    x.settings.restitution_threshold = 1e-4;
    x.settings.stabilisation = (cairn_stabilisation)instance_uniform(&x, 0, 3);
    x.settings.impact = instance_uniform(&x, 0, 1) < 0.5 ? CAIRN_IMPACT_POISSON : CAIRN_IMPACT_NEWTON;
    draw_time(&x);
    return x;
}

static bool judge(const char *name, instance_fn *run, int number, cairn_integrator integrator)
{
    char why[200] = "";
    instance x = draw(number, integrator), drawn = x;
    double off = run(&x, why);
    if (off <= 1)
        return true;
    print_message("%s %d, %s %s: %g times what is allowed; %dD, e %g, h %g, %g steps off its end; %s\n", name, number,
                  cairn_integrator_name(integrator), cairn_stabilisation_name(drawn.settings.stabilisation), off,
                  drawn.dimension, drawn.e, drawn.h, drawn.offset, why);
    return false;
}

void instances_check(const char *name, instance_fn *run, int count)
{
    const char *only = getenv("CAIRN_INSTANCE");
    int wrong[5] = {0}, all = 0;
    for (int i = CAIRN_INTEGRATOR_TRAPEZOID; i <= CAIRN_INTEGRATOR_STIFF2; ++i)
    {
        for (int k = 1; k <= count; ++k)
        {
            bool wanted = !only || atoi(only) == k;
            wrong[i] += wanted && !judge(name, run, k, (cairn_integrator)i);
        }
        all += wrong[i];
    }
    print_message("%s: %d instances; wrong: trapezoid %d, trapezoid2 %d, stiff2 %d\n", name, count, wrong[2], wrong[3],
                  wrong[4]);
    assert_int_equal(all, 0);
}

cairn_body instance_wall(cairn_model *model, const char *name, const double point[3], const double normal[3],
                         cairn_material material)
{
    cairn_body_options o = cairn_body_default();
    o.name = name;
    o.kind = CAIRN_FIXED;
    memcpy(o.position, point, sizeof o.position);
    cairn_body body = {0};
    assert_int_equal(cairn_model_add_body(model, &o, &body), CAIRN_OK);
    cairn_shape_options shape =
        cairn_shape_default(cairn_model_dimension(model) == 2 ? CAIRN_HALF_PLANE : CAIRN_HALF_SPACE);
    memcpy(shape.normal, normal, sizeof shape.normal);
    shape.material = material;
    cairn_shape out;
    assert_int_equal(cairn_model_add_shape(model, body, &shape, &out), CAIRN_OK);
    return body;
}
