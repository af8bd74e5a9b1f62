/* A robot as both formats describe it: a tree of links with frames, masses, shapes and joints, and what acts between them. The readers
 * fill it, crn_robot_build turns it into a model.
 *
 * Links without a joint move with their parent. They become part of its body, whose mass is combined; those that the world carries become
 * fixed bodies of their own. A body's frame has its origin in the centre of mass and the axes of its link.
 *
 * Joints of one link act one after the other, the first nearest to the parent, as in MJCF. A chain of them becomes one joint of the model
 * where there is one (two crossing, perpendicular hinges are a universal joint); otherwise light links are put in between.
 */
#ifndef CRN_IMPORT_ROBOT_H
#define CRN_IMPORT_ROBOT_H

#include "import/reader.h"
#include "model/shape/moments.h"

typedef enum crn_axis_kind
{
    CRN_AXIS_HINGE,
    CRN_AXIS_SLIDE,
    CRN_AXIS_BALL,
    CRN_AXIS_PLANAR,
    CRN_AXIS_FREE
} crn_axis_kind;

/* One joint of a link. */
typedef struct crn_link_joint
{
    const char *name; /* NULL: none given */
    crn_xml *place;
    crn_axis_kind kind;
    double point[3], axis[3];        /* in the link's frame; the axis is a unit vector */
    cairn_coordinate_options acting; /* on its coordinate, in the file's zero */
    double zero;                     /* the file's value of the coordinate in the pose as written */
    double initial;                  /* the value in which the scene begins; NAN: that of the pose */
    double rest;                     /* of the spring, in the file's zero */
    double reach;                    /* of a ball: the largest angle; 0: any */
    /* Set by the builder. */
    cairn_joint made;
    const char *coordinate;
} crn_link_joint;

/* One geometry of a link. */
typedef struct crn_link_shape
{
    crn_xml *place;
    crn_link_frame frame; /* of the shape in the link */
    cairn_shape_options options;
    bool collides;
    int surface;        /* of the robot's; -1: the default material */
    crn_link_mass mass; /* in the shape's frame; used where the link gives none */
} crn_link_shape;

typedef struct crn_link
{
    const char *name;
    crn_xml *place;
    int parent;           /* comes before it in the list; -1: the world */
    crn_link_frame frame; /* in the parent */
    bool has_mass;
    crn_link_mass mass;
    crn_link_joint *joints;
    int joint_count;
    crn_link_shape *shapes;
    int shape_count;
    double velocity[6]; /* of a free link: linear in the world, angular in its frame */
    /* Set by the builder. */
    crn_link_frame world; /* of the link */
    int group;            /* the link whose body it is part of */
    bool is_static;
    crn_link_frame body_frame; /* of the group's body in the world */
    cairn_body body;
} crn_link;

/* A sum of coordinates, held or acted on: mimic, equality of joints, fixed tendon. */
typedef struct crn_link_sum
{
    const char *name;
    crn_xml *place;
    struct crn_sum_term
    {
        int link, joint;
        double factor;
    } * terms;
    int term_count;
    bool hold;
    double value;                    /* in the file's zeros, where it is held */
    cairn_coordinate_options acting; /* otherwise */
} crn_link_sum;

/* Two links that are held together: connect and weld. */
typedef struct crn_link_bond
{
    const char *name;
    crn_xml *place;
    int a, b; /* -1: the world */
    bool weld;
    double point[3]; /* in a's frame */
} crn_link_bond;

/* Friction of a surface. Of two, that of the higher priority counts, or else the larger. */
typedef struct crn_surface
{
    double friction;
    int priority;
    cairn_material made; /* by the builder */
} crn_surface;

typedef struct crn_robot
{
    crn_import *import;
    const char *title;
    crn_link *links;
    int link_count;
    crn_link_sum *sums;
    int sum_count;
    crn_link_bond *bonds;
    int bond_count;
    struct crn_link_pair
    {
        crn_xml *place;
        int a, b;
    } * excluded;
    int excluded_count;
    crn_surface *surfaces;
    int surface_count;
    double gravity[3];
    double step;         /* s; 0: none given */
    bool world_collides; /* links touch a fixed parent, as in MJCF */
    cairn_model *model;  /* set by the builder, unless the robot is added to one */
} crn_robot;

/* Add one to a list, zeroed; NULL, noted, when memory ran out. Pointers to others of the same list are no longer valid. */
crn_link *crn_robot_add_link(crn_robot *robot);
crn_link_joint *crn_link_add_joint(crn_robot *robot, crn_link *link);
crn_link_shape *crn_link_add_shape(crn_robot *robot, crn_link *link);
crn_link_sum *crn_robot_add_sum(crn_robot *robot, int term_count);
crn_link_bond *crn_robot_add_bond(crn_robot *robot);

/* The number of a surface with these values; -1 when memory ran out. */
int crn_robot_surface(crn_robot *robot, double friction, int priority);
bool crn_robot_exclude(crn_robot *robot, crn_xml *place, int a, int b);

/* -1: none */
int crn_robot_find_link(const crn_robot *robot, const char *name);
/* The joint with this name; false: none. */
bool crn_robot_find_joint(const crn_robot *robot, const char *name, int *link, int *joint);

/* Read the vertices of a mesh into `options`, which becomes a hull or a mesh, and its mass at 1 kg/m^3. Formats that cannot be read are
 * noted, and false is returned; files that are not there, or damaged, are problems. */
bool crn_robot_read_mesh(crn_robot *robot, crn_xml *place, const char *path, const double scale[3],
                         crn_link_shape *shape);
/* The mass of a shape of the given density; its kind and measures must be set. False: it has none that is known. */
bool crn_shape_mass(const cairn_shape_options *options, double density, crn_link_mass *out);
/* The mass of a volume of the given density. */
void crn_moments_mass(const crn_moments *moments, double density, crn_link_mass *out);

/* The readers. */
void crn_read_urdf(crn_robot *robot, crn_xml *root);
void crn_read_mjcf(crn_robot *robot, crn_xml *root);

/* Put the robot where the options say: its place, names, and what its joints begin with and are driven by. After reading. */
void crn_robot_place(crn_robot *robot);
/* A name with the prefix of the options. */
const char *crn_robot_name(const crn_robot *robot, const char *name);
/* What a sum of coordinates is in the pose as written. */
double crn_robot_zero(const crn_robot *robot, const crn_link_sum *sum);
/* Build the model, or add to the one that is there. Problems are told. */
void crn_robot_build(crn_robot *robot);
/* Parts of it: bodies with their shapes, then joints, then what refers to joints. */
void crn_robot_build_surfaces(crn_robot *robot);
bool crn_robot_build_bodies(crn_robot *robot);
void crn_robot_build_joints(crn_robot *robot);
void crn_robot_build_sums(crn_robot *robot);
/* Ignore contacts of links that penetrate each other at the start, with notes. */
void crn_robot_part(crn_robot *robot);

#endif
