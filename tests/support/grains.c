#include "support/grains.h"

#include "support/check.h"

#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

turned turn_by(int dimension, double angle)
{
    double n[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7}, c = cos(angle), s = sin(angle);
    if (dimension == 2)
        memcpy(n, (double[3]){0, 0, 1}, sizeof n);
    double cross[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    turned t = {
        dimension, angle, {cos(angle / 2), sin(angle / 2) * n[0], sin(angle / 2) * n[1], sin(angle / 2) * n[2]}, {0}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            t.R[3 * i + j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j] + s * cross[3 * i + j];
    return t;
}

void turn_vector(const turned *t, const double x[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = t->R[3 * i] * x[0] + t->R[3 * i + 1] * x[1] + t->R[3 * i + 2] * x[2];
}

int read_numbers(const world *w, const char *name, double *out)
{
    cairn_quantity quantity;
    if (cairn_quantity_find(w->context, world_model(w), name, &quantity) ||
        cairn_quantity_value(w->simulation, &quantity, out))
        fail_msg("%s: %s", name, cairn_context_last_message(w->context));
    return quantity.count;
}

double read_number(const world *w, const char *name)
{
    double out[CAIRN_QUANTITY_MOST];
    assert_int_equal(read_numbers(w, name, out), 1);
    return out[0];
}

void add_region(world *w, const char *name, const cairn_region *region)
{
    cairn_statistic made;
    cairn_statistic_options options = cairn_statistic_default();
    options.name = name;
    if (region)
        options.region = *region;
    if (cairn_model_add_statistic(w->model, &options, &made))
        fail_msg("%s", cairn_context_last_message(w->context));
}

cairn_region box_region(const turned *t, const double centre[3], double x, double y, double z)
{
    cairn_region box = {.size = {x, y, z}, .angle = t->dimension == 2 ? t->angle : 0};
    memcpy(box.centre, centre, sizeof box.centre);
    memcpy(box.orientation, t->q, sizeof box.orientation);
    return box;
}

cairn_body add_grain(world *w, const double x[3], double radius)
{
    char name[24];
    bool planar = cairn_model_dimension(w->model) == 2;
    snprintf(name, sizeof name, "g%d", cairn_model_body_count(w->model));
    double volume = planar ? PI * radius * radius : 4 * PI / 3 * radius * radius * radius;
    return add_ball(w->model, name, volume, radius, x, (cairn_material){0});
}

void set_motion(world *w, cairn_body body, const double x[3], const double v[3], const double spin[3])
{
    cairn_body_state state = {.orientation = {1}};
    memcpy(state.position, x, sizeof state.position);
    memcpy(state.velocity, v, sizeof state.velocity);
    memcpy(state.angular_velocity, spin, sizeof state.angular_velocity);
    assert_int_equal(cairn_model_set_body(w->model, body, &state), CAIRN_OK);
}
