/* What neither format knows: forces, motions, systems, laws of contact. */
#include "export/robot_writer.h"

static void not_written(crn_writer *w, const char *what, const char *name)
{
    crn_writer_note(w, "%s '%.80s' has no counterpart in %s: not written", what, name, w->format);
}

static void note_materials(crn_writer *w)
{
    for (size_t i = 0; i < w->model->material_count; ++i)
    {
        const crn_material *m = &w->model->materials[i];
        if (m->restitution > 0)
            crn_writer_note(w, "material '%.80s': its restitution has no counterpart in %s: not written", m->name,
                            w->format);
        if (m->cohesion > 0)
            crn_writer_note(w, "material '%.80s': its cohesion has no counterpart in %s: not written", m->name,
                            w->format);
        if (m->stiffness > 0 || m->patch.elements > 0)
            crn_writer_note(w, "material '%.80s' gives way, which has no counterpart in %s: not written", m->name,
                            w->format);
    }
    for (size_t i = 0; i < w->model->pair_count; ++i)
        if (w->model->pairs[i].options.restitution > 0)
            crn_writer_note(w, "materials '%.80s' and '%.80s': the restitution of the pair is not written",
                            w->model->materials[w->model->pairs[i].a].name,
                            w->model->materials[w->model->pairs[i].b].name);
}

void crn_note_common(crn_writer *w)
{
    const cairn_model *model = w->model;
    for (size_t i = 0; i < model->body_count; ++i)
        if (model->bodies[i].kind == CAIRN_DRIVEN)
            crn_writer_note(w, "body '%.80s' is driven; its motion is not written, and it stays where it is at t = 0",
                            model->bodies[i].name);
    note_materials(w);
    for (size_t i = 0; i < model->force_count; ++i)
        not_written(w, "force", model->forces[i].name);
    for (size_t i = 0; i < model->system_count; ++i)
        not_written(w, "system", model->systems[i].name);
    for (int i = 0; i < w->options->sensor_count; ++i)
        not_written(w, "sensor", w->options->sensors[i].name);
}
