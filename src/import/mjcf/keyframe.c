/* MJCF: the keyframe in which the scene begins. Positions and velocities of all joints stand one after the other, in the order of the bodies
 * in the file: 7 and 6 numbers of a free joint (x, y, z and a quaternion; velocities in the world, angular ones in the body), 4 and 3 of
 * a ball joint, one of a hinge or slide.
 */
#include "import/mjcf/mjcf.h"

#include <string.h>

/* The joints with a walk through both lists. */
typedef struct walk
{
    crn_mjcf *m;
    crn_xml *key;
    const double *q, *v; /* NULL: not given */
} walk;

static void take_free(walk *w, crn_link *link)
{
    crn_link_frame frame = link->frame;
    if (w->q)
    {
        memcpy(frame.x, w->q, sizeof frame.x);
        memcpy(frame.q, w->q + 3, sizeof frame.q);
        if (!crn_quaternion_turns(frame.q))
        {
            crn_import_problem(w->m->import, w->key, "the quaternion of '%.80s' must not be 0", link->name);
            return;
        }
        crn_quaternion_normalise(frame.q);
    }
    link->frame = frame;
    if (w->v)
        memcpy(link->velocity, w->v, sizeof link->velocity);
}

/* A ball has no coordinates to begin with: the link is turned about the joint. */
static void take_ball(walk *w, crn_link *link, crn_link_joint *joint)
{
    crn_link_frame turn = crn_link_frame_identity();
    double moved[3];
    if (w->v)
        memcpy(joint->spin, w->v, sizeof joint->spin);
    if (!w->q)
        return;
    memcpy(turn.q, w->q, sizeof turn.q);
    if (!crn_quaternion_turns(turn.q))
    {
        crn_import_problem(w->m->import, w->key, "the quaternion of '%.80s' must not be 0", joint->name);
        return;
    }
    if (joint != link->joints + link->joint_count - 1)
    {
        crn_import_note(w->m->import, w->key,
                        "the turn of the ball joint '%.80s', which other joints follow, is left out", joint->name);
        return;
    }
    crn_quaternion_normalise(turn.q);
    crn_link_frame_direction(&turn, joint->point, moved);
    crn_sub3(joint->point, moved, turn.x);
    link->frame = crn_link_frame_compose(&link->frame, &turn);
}

static void take_joint(walk *w, crn_link *link, crn_link_joint *joint)
{
    int q = 1, v = 1;
    if (joint->kind == CRN_AXIS_FREE)
    {
        q = 7;
        v = 6;
        take_free(w, link);
    }
    else if (joint->kind == CRN_AXIS_BALL)
    {
        q = 4;
        v = 3;
        take_ball(w, link, joint);
    }
    else
    {
        joint->initial = w->q ? *w->q : joint->initial;
        if (w->v)
            joint->acting.initial_rate = *w->v;
    }
    w->q = w->q ? w->q + q : NULL;
    w->v = w->v ? w->v + v : NULL;
}

/* How many numbers the joints have. */
static void count(const crn_robot *robot, int *q, int *v)
{
    *q = *v = 0;
    for (int i = 0; i < robot->link_count; ++i)
        for (int k = 0; k < robot->links[i].joint_count; ++k)
        {
            crn_axis_kind kind = robot->links[i].joints[k].kind;
            *q += kind == CRN_AXIS_FREE ? 7 : kind == CRN_AXIS_BALL ? 4 : 1;
            *v += kind == CRN_AXIS_FREE ? 6 : kind == CRN_AXIS_BALL ? 3 : 1;
        }
}

static void take(crn_mjcf *m, crn_xml *key)
{
    double *q, *v;
    int q_wanted, v_wanted;
    count(m->robot, &q_wanted, &v_wanted);
    int q_found = crn_import_list(m->import, key, "qpos", &q), v_found = crn_import_list(m->import, key, "qvel", &v);
    if (q_found > 0 && q_found != q_wanted)
        crn_import_problem(m->import, key, "qpos: the joints have %d numbers, found %d", q_wanted, q_found);
    if (v_found > 0 && v_found != v_wanted)
        crn_import_problem(m->import, key, "qvel: the joints have %d numbers, found %d", v_wanted, v_found);
    if (m->import->problem_count > 0 || m->import->no_memory)
        return;
    walk w = {.m = m, .key = key, .q = q_found ? q : NULL, .v = v_found ? v : NULL};
    for (int i = 0; i < m->robot->link_count; ++i)
        for (int k = 0; k < m->robot->links[i].joint_count; ++k)
            take_joint(&w, &m->robot->links[i], &m->robot->links[i].joints[k]);
}

crn_xml *crn_mjcf_find_key(crn_mjcf *m)
{
    const char *wanted = m->import->options.keyframe;
    for (crn_xml *s = wanted ? crn_xml_child(m->root, "keyframe") : NULL; s; s = crn_xml_again(s))
        for (crn_xml *k = s->first; k; k = k->next)
            if (crn_xml_peek(k, "name") && !strcmp(crn_xml_peek(k, "name"), wanted))
                return k;
    return NULL;
}

void crn_mjcf_read_keyframe(crn_mjcf *m)
{
    const char *wanted = m->import->options.keyframe;
    cairn_suggestion near = {.word = wanted};
    crn_xml *begin = crn_mjcf_find_key(m);
    for (crn_xml *s = crn_xml_child(m->root, "keyframe"); s; s = crn_xml_again(s))
        for (crn_xml *k = s->first; k; k = k->next)
        {
            const char *name = crn_xml_peek(k, "name");
            if (k == begin)
            {
                k->used = true;
                crn_xml_get(k, "name");
                take(m, k);
                continue;
            }
            crn_xml_use_all(k);
            crn_import_note(m->import, k, "keyframe '%.80s' is not the one in which the scene begins",
                            name ? name : "");
            if (wanted && name)
                cairn_suggestion_offer(&near, name);
        }
    if (wanted && !begin)
        crn_import_problem(m->import, m->root, "there is no keyframe '%.80s'%s", wanted, near.hint);
}
