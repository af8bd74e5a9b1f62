/* Materials and pairs. */
#include "scene/save/save.h"

#include <assert.h>

static void save_patch(crn_saver *s, const cairn_patch_options *patch)
{
    const cairn_patch_options standard = cairn_material_default().patch;
    if (patch->elements == 0)
        return;
    crn_field_begin(s, "patch");
    crn_open(s, '{');
    crn_field_number(s, "elements", patch->elements, 0);
    crn_field_number(s, "spacing", patch->spacing, 0);
    crn_field_number(s, "compliance", patch->compliance, 0);
    crn_field_number(s, "poisson", patch->poisson, standard.poisson);
    crn_field_number(s, "damping", patch->damping, standard.damping);
    crn_field_number(s, "retardation", patch->retardation, standard.retardation);
    if (patch->kernel != standard.kernel)
        crn_field_text(s, "kernel", "point");
    crn_close(s, '}');
}

static void save_material(crn_saver *s, const crn_material *m)
{
    const cairn_material_options standard = cairn_material_default();
    crn_item_begin(s);
    crn_field_text(s, "name", m->name);
    crn_field_number(s, "friction", m->friction, standard.friction);
    crn_field_number(s, "restitution", m->restitution, 0);
    crn_field_number(s, "stiffness", m->stiffness, 0);
    crn_field_number(s, "damping", m->damping, 0);
    crn_field_number(s, "tangential_stiffness", m->tangential, 0);
    crn_field_number(s, "rolling_friction", m->rolling, 0);
    crn_field_number(s, "spinning_friction", m->spinning, 0);
    crn_field_number(s, "cohesion", m->cohesion, 0);
    crn_field_number(s, "cohesion_range", m->range, 0);
    crn_field_number(s, "weight", m->weight, standard.weight);
    save_patch(s, &m->patch);
    crn_item_end(s);
}

/* What a pair has of its own; friction and restitution are always told in files. */
static void save_surface(crn_saver *s, const crn_pair *pair)
{
    double friction, restitution;
    const cairn_pair_options *o = &pair->options;
    crn_materials_pair(s->model, pair->a, pair->b, &friction, &restitution);
    crn_field_begin(s, "friction");
    crn_put_number(s, friction);
    crn_field_number(s, "restitution", restitution, 0);
    const struct
    {
        const char *name;
        double value;
    } more[] = {{"rolling_friction", o->rolling_friction},
                {"spinning_friction", o->spinning_friction},
                {"cohesion", o->cohesion}};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; ++i)
        if (!isnan(more[i].value))
            crn_field_number(s, more[i].name, more[i].value, NAN);
}

void crn_save_materials(crn_saver *s)
{
    const cairn_model *model = s->model;
    crn_section(s, "materials");
    for (size_t i = 1; i < model->material_count; ++i)
        save_material(s, &model->materials[i]);
    crn_section(s, "pairs");
    for (size_t i = 0; i < model->pair_count; ++i)
    {
        const crn_pair *pair = &model->pairs[i];
        assert(pair->a >= 0 && pair->b < (int)model->material_count);
        crn_item_begin(s);
        crn_field_begin(s, "materials");
        crn_open(s, '[');
        crn_element_begin(s, false);
        crn_put_text(s, model->materials[pair->a].name);
        crn_element_begin(s, false);
        crn_put_text(s, model->materials[pair->b].name);
        crn_close(s, ']');
        save_surface(s, pair);
        crn_item_end(s);
    }
}
