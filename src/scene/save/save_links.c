/* Springs, forces, and the pairs of bodies that never collide. */
#include "model/ignored.h"
#include "model/names.h"
#include "scene/save/save.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ZERO[3] = {0};

static void save_spring(crn_saver *s, const crn_spring *spring)
{
    bool linear = spring->kind == CAIRN_SPRING_LINEAR;
    int n = s->model->dimension;
    assert(spring->a.body != spring->b.body && !isnan(spring->rest));
    crn_item_begin(s);
    crn_field_text(s, "name", spring->name);
    crn_field_text(s, "type", linear ? "linear" : "angular");
    crn_field_bodies(s, spring->a.body, spring->b.body);
    bool at_origins =
        memcmp(spring->a.point, ZERO, sizeof ZERO) == 0 && memcmp(spring->b.point, ZERO, sizeof ZERO) == 0;
    if (linear && !at_origins)
        crn_field_ends(s, "points", spring->a.point, spring->b.point);
    if (!linear && n == 3)
    {
        double axis[3];
        crn_find_direction(spring->axis_a, 3, NULL, axis);
        crn_field_numbers(s, "axis", axis, ZERO, 3);
    }
    crn_field_number(s, "stiffness", spring->stiffness, 0);
    crn_field_number(s, "damping", spring->damping, 0);
    crn_field_number(s, "rest", spring->rest, NAN);
    crn_item_end(s);
}

static void put_expressions(crn_saver *s, const char *field, char *const *text, int count)
{
    crn_field_begin(s, field);
    crn_open(s, '[');
    for (int k = 0; k < count; ++k)
    {
        crn_element_begin(s, false);
        crn_put_expression(s, text[k] ? text[k] : "0");
    }
    crn_close(s, ']');
}

static void save_force(crn_saver *s, const crn_force *force)
{
    int n = s->model->dimension;
    char *const *torque = force->text + 3;
    bool turns = torque[2] || (n == 3 && (torque[0] || torque[1])),
         pushes = force->text[0] || force->text[1] || force->text[2];
    if (force->function)
        crn_cannot_say(s, "force '%s': is a callback, and a scene file holds expressions only", force->name);
    crn_item_begin(s);
    crn_field_text(s, "name", force->name);
    crn_field_text(s, "body", crn_body_name(s->model, force->body));
    if (pushes || !turns)
        put_expressions(s, "force", force->text, n);
    if (turns && n == 2)
    {
        crn_field_begin(s, "torque");
        crn_put_expression(s, torque[2]);
    }
    else if (turns)
        put_expressions(s, "torque", torque, 3);
    crn_field_numbers(s, "point", force->point, ZERO, n);
    if (force->body_frame)
        crn_field_text(s, "frame", "body");
    crn_item_end(s);
}

/* ---------------------------------------------------------------------------------------------------- ignored pairs */

static int compare_pairs(const void *left, const void *right)
{
    const crn_ignore *a = left, *b = right;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void save_ignored(crn_saver *s)
{
    const cairn_model *model = s->model;
    size_t count = 0;
    crn_ignore *list = calloc(model->ignored_slots + 1, sizeof *list);
    if (!list)
    {
        s->no_memory = true;
        return;
    }
    for (size_t i = 0; i < model->ignored_slots; ++i)
        if (crn_ignore_is_asked_for(model, &model->ignored[i]))
            list[count++] = model->ignored[i];
    qsort(list, count, sizeof *list, compare_pairs);
    fputs(count > 0 ? "ignore:\n" : "", s->out);
    for (size_t i = 0; i < count; ++i)
    {
        fputs("  - [", s->out);
        crn_write_text(s->out, model->bodies[list[i].a].name);
        fputs(", ", s->out);
        crn_write_text(s->out, model->bodies[list[i].b].name);
        fputs("]\n", s->out);
    }
    free(list);
}

void crn_save_links(crn_saver *s)
{
    crn_section(s, "springs");
    for (size_t i = 0; i < s->model->spring_count; ++i)
        save_spring(s, &s->model->springs[i]);
    crn_section(s, "forces");
    for (size_t i = 0; i < s->model->force_count; ++i)
        save_force(s, &s->model->forces[i]);
    save_ignored(s);
}
