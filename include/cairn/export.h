/* Robots for other programs: a model as a URDF or an MJCF file.
 *
 *     cairn_import_notes *notes;
 *     if (cairn_model_save_mjcf(model, NULL, "arm.xml", &notes) == CAIRN_OK)
 *         for (int i = 0; i < cairn_import_note_count(notes); ++i)
 *             puts(cairn_import_note(notes, i).text);
 *     cairn_import_notes_destroy(notes);
 *
 * Both formats describe a tree of bodies, each with the joint that carries it. What a model has and a format cannot say is listed in the
 * notes, each a sentence that names it, without file and line; nothing is dropped in silence. docs/export.md has the tables.
 */
#ifndef CAIRN_EXPORT_H
#define CAIRN_EXPORT_H

#include "cairn/import.h"
#include "cairn/save.h"

CAIRN_BEGIN_DECLS

/* Write a model of space as a URDF file, which replaces what is at `path`. Hulls and meshes become OBJ files beside it, named after it.
 * `options` may be NULL: the defaults; the title becomes the robot's name. *notes belong to the caller (cairn_import_notes_destroy);
 * `notes` may be NULL where nobody wants them, and *notes are NULL on failure. CAIRN_INVALID for a model of the plane or without a valid
 * mass; CAIRN_IO when a file cannot be written. */
CAIRN_API cairn_status cairn_model_save_urdf(const cairn_model *model, const cairn_save_options *options,
                                             const char *path, cairn_import_notes **notes);

/* The same text in memory; *out ends in a zero byte and belongs to the caller (cairn_text_destroy). It is NULL on failure. Hulls and
 * meshes, which URDF keeps in files, are left out and noted. */
CAIRN_API cairn_status cairn_model_urdf(const cairn_model *model, const cairn_save_options *options, char **out,
                                        cairn_import_notes **notes);

/* Write a model of space as an MJCF file for MuJoCo, in one file, with the step of the settings as its timestep. The keyframe `initial`
 * has the velocities of the start and the targets of drives. Otherwise as cairn_model_save_urdf. */
CAIRN_API cairn_status cairn_model_save_mjcf(const cairn_model *model, const cairn_save_options *options,
                                             const char *path, cairn_import_notes **notes);

/* The same text in memory. */
CAIRN_API cairn_status cairn_model_mjcf(const cairn_model *model, const cairn_save_options *options, char **out,
                                        cairn_import_notes **notes);

CAIRN_END_DECLS

#endif
