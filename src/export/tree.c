/* Which joints make the tree, and who carries whom: see robot_writer.h. */
#include "base/union_find.h"
#include "cairn/assembly.h"
#include "export/robot_writer.h"
#include "model/names.h"

#include <assert.h>
#include <string.h>

enum
{
    RANKS = 8,
    WANTED = -1 /* before all others: something acts on its coordinates */
};

/* What is needed for the plan alone. Nodes are bodies, counted from 1, and the ground, 0. */
typedef struct plan
{
    crn_writer *writer;
    crn_arena memory;
    int *set;    /* union-find */
    bool *acted; /* per joint: something acts on it, or a coupling adds it up */
    int *end, *edge,
        *next; /* edges of a node: end[node] is the first, edge / 2 the joint, edge % 2 the side on which the node is */
    int *queue, *depth;
    bool *seen;
} plan;

static int node_of(const cairn_model *model, int body)
{
    return crn_body_is_dynamic(model, body) ? body + 1 : 0;
}

static cairn_status reserve(plan *p)
{
    const cairn_model *model = p->writer->model;
    size_t nodes = model->body_count + 1, joints = model->joint_count;
    CRN_TRY(crn_reserve_all(&p->memory, CRN_ARRAY(p->set, nodes), CRN_ARRAY(p->acted, joints), CRN_ARRAY(p->end, nodes),
                            CRN_ARRAY(p->next, 2 * joints), CRN_ARRAY(p->queue, nodes), CRN_ARRAY(p->depth, nodes),
                            CRN_ARRAY(p->seen, nodes)));
    return crn_reserve_all(&p->writer->memory, CRN_ARRAY(p->writer->body, model->body_count),
                           CRN_ARRAY(p->writer->pose, model->body_count), CRN_ARRAY(p->writer->carries, joints));
}

static void find_acted(plan *p)
{
    const cairn_model *model = p->writer->model;
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        const crn_joint *joint = &model->joints[i];
        p->acted[i] = p->acted[i] || joint->element_count > 0;
        for (int k = 0; joint->coupling && k < joint->coupling->part_count; ++k)
            if (joint->coupling->part[k].joint >= 0)
                p->acted[joint->coupling->part[k].joint] = true;
    }
}

/* Take joints into the tree by their ranks, as long as they close no loop. */
static void pick(plan *p, int (*rank)(const crn_joint *joint))
{
    const cairn_model *model = p->writer->model;
    for (int r = WANTED; r < RANKS; ++r)
        for (size_t i = 0; i < model->joint_count; ++i)
        {
            const crn_joint *joint = &model->joints[i];
            int own = joint->coupling || crn_joint_gives_way(joint) ? -1 : rank(joint);
            if (own < 0 || (p->acted[i] ? WANTED : own) != r)
                continue;
            int a = node_of(model, joint->a.body), b = node_of(model, joint->b.body);
            if (crn_union_root(p->set, a) == crn_union_root(p->set, b))
                continue;
            crn_union_join(p->set, a, b);
            p->writer->carries[i] = true;
        }
}

static void link_edges(plan *p)
{
    const cairn_model *model = p->writer->model;
    for (size_t i = 0; i <= model->body_count; ++i)
        p->end[i] = -1;
    for (int i = (int)model->joint_count - 1; i >= 0; --i)
        for (int side = 1; side >= 0 && p->writer->carries[i]; --side)
        {
            const crn_joint *joint = &model->joints[i];
            int node = node_of(model, side == 0 ? joint->a.body : joint->b.body);
            p->next[2 * i + side] = p->end[node];
            p->end[node] = 2 * i + side;
        }
}

/* Hang on `root` all that joints of the tree connect to it, the nearest first. */
static void hang(plan *p, int root)
{
    crn_writer *w = p->writer;
    int begin = 0, end = 0;
    p->queue[end++] = root;
    p->seen[root] = true;
    while (begin < end)
    {
        int node = p->queue[begin++];
        for (int edge = p->end[node]; edge >= 0; edge = p->next[edge])
        {
            const crn_joint *joint = &w->model->joints[edge / 2];
            int here = edge % 2 == 0 ? joint->a.body : joint->b.body,
                there = edge % 2 == 0 ? joint->b.body : joint->a.body;
            int other = node_of(w->model, there);
            if (p->seen[other] || !w->carries[edge / 2])
                continue;
            if (p->depth[node] + 1 >= CRN_WRITER_DEPTH)
            {
                w->carries[edge / 2] = false; /* it is written as a loop */
                continue;
            }
            assert(other > 0 && there == other - 1);
            crn_carrier *body = &w->body[there];
            body->parent = here;
            body->joint = edge / 2;
            body->is_reversed = edge % 2 == 1;
            p->depth[other] = p->depth[node] + 1;
            p->seen[other] = true;
            p->queue[end++] = other;
        }
    }
}

/* *out: the mechanism put together; NULL: the model begins as it is given. */
static cairn_status assemble(const crn_writer *w, cairn_assembly **out)
{
    const cairn_settings standard = cairn_settings_default(),
                         *settings = w->options->settings ? w->options->settings : &standard;
    *out = NULL;
    if (!w->model->has_initial && settings->initial != CAIRN_INITIAL_ASSEMBLE)
        return CAIRN_OK;
    cairn_status status = cairn_assembly_create(w->model->context, w->model, settings, out);
    if (status == CAIRN_OK)
        return status;
    cairn_assembly_destroy(*out);
    *out = NULL;
    return status;
}

static cairn_status set_bodies(crn_writer *w, const cairn_assembly *assembly)
{
    const cairn_model *model = w->model;
    for (int i = 0; i < (int)model->body_count; ++i)
    {
        crn_carrier *body = &w->body[i];
        *body = (crn_carrier){.parent = -1, .joint = -1, .first = -1, .next = -1};
        bool moves = crn_body_is_dynamic(model, i);
        body->state = crn_initial_of(&model->bodies[i]);
        if (moves && assembly)
            body->state = cairn_assembly_body(assembly, cairn_model_body(model, i)).state;
        else if (!moves)
            crn_model_pose_at(model, i, 0.0, &body->state);
        memcpy(body->frame.x, body->state.position, sizeof body->frame.x);
        memcpy(body->frame.q, body->state.orientation, sizeof body->frame.q);
        memcpy(w->pose[i].x, body->state.position, sizeof w->pose[i].x);
        crn_quaternion_to_matrix(body->state.orientation, w->pose[i].R);
        if (moves)
            CRN_TRY(crn_model_mass(model, i, &body->mass, body->inertia));
    }
    return CAIRN_OK;
}

static void list_children(crn_writer *w)
{
    w->first = -1;
    for (int i = (int)w->model->body_count - 1; i >= 0; --i)
    {
        int parent = w->body[i].parent, *first = parent < 0 ? &w->first : &w->body[parent].first;
        w->body[i].next = *first;
        *first = i;
    }
}

static cairn_status make(plan *p, int (*rank)(const crn_joint *joint))
{
    crn_writer *w = p->writer;
    if (reserve(p) != CAIRN_OK)
        return crn_fail(w->model->context, CAIRN_NO_MEMORY, "%s: memory ran out", w->format);
    cairn_assembly *assembly = NULL;
    CRN_TRY(assemble(w, &assembly));
    cairn_status status = set_bodies(w, assembly);
    cairn_assembly_destroy(assembly);
    CRN_TRY(status);
    for (int i = 0; i <= (int)w->model->body_count; ++i)
        p->set[i] = i;
    find_acted(p);
    pick(p, rank);
    link_edges(p);
    hang(p, 0);
    for (int i = 0; i < (int)w->model->body_count; ++i)
        if (crn_body_is_dynamic(w->model, i) && !p->seen[i + 1])
        {
            w->body[i].is_free = true;
            hang(p, i + 1);
        }
    list_children(w);
    return CAIRN_OK;
}

cairn_status crn_writer_plan(crn_writer *writer, int (*rank)(const crn_joint *joint))
{
    plan p = {.writer = writer};
    cairn_status status = make(&p, rank);
    crn_arena_release(&p.memory);
    return status;
}
