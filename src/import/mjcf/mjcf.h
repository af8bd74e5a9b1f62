/* Inside the reader of MJCF (MuJoCo's XML, https://mujoco.readthedocs.io/en/stable/XMLreference.html).
 *
 * An attribute that an element does not have is looked up in its class of defaults, and in those that the class is nested in. The class of
 * an element is the one that it names, or else the `childclass` of the nearest body or frame around it, or else the outermost.
 */
#ifndef CRN_IMPORT_MJCF_H
#define CRN_IMPORT_MJCF_H

#include "import/robot.h"

typedef struct crn_mjcf
{
    crn_robot *robot;
    crn_import *import;
    crn_xml *root;
    crn_xml **defaults; /* classes, outer ones before those nested in them */
    int default_count;
    const char **files; /* that were included */
    int file_count;
    bool radians, no_autolimits;
    char sequence[4]; /* of Euler angles: x, y, z about axes that turn along, X, Y, Z about fixed ones */
    const char *meshdir;
    int from_geoms; /* inertia: 0 where no inertial is given, 1 always, -1 never */
    int group_range[2];
    double least_mass, least_inertia, total_mass;
    bool balance, strip_paths, no_contact;
    struct crn_mjcf_drive *drives;
    int drive_count;
    struct crn_mobility *mobility; /* NULL: not asked for yet */
    int unnamed;
} crn_mjcf;

/* An element with the class in which its attributes are looked up. */
typedef struct crn_mjcf_item
{
    crn_mjcf *mjcf;
    crn_xml *element;
    const crn_xml *class; /* NULL: none */
} crn_mjcf_item;

/* Note all classes in an element. */
void crn_mjcf_collect_defaults(crn_mjcf *m, crn_xml *parent);
/* The element, in a class that is named by it, or `outer`, or the outermost. */
crn_mjcf_item crn_mjcf_item_of(crn_mjcf *m, crn_xml *element, const crn_xml *outer);
/* The class of a name; NULL, with a problem, where there is none. */
const crn_xml *crn_mjcf_class(crn_mjcf *m, const crn_xml *at, const char *name);
/* Values by name, the element's own or those of its class; as the functions of the same kind in reader.h. */
const char *crn_mjcf_text(const crn_mjcf_item *item, const char *name);
int crn_mjcf_numbers(const crn_mjcf_item *item, const char *name, int least, int most, double *out);
bool crn_mjcf_number(const crn_mjcf_item *item, const char *name, double *out);
bool crn_mjcf_amount(const crn_mjcf_item *item, const char *name, double *out);
/* true, false, or `otherwise` where the attribute is missing or "auto". */
bool crn_mjcf_flag(const crn_mjcf_item *item, const char *name, bool otherwise);
/* Whether a range acts: `limited` says so, or the range is given. */
bool crn_mjcf_limited(const crn_mjcf_item *item, const char *limited, const char *range);

/* pos, and one of quat, axisangle, euler, xyaxes and zaxis. */
crn_link_frame crn_mjcf_frame(const crn_mjcf_item *item);
/* An angle of the file in rad. */
double crn_mjcf_angle(const crn_mjcf *m, double angle);

/* What an attribute names: the link, "world" among them, the site, the joint; negative or false, with a problem, where there is none. */
int crn_mjcf_find_link(crn_mjcf *m, crn_xml *element, const char *attribute);
int crn_mjcf_find_site(crn_mjcf *m, crn_xml *element, const char *attribute);
bool crn_mjcf_find_joint(crn_mjcf *m, crn_xml *element, const char *name, int *link, int *joint);

/* The keyframe in which the scene begins; NULL: none. */
crn_xml *crn_mjcf_find_key(crn_mjcf *m);
/* The mesh of a geometry, in mesh.c; problems are told. */
bool crn_mjcf_read_mesh(const crn_mjcf_item *geom, crn_link_shape *shape);
/* The path of a file that an asset names; NULL, with a problem, where it is not there. */
const char *crn_mjcf_find_asset(crn_mjcf *m, const crn_xml *at, const char *file);

/* Parts of the file. */
void crn_mjcf_read_bodies(crn_mjcf *m);
/* What the compiler's options do to masses. */
void crn_mjcf_adjust_masses(crn_mjcf *m);
/* The height field that a geometry names. */
bool crn_mjcf_read_heights(const crn_mjcf_item *geom, crn_link_shape *shape);
void crn_mjcf_read_geom(crn_mjcf *m, crn_xml *element, const crn_xml *class, int link, const crn_link_frame *in);
void crn_mjcf_read_relations(crn_mjcf *m);
void crn_mjcf_read_tendons(crn_mjcf *m);
void crn_mjcf_read_contacts(crn_mjcf *m);
void crn_mjcf_read_sensors(crn_mjcf *m);
void crn_mjcf_read_actuators(crn_mjcf *m);
void crn_mjcf_read_keyframe(crn_mjcf *m);

#endif
