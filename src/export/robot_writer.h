/* What the writers of URDF and MJCF share: the text, the notes, and the tree of the bodies.
 *
 * Both formats carry every body by one joint from its parent. The joints of a model are a graph; crn_writer_plan picks the ones that make
 * a tree (Kruskal's method): first those that cannot be written in any other way, such as slides and what has a drive, last those that can
 * close a loop as an equality of points. Fixed and driven bodies and the world are one, the ground. What the ground does not carry gets a
 * first body that is free.
 *
 * The pose as written is that in which the model begins: assembled, where it has coordinates with initial values, or the settings ask for
 * it.
 *
 * A joint may carry its body a by b. Then its axes are reversed, and those of several come in the reverse order: coordinates keep their
 * values.
 */
#ifndef CRN_EXPORT_ROBOT_WRITER_H
#define CRN_EXPORT_ROBOT_WRITER_H

#include "cairn/export.h"
#include "import/link_frame.h"
#include "import/reader.h"
#include "model/joints/coupling.h"
#include "scene/save/compose.h"

enum
{
    CRN_WRITER_DEPTH = 96,    /* of bodies within bodies: readers of XML have limits */
    CRN_WRITER_LONGEST = 200, /* name of a model that is written, in bytes */
    CRN_WRITER_NAME = 320,    /* of a joint's part */
    CRN_WRITER_LEVELS = CRN_WRITER_DEPTH + 8
};

/* How a body is carried. */
typedef struct crn_carrier
{
    int parent; /* -1: the world */
    int joint;  /* -1: none: it is free, or stands on the ground */
    bool is_free;
    bool is_reversed; /* the body is the joint's a */
    int first, next;  /* its first child, and the next of its parent; -1: none */
    double mass, inertia[9];
    cairn_body_state state; /* at the start */
    crn_link_frame frame;   /* the pose of it */
} crn_carrier;

typedef struct crn_writer
{
    const cairn_model *model;
    const cairn_save_options *options;
    const char *format; /* "URDF", "MJCF" */
    const char *path;   /* NULL: the text stays in memory */
    FILE *out;
    const char *open[CRN_WRITER_LEVELS]; /* elements */
    int depth;
    bool tag_is_open;
    crn_arena memory;
    crn_carrier *body; /* one per body */
    crn_pose *pose;    /* likewise: the poses at the start */
    int first;         /* child of the world */
    bool *carries;     /* per joint: it is part of the tree */
    cairn_import_notes *notes;
    cairn_status status;
    /* The state in which an MJCF file begins, and the controls. */
    double *qpos, *qvel, *ctrl;
    int q_count, v_count, control_count;
} crn_writer;

/* Fill the tree. `rank`: from 0, the lower the more a joint is wanted in the tree; -1: it cannot carry. */
cairn_status crn_writer_plan(crn_writer *writer, int (*rank)(const crn_joint *joint));

/* Note what is not written, or written in another way. */
void crn_writer_note(crn_writer *writer, const char *format, ...) CRN_PRINTF(2, 3);

/* The text: elements, each with its attributes before what is in it. */
void crn_element_open(crn_writer *writer, const char *name);
void crn_element_close(crn_writer *writer);
void crn_attribute_text(crn_writer *writer, const char *name, const char *text);
void crn_attribute_numbers(crn_writer *writer, const char *name, const double *values, int count);
void crn_attribute_number(crn_writer *writer, const char *name, double value);
/* Unless it is 0. */
void crn_attribute_amount(crn_writer *writer, const char *name, double value);

/* What acts on a coordinate, taken together. */
typedef struct crn_acting
{
    double lower, upper, friction, k, c, rest, rotor;
    const crn_element *drive; /* NULL: none */
} crn_acting;

/* What acts on a coordinate; what neither format can say is noted. */
crn_acting crn_acting_of(crn_writer *writer, const crn_joint *joint, int coordinate);

/* Whether an angular spring turns about a hinge that carries a body, and so is part of what acts on it; and add such springs. */
bool crn_spring_is_of_hinge(const crn_writer *writer, const crn_spring *spring);
void crn_acting_add_springs(const crn_writer *writer, const crn_joint *joint, crn_acting *acting);

/* One axis of a joint that carries a body, in the order from the parent to the child. */
typedef struct crn_joint_axis
{
    int coordinate;
    bool slides;
    double direction[3]; /* in the world at the start, reversed where the joint is */
    double point[3];     /* that it passes through, in the world */
    double zero;         /* the coordinate at the start */
} crn_joint_axis;

/* The axes of the joint that carries a body; returns how many there are, 0 for a ball and a weld. `point`: b's point in the world. */
int crn_joint_axes(const crn_writer *writer, int body, crn_joint_axis axis[CRN_JOINT_COORDINATES], double point[3]);
/* The coordinate of a joint at the start, the points of it, and a direction of its body a, in the world. */
double crn_start_coordinate(const crn_writer *writer, const crn_joint *joint, int coordinate);
crn_joint_place crn_start_place(const crn_writer *writer, const crn_joint *joint);
void crn_start_direction(const crn_writer *writer, const crn_joint *joint, const double local[3], double out[3]);
/* Whether the joint gives way: its equations have a spring in their place. */
bool crn_joint_gives_way(const crn_joint *joint);

/* Triangles of a shape that is drawn by faces or is a cone, in its own frame; a cone has 48 sides. The arrays belong to the writer. */
typedef struct crn_shape_faces
{
    const double *vertices;
    int vertex_count;
    const int *triangles;
    int triangle_count;
} crn_shape_faces;

crn_shape_faces crn_faces_of(crn_writer *writer, const cairn_shape_info *shape);
/* What materials, forces, springs, systems and sensors have that neither format knows. */
void crn_note_common(crn_writer *writer);

/* The two formats, written to writer->out, and the files beside a URDF file. */
void crn_write_urdf(FILE *out, void *writer);
cairn_status crn_write_urdf_meshes(crn_writer *writer);
int crn_urdf_rank(const crn_joint *joint);
void crn_write_mjcf(FILE *out, void *writer);
int crn_mjcf_rank(const crn_joint *joint);

#endif
