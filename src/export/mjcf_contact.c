/* MJCF: pairs of bodies that do not touch. A body and its parent do not touch in MuJoCo, unless the parent is fixed. */
#include "export/mjcf.h"

#include "model/ignored.h"
#include "model/names.h"

#include <assert.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const crn_ignore *a = left, *b = right;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static bool is_child(const crn_writer *w, int child, int parent)
{
    return w->body[child].parent == parent && w->body[child].joint >= 0 && crn_body_is_dynamic(w->model, parent);
}

static void exclude(crn_writer *w, crn_mjcf_section *section, int a, int b)
{
    assert(a >= 0 && b >= 0 && a != b);
    if (is_child(w, a, b) || is_child(w, b, a))
        return;
    crn_section_begin(w, section);
    crn_element_open(w, "exclude");
    crn_attribute_text(w, "body1", w->model->bodies[a].name);
    crn_attribute_text(w, "body2", w->model->bodies[b].name);
    crn_element_close(w);
}

/* Groups are told by pairs: MuJoCo's two masks mean something else. */
static void exclude_groups(crn_writer *w, crn_mjcf_section *section)
{
    const cairn_model *model = w->model;
    bool groups = false;
    for (size_t i = 0; i < model->body_count; ++i)
        groups = groups || model->bodies[i].traits->groups != 1 || model->bodies[i].traits->collides_with != UINT64_MAX;
    for (int i = 0; groups && i < (int)model->body_count; ++i)
        for (int k = i + 1; k < (int)model->body_count; ++k)
        {
            bool moves = crn_body_is_dynamic(model, i) || crn_body_is_dynamic(model, k);
            if (moves && !crn_model_ignores(model, i, k) && !crn_model_may_touch(model, i, k))
                exclude(w, section, i, k);
        }
}

void crn_mjcf_put_excluded(crn_writer *w)
{
    const cairn_model *model = w->model;
    crn_mjcf_section section = {"contact", false};
    crn_ignore *list = NULL;
    size_t count = 0;
    if (crn_reserve_all(&w->memory, CRN_ARRAY(list, model->ignored_slots)))
    {
        w->status = CAIRN_NO_MEMORY;
        return;
    }
    for (size_t i = 0; i < model->ignored_slots; ++i)
        if (model->ignored[i].reasons > 0)
            list[count++] = model->ignored[i];
    qsort(list, count, sizeof *list, compare);
    for (size_t i = 0; i < count; ++i)
        exclude(w, &section, list[i].a, list[i].b);
    exclude_groups(w, &section);
    crn_section_end(w, &section);
}
