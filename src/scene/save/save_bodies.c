/* Bodies and their groups. A model knows groups as bits; bit 0 is `default`, and the others are called group-1 and so on. */
#include "scene/save/save.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const double ZERO[6] = {0};

/* ----------------------------------------------------------------------------------------------------------- groups */

static void put_groups(crn_saver *s, const char *field, uint64_t bits)
{
    crn_field_begin(s, field);
    crn_open(s, '[');
    for (int i = 0; i < 64; ++i)
    {
        char name[24] = "default";
        if (i > 0)
            snprintf(name, sizeof name, "group-%d", i);
        if (bits >> i & 1u)
        {
            crn_element_begin(s, false);
            crn_put_text(s, name);
        }
    }
    crn_close(s, ']');
}

void crn_save_groups(crn_saver *s, const crn_body *body, uint64_t used)
{
    uint64_t groups = body->traits->groups, with = groups == 0 ? 0 : body->traits->collides_with & used;
    if (groups > 1)
        put_groups(s, "groups", groups);
    if (with != used)
        put_groups(s, "collides_with", with);
}

/* ------------------------------------------------------------------------------------------------------------ bodies */

/* Where a driven body is: expressions, and numbers where it stays. */
static void put_path(crn_saver *s, const crn_body *body)
{
    crn_field_begin(s, "position");
    crn_open(s, '[');
    for (int k = 0; k < s->model->dimension; ++k)
    {
        crn_element_begin(s, false);
        if (body->traits->motion->text[k])
            crn_put_expression(s, body->traits->motion->text[k]);
        else
            crn_put_number(s, body->position[k]);
    }
    crn_close(s, ']');
}

static void save_motion(crn_saver *s, const crn_body *body)
{
    const crn_driven_motion *motion = body->traits->motion;
    char *const *text = motion ? motion->text : NULL;
    double axis[3];
    if (motion && motion->callback)
        crn_cannot_say(s, "body '%s': motion: is a callback, and a scene file holds expressions only", body->name);
    if (!motion || (!text[0] && !text[1] && !text[2] && !text[3]))
        return;
    crn_field_begin(s, "motion");
    crn_open(s, '{');
    if (text[0] || text[1] || text[2])
        put_path(s, body);
    if (text[3])
    {
        crn_field_begin(s, "angle");
        crn_put_expression(s, text[3]);
        crn_find_direction(motion->axis, 3, NULL, axis);
    }
    if (text[3] && s->model->dimension == 3)
        crn_field_numbers(s, "axis", axis, ZERO, 3);
    crn_close(s, '}');
}

static void save_inertia(crn_saver *s, const crn_body *body)
{
    double I[9];
    if (!crn_given_inertia(body, I))
        return;
    if (s->model->dimension == 2)
    {
        crn_field_number(s, "inertia", I[8], 0);
        return;
    }
    const double list[6] = {I[0], I[4], I[8], I[1], I[2], I[5]};
    crn_field_numbers(s, "inertia", list, ZERO, memcmp(list + 3, ZERO, 3 * sizeof(double)) == 0 ? 3 : 6);
}

static void save_pose(crn_saver *s, const crn_body *body)
{
    static const double UPRIGHT[4] = {1, 0, 0, 0};
    const cairn_body_state state = crn_initial_of(body);
    int n = s->model->dimension;
    double orientation[4];
    crn_field_numbers(s, "position", state.position, ZERO, n);
    if (n == 2 && memcmp(&state.angle, ZERO, sizeof state.angle) != 0)
    {
        crn_field_begin(s, "angle");
        crn_put_number(s, state.angle);
    }
    if (n == 3)
    {
        crn_find_direction(state.orientation, 4, NULL, orientation);
        crn_field_numbers(s, "orientation", orientation, UPRIGHT, 4);
    }
    crn_field_numbers(s, "velocity", state.velocity, ZERO, n);
    if (n == 2)
        crn_field_number(s, "angular_velocity", state.angular_velocity[2], 0);
    else
        crn_field_numbers(s, "angular_velocity", state.angular_velocity, ZERO, 3);
}

static void save_body(crn_saver *s, int index, uint64_t groups)
{
    static const char *const KINDS[] = {[CAIRN_FIXED] = "fixed", [CAIRN_DRIVEN] = "driven"};
    const crn_body *body = &s->model->bodies[index];
    assert((body->kind == CAIRN_DRIVEN) == (body->traits->motion != NULL));
    assert((body->traits->groups & ~groups) == 0);
    crn_item_begin(s);
    crn_field_text(s, "name", body->name);
    if (body->kind != CAIRN_DYNAMIC)
        crn_field_text(s, "kind", KINDS[body->kind]);
    crn_field_flag(s, "point", body->point);
    crn_field_flag(s, "hold", body->hold);
    crn_field_number(s, "mass", body->traits->mass, 0);
    save_inertia(s, body);
    save_pose(s, body);
    crn_save_groups(s, body, groups);
    save_motion(s, body);
    crn_save_shapes(s, index);
    crn_item_end(s);
}

uint64_t crn_groups_used(const cairn_model *model)
{
    uint64_t groups = 1;
    for (size_t i = 0; i < model->body_count; ++i)
        groups |= model->bodies[i].traits->groups;
    return groups;
}

void crn_save_bodies(crn_saver *s)
{
    uint64_t groups = crn_groups_used(s->model);
    crn_section(s, "bodies");
    for (size_t i = 0; i < s->model->body_count; ++i)
    {
        int population = s->model->bodies[i].population;
        if (population == 0 || !s->model->populations[population - 1].flow) /* else in save_populations.c */
            save_body(s, (int)i, groups);
    }
}
