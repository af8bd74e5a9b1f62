/* Spheres and planes are measured by the formulas below. Other pairs of bodies are measured by cairn_query_distance, which belongs to
 * collision detection and knows no engine's answer; test_judge.c compares it with overlaps known by hand. Pairs are
 * found by sweeping along x. */
#include "judge.h"

#include "cairn_world.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/* Row-major matrix of a unit quaternion, body to world. */
static void rotation(const double q[4], double r[9])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double entries[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(r, entries, sizeof entries);
}

static void to_world(const double r[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = dot(r + 3 * i, v);
}

static void to_body(const double r[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] = r[i] * v[0] + r[i + 3] * v[1] + r[i + 6] * v[2];
}

static double bounding_radius(const peer_body *body)
{
    if (body->shape == PEER_BOX)
        return 0.5 * sqrt(dot(body->size, body->size));
    return body->size[0] + 0.5 * body->size[1];
}

bool peer_judge_create(const peer_scene *scene, peer_judge *out)
{
    size_t count = (size_t)scene->body_count;
    *out = (peer_judge){.scene = scene, .context = cairn_context_create()};
    out->poses = calloc(count + 1, sizeof *out->poses);
    out->order = calloc(count, sizeof *out->order);
    out->reach = calloc(count, sizeof *out->reach);
    out->model = out->context ? peer_cairn_model(out->context, scene) : NULL;
    if (!out->poses || !out->order || !out->reach || !out->model ||
        cairn_query_create(out->context, out->model, &out->query))
    {
        fprintf(stderr, "%s: %s\n", scene->name,
                out->context ? cairn_context_last_message(out->context) : "out of memory");
        peer_judge_destroy(out);
        return false;
    }
    for (size_t i = 0; i < count; ++i)
        out->reach[i] = bounding_radius(&scene->bodies[i]);
    out->poses[count].orientation[0] = 1;
    return true;
}

void peer_judge_destroy(peer_judge *judge)
{
    cairn_query_destroy(judge->query);
    cairn_model_destroy(judge->model);
    cairn_context_destroy(judge->context);
    free(judge->poses);
    free(judge->order);
    free(judge->reach);
    *judge = (peer_judge){0};
}

/* ----------------------------------------------------------------------------------------------------- penetrations */

/* How far a body reaches from its centre against the direction n. */
static double support(const peer_body *body, const peer_state *state, const double n[3])
{
    double r[9], local[3];
    if (body->shape == PEER_SPHERE)
        return body->size[0];
    rotation(state->orientation, r);
    to_body(r, n, local);
    if (body->shape == PEER_CAPSULE)
        return body->size[0] + 0.5 * body->size[1] * fabs(local[2]);
    return 0.5 * (body->size[0] * fabs(local[0]) + body->size[1] * fabs(local[1]) + body->size[2] * fabs(local[2]));
}

static double gap_between(peer_judge *judge, const peer_state *states, int i, int j)
{
    assert(i != j && i < judge->scene->body_count && j < judge->scene->body_count);
    const peer_body *bodies = judge->scene->bodies;
    cairn_distance found = {0};
    if (bodies[i].shape == PEER_SPHERE && bodies[j].shape == PEER_SPHERE)
        return distance(states[i].position, states[j].position) - bodies[i].size[0] - bodies[j].size[0];
    cairn_status status = cairn_query_distance(judge->query, cairn_model_body(judge->model, i),
                                               cairn_model_body(judge->model, j), &found);
    return status ? NAN : found.distance;
}

static void count_contact(peer_accuracy *out, double gap, double size)
{
    double depth = gap < 0 ? -gap / size : 0;
    /* A gap that is not a number is a state that is none: it counts as a penetration without bound. */
    if (isnan(gap))
        depth = INFINITY;
    else if (gap >= PEER_TOUCHING * size)
        return;
    ++out->contacts;
    out->mean += depth;
    out->worst = fmax(out->worst, depth);
}

/* Left ends of the bodies' bounding spheres, for qsort_r. */
typedef struct sweep
{
    const peer_state *states;
    const double *reach;
} sweep;

static double left_end(const sweep *s, int body)
{
    return s->states[body].position[0] - s->reach[body];
}

static int by_left_end(const void *a, const void *b, void *data)
{
    double x = left_end(data, *(const int *)a);
    double y = left_end(data, *(const int *)b);
    return (x > y) - (x < y);
}

static void judge_pairs(peer_judge *judge, const peer_state *states, peer_accuracy *out)
{
    int count = judge->scene->body_count;
    double margin = PEER_TOUCHING * judge->scene->size;
    sweep sorted = {states, judge->reach};
    for (int i = 0; i < count; ++i)
        judge->order[i] = i;
    qsort_r(judge->order, (size_t)count, sizeof *judge->order, by_left_end, &sorted);
    for (int i = 0; i < count; ++i)
    {
        int a = judge->order[i];
        double right = states[a].position[0] + judge->reach[a] + margin;
        for (int j = i + 1; j < count && left_end(&sorted, judge->order[j]) < right; ++j)
        {
            int b = judge->order[j];
            double apart = distance(states[a].position, states[b].position);
            if (apart < judge->reach[a] + judge->reach[b] + margin)
                count_contact(out, gap_between(judge, states, a, b), judge->scene->size);
        }
    }
}

static void judge_planes(const peer_scene *scene, const peer_state *states, peer_accuracy *out)
{
    for (int i = 0; i < scene->body_count; ++i)
        for (int k = 0; k < scene->plane_count; ++k)
        {
            const peer_plane *plane = &scene->planes[k];
            double height = dot(plane->normal, states[i].position) - plane->offset;
            count_contact(out, height - support(&scene->bodies[i], &states[i], plane->normal), scene->size);
        }
}

/* ------------------------------------------------------------------------------------------------- joints and energy */

/* Where a point fixed to a body at the start, and a direction, are now. */
static void carry(const peer_state *start, const peer_state *now, const double point[3], const double axis[3],
                  double point_out[3], double axis_out[3])
{
    double r0[9], r1[9], away[3], local[3];
    rotation(start->orientation, r0);
    rotation(now->orientation, r1);
    for (int i = 0; i < 3; ++i)
        away[i] = point[i] - start->position[i];
    to_body(r0, away, local);
    to_world(r1, local, point_out);
    for (int i = 0; i < 3; ++i)
        point_out[i] += now->position[i];
    to_body(r0, axis, local);
    to_world(r1, local, axis_out);
}

static double joint_error(const peer_scene *scene, const peer_state *states, const peer_hinge *hinge)
{
    double points[2][3], axes[2][3], turn[3];
    int ends[2] = {hinge->parent, hinge->child};
    assert(hinge->parent < hinge->child && hinge->child < scene->body_count);
    for (int k = 0; k < 2; ++k)
    {
        memcpy(points[k], hinge->point, sizeof points[k]);
        memcpy(axes[k], hinge->axis, sizeof axes[k]);
        if (ends[k] >= 0)
            carry(&scene->bodies[ends[k]].start, &states[ends[k]], hinge->point, hinge->axis, points[k], axes[k]);
    }
    for (int i = 0; i < 3; ++i)
        turn[i] = axes[0][(i + 1) % 3] * axes[1][(i + 2) % 3] - axes[0][(i + 2) % 3] * axes[1][(i + 1) % 3];
    return fmax(distance(points[0], points[1]) / scene->size, atan2(sqrt(dot(turn, turn)), dot(axes[0], axes[1])));
}

static double energy_of(const peer_scene *scene, const peer_state *states)
{
    double energy = 0;
    for (int i = 0; i < scene->body_count; ++i)
    {
        const peer_body *body = &scene->bodies[i];
        double r[9], w[3];
        rotation(states[i].orientation, r);
        to_body(r, states[i].spin, w);
        energy += 0.5 * body->mass * dot(states[i].velocity, states[i].velocity) -
                  body->mass * dot(scene->gravity, states[i].position);
        for (int k = 0; k < 3; ++k)
            energy += 0.5 * body->inertia[k] * w[k] * w[k];
    }
    return energy;
}

double peer_energy_scale(const peer_scene *scene)
{
    double weight = 0, least = INFINITY, most = -INFINITY;
    for (int i = 0; i < scene->body_count; ++i)
    {
        double potential = -dot(scene->gravity, scene->bodies[i].start.position);
        weight += scene->bodies[i].mass;
        least = fmin(least, potential);
        most = fmax(most, potential);
    }
    return weight * (most - least);
}

double peer_drift(const peer_scene *scene, const peer_state *before, const peer_state *after)
{
    double drift = 0;
    for (int i = 0; i < scene->body_count; ++i)
        drift = fmax(drift, distance(before[i].position, after[i].position));
    return drift / scene->size;
}

peer_accuracy peer_judge_frame(peer_judge *judge, const peer_state *states)
{
    const peer_scene *scene = judge->scene;
    peer_accuracy out = {0};
    for (int i = 0; i < scene->body_count; ++i)
        judge->poses[i] = peer_to_cairn(&states[i]);
    /* States that are not numbers cannot be placed. */
    if (scene->contacts == PEER_CONTACTS_ALL && cairn_query_place(judge->query, judge->poses))
        count_contact(&out, NAN, scene->size);
    else if (scene->contacts == PEER_CONTACTS_ALL)
        judge_pairs(judge, states, &out);
    if (scene->contacts != PEER_CONTACTS_NONE)
        judge_planes(scene, states, &out);
    assert(out.contacts > 0 || out.mean == 0);
    out.mean = out.contacts ? out.mean / out.contacts : 0;
    for (int i = 0; i < scene->hinge_count; ++i)
        out.joint = fmax(out.joint, joint_error(scene, states, &scene->hinges[i]));
    out.energy = energy_of(scene, states);
    return out;
}
