/* A robot as both formats describe it: a tree of links with frames, masses, shapes and joints, and what acts between them. The readers
 * fill it, crn_robot_build turns it into a model.
 *
 * Links without a joint move with their parent. They become part of its body, whose mass is combined; those that the world carries become
 * fixed bodies of their own. A body's frame has its origin in the centre of mass and the axes of its link.
 *
 * Joints of one link act one after the other, the first nearest to the parent, as in MJCF. A chain of them becomes one joint of the model
 * where there is one (two crossing, perpendicular hinges are a universal joint, three a gimbal); otherwise light links are put in between.
 */
#ifndef CRN_IMPORT_ROBOT_H
#define CRN_IMPORT_ROBOT_H

#include "cairn/quantity.h"
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

/* How a link begins: its frame in the world, its angular velocity, and the velocity of its point at the world's origin. */
typedef struct crn_link_motion
{
    crn_link_frame frame;
    double w[3], v[3];
} crn_link_motion;

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
    double effort;                   /* the most that drives give; 0: any */
    double spin[3];                  /* of a ball: the angular velocity to begin with, in the link's frame */
    /* Set by the builder. */
    crn_link_motion begin; /* of what hangs on it */
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
    unsigned type, affinity; /* two shapes touch where a type of one is an affinity of the other */
    int surface;             /* of the robot's; -1: the default material */
    crn_link_mass mass;      /* in the shape's frame; used where the link gives none */
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
    double lift;        /* how much of the weight is taken off: 0 none, 1 all */
    /* Set by the builder. */
    crn_link_frame world; /* of the link */
    crn_link_motion begin;
    int group; /* the link whose body it is part of */
    int last;  /* of a group: its last link */
    bool is_static;
    crn_link_frame body_frame; /* of the group's body in the world */
    int class;                 /* of bodies that touch the same others; -1: it has no shapes */
    cairn_body body;
} crn_link;

/* A point of a link that has a name. */
typedef struct crn_link_site
{
    const char *name;
    crn_xml *place;
    int link;
    crn_link_frame frame; /* in the link */
} crn_link_site;

/* A sum of coordinates and of lengths of ropes, held or acted on: mimic, equality of joints, tendon. */
typedef struct crn_link_sum
{
    const char *name;
    crn_xml *place;
    struct crn_sum_term
    {
        double factor;
        int link, joint;
        const int *sites; /* of a rope, in place of the joint; NULL: none */
        int site_count;
    } * terms;
    int term_count;
    bool hold;
    double value;                    /* in the file's zeros, where it is held */
    cairn_coordinate_options acting; /* otherwise */
    double rest;                     /* of the spring, in the file's zeros */
    cairn_joint made;                /* set by the builder; 0 where nothing acts on it */
} crn_link_sum;

/* Two links that are held together: connect and weld. */
typedef struct crn_link_bond
{
    const char *name;
    crn_xml *place;
    int a, b; /* -1: the world */
    bool weld;
    double point[3], other[3]; /* that are to meet, in the frames of a and b */
} crn_link_bond;

typedef enum crn_sensor_kind
{
    CRN_SENSE_PLAIN, /* `words` is the quantity */
    CRN_SENSE_JOINT, /* `words` follows the coordinate: "", ".rate", ".drive" */
    CRN_SENSE_SUM,   /* the same of a sum */
    CRN_SENSE_POINT, /* a point of a link: point(BODY,x,y,z), or with `words` accelerometer */
    CRN_SENSE_BODY,  /* `words` follows the body's name: ".position" */
    CRN_SENSE_LOAD   /* `words` follows the joint that carries the link: ".force" */
} crn_sensor_kind;

typedef struct crn_link_sensor
{
    const char *name;
    crn_xml *place;
    crn_sensor_kind kind;
    const char *words;
    int link, joint, sum;
    crn_link_frame frame; /* of what it is mounted on, in the link */
} crn_link_sensor;

/* Friction of a surface. Of two, that of the higher priority counts, or else the larger. */
typedef struct crn_surface
{
    double friction;
    int priority;
    const char *owner;   /* the shape that alone has it; NULL: of all shapes that have these values */
    cairn_material made; /* by the builder */
} crn_surface;

/* Two shapes that touch whatever their types say. */
typedef struct crn_shape_pair
{
    crn_xml *place;
    int link[2], shape[2];
    double friction; /* NAN: that of their surfaces */
} crn_shape_pair;

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
    crn_shape_pair *pairs;
    int pair_count;
    struct crn_body_class
    {
        uint64_t group, touches; /* bits of the model */
    } * classes;                 /* set by the builder */
    int class_count;
    crn_link_site *sites;
    int site_count;
    crn_link_sensor *sensors;
    int sensor_count;
    cairn_sensor *measured; /* by the builder, from the sensors */
    int measured_count;
    double gravity[3];
    double step;         /* s; 0: none given */
    bool world_collides; /* links touch a fixed parent, as in MJCF */
    bool added;          /* to a model of somebody else's */
    bool assemble;       /* the pose as written does not satisfy all that is held; set by the builder */
    cairn_model *model;  /* set by the builder, unless the robot is added to one */
} crn_robot;

/* Add one to a list, zeroed; NULL, noted, when memory ran out. Pointers to others of the same list are no longer valid. */
crn_link *crn_robot_add_link(crn_robot *robot);
crn_link_joint *crn_link_add_joint(crn_robot *robot, crn_link *link);
crn_link_shape *crn_link_add_shape(crn_robot *robot, crn_link *link);
crn_link_sum *crn_robot_add_sum(crn_robot *robot, int term_count);
crn_link_bond *crn_robot_add_bond(crn_robot *robot);
crn_link_site *crn_robot_add_site(crn_robot *robot);
crn_link_sensor *crn_robot_add_sensor(crn_robot *robot);

/* The number of a surface with these values; -1 when memory ran out. */
int crn_robot_surface(crn_robot *robot, double friction, int priority, const char *owner);
crn_shape_pair *crn_robot_add_pair(crn_robot *robot);
bool crn_robot_exclude(crn_robot *robot, crn_xml *place, int a, int b);

/* -1: none */
int crn_robot_find_link(const crn_robot *robot, const char *name);
/* The shape whose element has this name; false: none. */
bool crn_robot_find_shape(const crn_robot *robot, const char *name, int *link, int *shape);
/* The joint with this name; false: none. */
bool crn_robot_find_joint(const crn_robot *robot, const char *name, int *link, int *joint);

int crn_robot_find_site(const crn_robot *robot, const char *name);
/* Where a site is in the world, in the pose as written. */
void crn_site_place(const crn_robot *robot, int site, double out[3]);
/* The frame of a link in the world, in the pose as written. */
crn_link_frame crn_robot_world(const crn_robot *robot, int link);
/* What a sum differs by from that of the coordinates of the model, which are 0 in the pose as written. */
double crn_sum_zero(const crn_robot *robot, const crn_link_sum *sum);
/* Its value where the joints begin, in the file's zeros; ropes are as long as in the pose as written. */
double crn_sum_value(const crn_robot *robot, const crn_link_sum *sum);

/* How the mass of a mesh is found (mesh_mass.c). */
typedef enum crn_mesh_way
{
    CRN_MESH_EXACT,
    CRN_MESH_LEGACY,
    CRN_MESH_CONVEX,
    CRN_MESH_SHELL,
} crn_mesh_way;

typedef struct crn_mesh_reading
{
    crn_link_frame origin; /* of the vertices: they are taken against it, and then scaled */
    double scale[3];
    crn_mesh_way way;
    bool single; /* vertices are rounded to single precision, as MuJoCo does */
} crn_mesh_reading;

/* Read the vertices of a mesh into `options`, which becomes a hull or a mesh, and its mass at 1 kg/m^3. Formats that cannot be read are
 * noted, and false is returned; files that are not there, or damaged, are problems. */
bool crn_robot_read_mesh(crn_robot *robot, crn_xml *place, const char *path, const crn_mesh_reading *how,
                         crn_link_shape *shape);
/* A vertex as it is given, against the origin and scaled; both may be the same. */
void crn_mesh_place_vertex(const crn_mesh_reading *how, const double given[3], double out[3]);
/* The mass of a mesh of density 1; *out stays as it is where it has none. */
void crn_mesh_mass(crn_mesh_way way, const double *vertices, int vertex_count, const int *corners, int count,
                   crn_link_mass *out);
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
/* How all links and joints begin, from values and rates of the coordinates. */
void crn_robot_begin(crn_robot *robot);
/* The velocities of a body with its centre at a point of the link's frame. */
void crn_link_motion_velocities(const crn_link_motion *motion, const double centre[3], cairn_body_options *out);
/* Build the model, or add to the one that is there. Problems are told. */
void crn_robot_build(crn_robot *robot);
/* Parts of it: bodies with their shapes, then joints, then what refers to joints. */
void crn_robot_build_surfaces(crn_robot *robot);
/* Sort the bodies into classes that touch each other or not: what becomes groups of the model. Links must be placed. */
void crn_robot_sort_classes(crn_robot *robot);
/* The link above this one, or itself, that hangs on the world. */
int crn_robot_root(const crn_robot *robot, int link);
bool crn_robot_may_touch(const crn_robot *robot, int group_a, int group_b);
bool crn_robot_build_bodies(crn_robot *robot);
void crn_robot_build_joints(crn_robot *robot);
void crn_robot_build_sums(crn_robot *robot);
/* The body that a link is part of, and its frame in the world; the world has neither. */
crn_link_frame crn_robot_body_of(const crn_robot *robot, int link, cairn_body *body);
/* A name for a joint of the model: joints, tendons and equalities have names of their own in MJCF, and common ones in a model. A change
 * is noted. */
const char *crn_robot_free_name(crn_robot *robot, const crn_xml *place, const char *name);
/* Joints are not together at the start: note it, and return what the user reads of it. */
const char *crn_robot_assembles(crn_robot *robot);
void crn_robot_build_sensors(crn_robot *robot);
/* The mass of a link in its frame: as given, or that of its shapes. */
crn_link_mass crn_link_own_mass(const crn_link *link);
/* Ignore contacts of links that penetrate each other at the start, with notes. */
void crn_robot_part(crn_robot *robot);

#endif
