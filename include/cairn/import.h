/* Robots from other programs: URDF and MJCF files in, a scene out.
 *
 *     cairn_import_notes *notes;
 *     cairn_scene *scene;
 *     cairn_import_options options = cairn_import_default();
 *     if (cairn_import_file(context, "arm.urdf", &options, &notes, &scene) == CAIRN_OK)
 *         for (int i = 0; i < cairn_import_note_count(notes); ++i)
 *             puts(cairn_import_note(notes, i).text);
 *     cairn_import_notes_destroy(notes);
 *     ...
 *     cairn_scene_destroy(scene);
 *
 * What a file says and a scene cannot is listed in the notes, each with file and line; nothing is dropped in silence. What is read, and
 * how, is described in docs/import.md.
 */
#ifndef CAIRN_IMPORT_H
#define CAIRN_IMPORT_H

#include "cairn/scene.h"

CAIRN_BEGIN_DECLS

/* What a joint of the file begins with, and what drives it. */
typedef struct cairn_import_joint
{
    /* Its name in the file; required. */
    const char *joint;
    /* m or rad, and per s, as the file counts; NAN: as the file has it. */
    double initial, initial_rate;
    /* The drive in place of the file's actuator; CAIRN_DRIVE_NONE: that is kept. The target of a position drive is counted as the file
     * does. The rest as in cairn_coordinate_options. */
    cairn_drive_kind drive;
    cairn_signal target;
    double drive_stiffness, drive_damping, drive_limit, drive_power;
} cairn_import_joint;

/* As the file has it; set the name. */
CAIRN_API cairn_import_joint cairn_import_joint_default(void);

/* How a file is read. */
typedef struct cairn_import_options
{
    /* Set by cairn_import_default; do not change. */
    size_t struct_size;
    /* URDF: the root link moves freely; default no: it is fixed in the world. */
    bool free_base;
    /* Meshes collide as they are; default no: as their convex hulls. */
    bool surfaces;
    /* A folder in which package:// paths are looked up, besides those above the file; NULL, the default: none. */
    const char *packages;
    /* MJCF: the keyframe in which the scene begins; NULL, the default: the pose as written. */
    const char *keyframe;
    /* Put before all names; NULL, the default: nothing. */
    const char *prefix;
    /* m; w, x, y, z: where the robot's world is put, with all that is in it. Default: the origin, not turned. */
    double position[3], orientation[4];
    /* Joints that begin or are driven otherwise than the file says; default: none. */
    const cairn_import_joint *joints;
    int joint_count;
} cairn_import_options;

/* The defaults named above. */
CAIRN_API cairn_import_options cairn_import_default(void);

/* What was not taken over. */
typedef struct cairn_import_notes cairn_import_notes;

/* Read a file, told apart by its contents. *out belongs to the caller (cairn_scene_destroy), and so do *notes
 * (cairn_import_notes_destroy), which may be NULL where nobody wants them; both are NULL on failure. `options` may be NULL.
 * CAIRN_INVALID for a file with errors, which are reported as messages with file, line and column; CAIRN_IO when it cannot be read. */
CAIRN_API cairn_status cairn_import_file(cairn_context *context, const char *path, const cairn_import_options *options,
                                         cairn_import_notes **notes, cairn_scene **out);

/* Read a file and add what is in it to a model of space: a second robot, or one among other bodies. Gravity and the step of the file do
 * not count. On failure the model may hold a part of the robot, and should be destroyed. Otherwise as cairn_import_file. */
CAIRN_API cairn_status cairn_import_into(cairn_model *model, const char *path, const cairn_import_options *options,
                                         cairn_import_notes **notes);

/* Read `length` bytes of text. `file` is the name to use in messages. Other files that the text names are not read: they are errors.
 * Otherwise as cairn_import_file. */
CAIRN_API cairn_status cairn_import_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                          const cairn_import_options *options, cairn_import_notes **notes,
                                          cairn_scene **out);

/* Whether a file looks like XML, which an importer should read. */
CAIRN_API bool cairn_import_recognises(const char *path);

/* The number of notes. */
CAIRN_API int cairn_import_note_count(const cairn_import_notes *notes);

/* Note `index`, from 0, in the order of the files; an empty message for an index out of range. It lives as long as the notes. */
CAIRN_API cairn_message cairn_import_note(const cairn_import_notes *notes, int index);

/* NULL is allowed. */
CAIRN_API void cairn_import_notes_destroy(cairn_import_notes *notes);

CAIRN_END_DECLS

#endif
