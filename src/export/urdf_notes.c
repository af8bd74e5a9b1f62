/* URDF: what of a model it cannot say. */
#include "export/urdf.h"

#include "model/ignored.h"

static void note_joints(crn_writer *w)
{
    const cairn_model *model = w->model;
    for (int i = 0; i < (int)model->joint_count; ++i)
    {
        const crn_joint *joint = &model->joints[i];
        if (w->carries[i])
            continue;
        if (joint->coupling)
        {
            if (crn_urdf_mimic(w, joint->coupling->part[0].joint) != joint)
                crn_writer_note(w, "coupling '%.80s' is not that of one joint that mimics another: not written",
                                joint->name);
        }
        else if (crn_urdf_rank(joint) < 0 || crn_joint_gives_way(joint))
            crn_writer_note(w, "joint '%.80s' (%.40s%s) has no counterpart in URDF: not written", joint->name,
                            joint->type->name, crn_joint_gives_way(joint) ? ", compliant" : "");
        else
            crn_writer_note(w, "joint '%.80s' closes a loop: not written", joint->name);
    }
    for (size_t i = 0; i < model->spring_count; ++i)
        if (model->springs[i].stiffness > 0 || !crn_spring_is_of_hinge(w, &model->springs[i]))
            crn_writer_note(w, "spring '%.80s' has no counterpart in URDF: not written", model->springs[i].name);
}

static bool moves(const cairn_body_state *state)
{
    return crn_norm3(state->velocity) > 0 || crn_norm3(state->angular_velocity) > 0;
}

static void note_model(crn_writer *w)
{
    const cairn_model *model = w->model;
    const double *g = model->gravity;
    int moving = 0, ignored = 0;
    for (size_t i = 0; i < model->body_count; ++i)
        moving += model->bodies[i].kind == CAIRN_DYNAMIC && moves(&w->body[i].state);
    for (size_t i = 0; i < model->ignored_slots; ++i)
        ignored += crn_ignore_is_asked_for(model, &model->ignored[i]);
    if (moving > 0)
        crn_writer_note(w, "the velocities of %d bodies at the start have no counterpart in URDF: not written", moving);
    if (ignored > 0)
        crn_writer_note(w, "%d pairs of bodies that do not touch have no counterpart in URDF: not written", ignored);
    if (g[0] != 0 || g[1] != 0 || g[2] != -9.81)
        crn_writer_note(w, "gravity (%g, %g, %g) has no counterpart in URDF: not written", g[0], g[1], g[2]);
    crn_writer_note(w, "materials, with their friction, have no counterpart in URDF: not written");
}

void crn_urdf_note_lost(crn_writer *w)
{
    note_joints(w);
    note_model(w);
}
