/* From records to the model. Each function reads one part of the scene and adds it to the reader's model. */
#ifndef CRN_SCENE_BUILD_H
#define CRN_SCENE_BUILD_H

#include "base/memory.h"
#include "cairn/quantity.h"
#include "model/shape/mesh_file.h"
#include "scene/shape_fields.h"
#include "scene/tables.h"

/* Read every element of a list with reader->where set to its name, e.g. "body 'left'". NULL: no list. */
typedef void (*crn_read_element)(crn_reader *reader, const crn_node *node);
void crn_read_list(crn_reader *reader, const crn_node *list, const char *field, const char *noun,
                   crn_read_element read);

/* Note a name; a second thing of the same name is a problem. id 0: the thing is known but was not built. */
void crn_register(crn_reader *reader, crn_index *index, const char *noun, const crn_text *name, int32_t id);

/* The entry of a name; when there is none, NULL and a problem that suggests the nearest name. */
const crn_entry *crn_find(crn_reader *reader, const crn_index *index, const char *noun, const crn_node *name);

/* The quaternion of an `orientation` field: a list w, x, y, z or {axis, angle}. */
bool crn_read_orientation(crn_reader *reader, const crn_node *node, double q[4]);

/* The material of a name; the null one for "default". */
bool crn_find_material(crn_reader *reader, const crn_text *name, cairn_material *out);

void crn_build_materials(crn_reader *reader, const crn_scene_record *scene);
/* Note the groups that a body belongs to, before any body names those it collides with. */
void crn_note_groups(crn_reader *reader, const crn_node *body);
/* The contact filter of a body, from its fields; NULL: not given, and the bits stay as they are. */
void crn_read_groups(crn_reader *reader, const crn_node *groups, const crn_node *collides_with, uint64_t *own,
                     uint64_t *wanted);
/* The field angular_velocity; NULL: not given. */
bool crn_read_spin(crn_reader *reader, const crn_node *node, double out[3]);
void crn_build_bodies(crn_reader *reader, const crn_scene_record *scene);
/* Build the shapes of one body. `material` is that of shapes which name none. */
void crn_build_shapes(crn_reader *reader, const crn_node *shapes, cairn_body body, const crn_text *material);
/* The options of one shape. `vertices` receives what is made of a size, and must live as long as the options; *file as below. */
bool crn_read_shape(crn_reader *reader, const crn_node *node, const crn_text *material, double vertices[8],
                    cairn_shape_options *options, const crn_mesh_file **file);
/* Fill in the options of a mesh, a hull or a height field: its triangles, points or heights. *file: the file it is read from;
 * NULL: none. */
bool crn_read_mesh(crn_reader *reader, const crn_node *node, const crn_shape_record *record, const crn_shape_word *word,
                   cairn_shape_options *options, const crn_mesh_file **file);
/* The triangles of a mesh given by its vertices. */
bool crn_read_triangles(crn_reader *reader, const crn_node *node, int vertices, const int **out, int *count);
/* What acts on the coordinates of a joint; a null handle: only check the fields. */
void crn_build_coordinates(crn_reader *reader, const crn_node *node, cairn_joint joint);
/* What acts on a coordinate, as its fields say. The points of tables are kept in `tables`, at most two, until the caller frees them. */
bool crn_parse_coordinate(crn_reader *reader, const crn_coordinate_record *record, double *tables[2],
                         cairn_coordinate_options *options);
/* A number, an expression in t or a list of points [t, value], which *table keeps until the caller frees it; NULL: none. */
bool crn_read_signal(crn_reader *reader, const char *field, const crn_node *node, double **table, cairn_signal *out);
/* The drive of a coordinate; NULL: none. *table as above. */
bool crn_read_drive(crn_reader *reader, const crn_node *node, double **table, cairn_coordinate_options *options);
/* The body of a name; "world" is the null body where it is allowed. True when the name is known; *built becomes false when the
 * body is not in the model. */
bool crn_find_body(crn_reader *reader, const crn_node *name, bool world, cairn_body *out, bool *built);
void crn_build_coupling(crn_reader *reader, const crn_node *node);
/* Robots from files of other programs. */
void crn_build_robots(crn_reader *reader, const crn_scene_record *scene);
/* Populations; the bodies and robots that they must not overlap have been built. */
void crn_build_populations(crn_reader *reader, const crn_scene_record *scene);
void crn_build_links(crn_reader *reader, const crn_scene_record *scene); /* joints, springs, forces, ignored pairs */
void crn_build_settings(crn_reader *reader, const crn_scene_record *scene, cairn_settings *settings, double *until);

/* What run files hold. */
void crn_build_recording(crn_reader *reader, const crn_scene_record *scene, cairn_recording *out);

/* The sensors of a scene, which names and quantities belong to. */
typedef struct crn_sensors
{
    crn_arena memory;
    cairn_sensor *items;
    size_t count;
} crn_sensors;
/* Everything else must have been built. */
/* Keep copies; false: memory ran out. */
bool crn_sensors_add(crn_sensors *all, const char *name, const char *quantity, int every);
void crn_build_sensors(crn_reader *reader, const crn_scene_record *scene, crn_sensors *out);
/* Statistics, and sensors of what they record; after the bodies, and before the sensors that name them. */
void crn_build_statistics(crn_reader *reader, const crn_scene_record *scene, crn_sensors *out);

#endif
