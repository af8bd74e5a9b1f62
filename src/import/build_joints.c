/* From the joints of links to joints of the model.
 *
 * A coordinate of the model is 0 in the initial poses, one of a file is `zero` there: ranges, rests and initial values are moved by it.
 * Several joints of one link become one joint of the model where it has the same freedoms and the same coordinates:
 *
 *     hinge, hinge       through one point, axes perpendicular      universal
 *     hinge, hinge       axes perpendicular, past each other           double-hinge
 *     three hinges       likewise, the second within a quarter turn    gimbal
 *     slide, hinge       along one line, in either order            cylindrical
 *
 * Otherwise each joint but the last ends at a link of its own, put in between, with CRN_LIGHT times the mass of the body. It keeps the
 * coordinates of the file, and changes the motion by as little as the mass.
 */
#include "base/number_text.h"
#include "import/robot.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double CRN_LIGHT = 1e-6;

/* The two sides of a joint: a body, and its frame in the world. */
typedef struct side
{
    cairn_body body;
    crn_link_frame frame;
} side;

static void set_point(const side *s, const double world[3], cairn_attachment *out)
{
    crn_link_frame at = {.x = {world[0], world[1], world[2]}, .q = {1, 0, 0, 0}};
    crn_link_frame local = crn_link_frame_relative(&s->frame, &at);
    out->body = s->body;
    memcpy(out->point, local.x, sizeof local.x);
}

static void set_axis(const side *s, const double world[3], double out[3])
{
    double R[9];
    crn_quaternion_to_matrix(s->frame.q, R);
    crn_unrotate3(R, world, out);
}

static bool is_parallel(const double a[3], const double b[3])
{
    double c[3];
    crn_cross3(a, b, c);
    return crn_norm3(c) < 1e-9;
}

/* Whether the two points differ only along the direction, or (NULL) not at all. */
static bool is_in_line(const double p[3], const double q[3], const double *direction)
{
    double d[3], size = 1e-9 * (1 + crn_norm3(p));
    crn_sub3(p, q, d);
    if (direction)
        crn_madd3(d, -crn_dot3(d, direction), direction, d);
    return crn_norm3(d) < size;
}

static bool cross_squarely(const crn_link_joint *p, const crn_link_joint *q)
{
    return p->kind == CRN_AXIS_HINGE && q->kind == CRN_AXIS_HINGE && fabs(crn_dot3(p->axis, q->axis)) < 1e-9 &&
           is_in_line(p->point, q->point, NULL);
}

/* Whether the first three are a gimbal whose range keeps it from locking. */
static bool is_gimbal(const crn_link_joint *j, int left)
{
    static const double FREE = 1.5;
    return left >= 3 && cross_squarely(&j[0], &j[1]) && cross_squarely(&j[1], &j[2]) && cross_squarely(&j[0], &j[2]) &&
           j[1].acting.lower - j[1].zero >= -FREE && j[1].acting.upper - j[1].zero <= FREE;
}

/* The kind of the one joint that stands for the first two of `left` ones; CAIRN_JOINT_COUPLING: there is none. */
static cairn_joint_kind kind_of_two(const crn_link_joint *j, int left)
{
    if (left < 2)
        return CAIRN_JOINT_COUPLING;
    bool mixed = (j[0].kind == CRN_AXIS_HINGE && j[1].kind == CRN_AXIS_SLIDE) ||
                 (j[0].kind == CRN_AXIS_SLIDE && j[1].kind == CRN_AXIS_HINGE);
    if (cross_squarely(&j[0], &j[1]))
        return CAIRN_JOINT_UNIVERSAL;
    if (j[0].kind == CRN_AXIS_HINGE && j[1].kind == CRN_AXIS_HINGE && fabs(crn_dot3(j[0].axis, j[1].axis)) < 1e-9)
        return CAIRN_JOINT_DOUBLE_HINGE;
    /* Both coordinates are counted along the one axis. */
    if (mixed && is_parallel(j[0].axis, j[1].axis) && crn_dot3(j[0].axis, j[1].axis) > 0)
        return CAIRN_JOINT_CYLINDRICAL;
    return CAIRN_JOINT_COUPLING;
}

/* What acts on a coordinate, with the zero of the model. */
static void act(crn_robot *robot, crn_link_joint *j)
{
    cairn_coordinate_options o = j->acting;
    crn_number_chars rest;
    o.lower -= j->zero;
    o.upper -= j->zero;
    if (o.stiffness > 0)
    {
        rest = crn_number_text(j->rest - j->zero);
        o.rest.expression = rest.text;
    }
    o.initial = j->initial - j->zero;
    double from = isnan(j->initial) ? 0 : o.initial, nearest = fmin(fmax(from, o.lower), o.upper);
    if (nearest != from)
    {
        o.initial = nearest;
        crn_import_note(robot->import, j->place, "joint '%.80s' would begin outside its range, at %g; it begins at %g",
                        j->name, from + j->zero, nearest + j->zero);
    }
    if (o.initial == 0)
        o.initial = NAN;
    j->initial = isnan(o.initial) ? j->zero : o.initial + j->zero;
    crn_import_pass(robot->import, j->place, cairn_model_set_coordinate(robot->model, j->made, j->coordinate, &o));
}

/* Balls have one range, of the whole turn, and planes none. */
static void note_unused_ranges(crn_robot *robot, const crn_link_joint *j)
{
    const cairn_coordinate_options *o = &j->acting;
    if (j->kind == CRN_AXIS_BALL && j->reach > 0)
        crn_import_note(robot->import, j->place, "the range of the ball joint '%.80s' has no counterpart", j->name);
    if (o->stiffness > 0 || o->damping > 0 || o->friction > 0 || o->rotor_inertia > 0 || isfinite(o->lower) || isfinite(o->upper))
        crn_import_note(robot->import, j->place, "what acts on the joint '%.80s' (range, spring, damping, friction, armature) is left out: it has "
                        "no single coordinate", j->name);
}

/* The places where two perpendicular axes, in the frame of a link, are nearest to each other. */
static void set_passing_points(const crn_link *link, const crn_link_joint *j, const side *a, const side *b,
                               cairn_joint_options *o)
{
    double apart[3], on[2][3], point[3];
    crn_sub3(j[1].point, j[0].point, apart);
    crn_madd3(j[0].point, crn_dot3(apart, j[0].axis), j[0].axis, on[0]);
    crn_madd3(j[1].point, -crn_dot3(apart, j[1].axis), j[1].axis, on[1]);
    crn_link_frame_point(&link->world, on[0], point);
    set_point(a, point, &o->a);
    crn_link_frame_point(&link->world, on[1], point);
    set_point(b, point, &o->b);
}

static bool counts_angles(cairn_joint_kind kind)
{
    return kind == CAIRN_JOINT_UNIVERSAL || kind == CAIRN_JOINT_GIMBAL || kind == CAIRN_JOINT_DOUBLE_HINGE;
}

/* Add a joint of this kind for the joints j[0] to j[count - 1] of a link. */
static bool add_joint(crn_robot *robot, const crn_link *link, crn_link_joint *j, int count, cairn_joint_kind kind,
                      const side *a, const side *b)
{
    static const char *const ANGLE[] = {"angle", "second_angle", "third_angle"};
    cairn_joint_options o = cairn_joint_default(kind);
    double point[3], axis[3];
    o.name = j[0].name;
    crn_link_frame_point(&link->world, j[0].point, point);
    set_point(a, point, &o.a);
    set_point(b, point, &o.b);
    crn_link_frame_direction(&link->world, j[0].axis, axis);
    set_axis(a, axis, o.axis);
    if (counts_angles(kind))
    {
        crn_link_frame_direction(&link->world, j[1].axis, axis);
        set_axis(a, axis, o.second_axis);
    }
    if (kind == CAIRN_JOINT_DOUBLE_HINGE)
        set_passing_points(link, j, a, b, &o);
    if (kind == CAIRN_JOINT_GIMBAL)
    {
        crn_link_frame_direction(&link->world, j[2].axis, axis);
        set_axis(b, axis, o.axis_b);
    }
    int parent = link->parent;
    o.collide = robot->world_collides && (parent < 0 || robot->links[parent].is_static);
    cairn_joint made;
    if (!crn_import_pass(robot->import, j[0].place, cairn_model_add_joint(robot->model, &o, &made)))
        return false;
    for (int i = 0; i < count; ++i)
    {
        j[i].made = made;
        if (counts_angles(kind))
            j[i].coordinate = ANGLE[i];
        else
            j[i].coordinate = j[i].kind == CRN_AXIS_HINGE ? "angle" : "position";
        if (j[i].kind == CRN_AXIS_HINGE || j[i].kind == CRN_AXIS_SLIDE)
            act(robot, &j[i]);
        else
            note_unused_ranges(robot, &j[i]);
    }
    if (count == 2)
        crn_import_note(robot->import, j[1].place, "joints '%.80s' and '%.80s' became one joint '%.80s'", j[0].name,
                        j[1].name, j[0].name);
    if (count == 3)
        crn_import_note(robot->import, j[1].place, "joints '%.80s', '%.80s' and '%.80s' became one joint '%.80s'",
                        j[0].name, j[1].name, j[2].name, j[0].name);
    return true;
}

/* A light body at the place of the link, between two of its joints. */
static bool add_between(crn_robot *robot, const crn_link *link, const crn_link_joint *j, side *out)
{
    const crn_link *group = &robot->links[link->group];
    cairn_body_options o = cairn_body_default();
    double mass = CRN_LIGHT * cairn_model_body_mass(robot->model, group->body);
    double size = 0.1;
    o.name = crn_import_text(robot->import, "%s (after %s)", link->name, j->name);
    o.mass = mass;
    o.inertia[0] = o.inertia[1] = o.inertia[2] = mass * size * size;
    out->frame = link->world;
    crn_link_frame_point(&link->world, j->point, out->frame.x);
    memcpy(o.position, out->frame.x, sizeof o.position);
    memcpy(o.orientation, out->frame.q, sizeof o.orientation);
    crn_link_motion_velocities(&j->begin, j->point, &o);
    crn_import_note(robot->import, j->place, "between joint '%.80s' and the next a light body of %g kg was put in",
                    j->name, mass);
    return crn_import_pass(robot->import, j->place, cairn_model_add_body(robot->model, &o, &out->body));
}

static cairn_joint_kind kind_of_one(const crn_link_joint *j)
{
    static const cairn_joint_kind KIND[] = {[CRN_AXIS_HINGE] = CAIRN_JOINT_REVOLUTE,
                                            [CRN_AXIS_SLIDE] = CAIRN_JOINT_PRISMATIC,
                                            [CRN_AXIS_BALL] = CAIRN_JOINT_BALL,
                                            [CRN_AXIS_PLANAR] = CAIRN_JOINT_PLANAR};
    assert(j->kind != CRN_AXIS_FREE);
    return KIND[j->kind];
}

static void build_link(crn_robot *robot, crn_link *link)
{
    const crn_link *parent = link->parent >= 0 ? &robot->links[robot->links[link->parent].group] : NULL;
    side a = {.frame = parent && parent->body.id ? parent->body_frame : crn_link_frame_identity()}, b;
    a.body = parent ? parent->body : (cairn_body){0};
    for (int i = 0; i < link->joint_count && robot->import->problem_count == 0;)
    {
        crn_link_joint *j = &link->joints[i];
        int left = link->joint_count - i;
        cairn_joint_kind kind = kind_of_two(j, left);
        int taken = is_gimbal(j, left) ? 3 : kind == CAIRN_JOINT_COUPLING ? 1 : 2;
        if (j->kind == CRN_AXIS_FREE)
            return;
        kind = taken == 3 ? CAIRN_JOINT_GIMBAL : taken == 2 ? kind : kind_of_one(j);
        b = (side){link->body, link->body_frame};
        if (taken < left && !add_between(robot, link, &j[taken - 1], &b))
            return;
        add_joint(robot, link, j, taken, kind, &a, &b);
        a = b;
        i += taken;
    }
}

/* Bodies that a light body keeps apart from their parent do not touch it either. */
static void ignore_parent(crn_robot *robot, const crn_link *link)
{
    const crn_link *parent = link->parent >= 0 ? &robot->links[robot->links[link->parent].group] : NULL;
    if (!parent || parent->body.id == 0 || link->joint_count < 2)
        return;
    if (!(robot->world_collides && parent->is_static))
        crn_import_pass(robot->import, link->place,
                        cairn_model_ignore_contact(robot->model, parent->body, link->body));
}

void crn_robot_build_joints(crn_robot *robot)
{
    for (int i = 0; i < robot->link_count && !robot->import->no_memory; ++i)
    {
        crn_link *link = &robot->links[i];
        build_link(robot, link);
        if (robot->import->problem_count == 0)
            ignore_parent(robot, link);
    }
}
