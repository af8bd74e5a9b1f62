/* Scene files: YAML or JSON in, a model and settings out. The format is described in docs/scene-file.md and by
 * schema/scene.schema.json.
 *
 *     cairn_scene *scene;
 *     if (cairn_scene_load(context, "tower.yaml", NULL, 0, &scene) == CAIRN_OK)
 *     {
 *         cairn_settings settings = cairn_scene_settings(scene);
 *         cairn_simulation_create(context, cairn_scene_model(scene), &settings, &simulation);
 *     }
 *     ...
 *     cairn_scene_destroy(scene);
 */
#ifndef CAIRN_SCENE_H
#define CAIRN_SCENE_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

/* ----------------------------------------------------------------------------------------------------- reading */

/* A scene: a model, settings and an end time, read from a text. It never changes. */
typedef struct cairn_scene cairn_scene;

/* A value for one of the scene's `parameters`, like --set mu=0.3 on the command line. */
typedef struct cairn_parameter
{
    /* Name of the parameter, as the scene declares it. */
    const char *name;
    /* A number or a constant expression, such as "0.3" or "2*pi". */
    const char *value;
} cairn_parameter;

/* Read a scene from a file. Files that its shapes name are looked up beside it. `parameters` (parameter_count of them; NULL when
 * 0) replace values of the scene, and are only read during the call. *out belongs to the caller (cairn_scene_destroy); it is
 * NULL on failure. CAIRN_INVALID for a scene with errors, all of which are reported at once, as messages with file, line and
 * column; CAIRN_IO when a file cannot be read. */
CAIRN_API cairn_status cairn_scene_load(cairn_context *context, const char *path, const cairn_parameter *parameters,
                                        int parameter_count, cairn_scene **out);

/* Read a scene from `length` bytes of text, which need no zero byte at their end. `file` is the name to use in messages. Shapes
 * can only name files that the text itself contains in its `files`. Otherwise as cairn_scene_load. */
CAIRN_API cairn_status cairn_scene_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                         const cairn_parameter *parameters, int parameter_count, cairn_scene **out);

/* Destroy a scene, and with it its model and texts. Destroy simulations of the model first. NULL is allowed. */
CAIRN_API void cairn_scene_destroy(cairn_scene *scene);

/* ---------------------------------------------------------------------------------------------------- contents */

/* The model, which belongs to the scene and lives as long as it does. */
CAIRN_API const cairn_model *cairn_scene_model(const cairn_scene *scene);

/* The same model, to change it, e.g. the targets of its drives while a simulation runs. */
CAIRN_API cairn_model *cairn_scene_edit(cairn_scene *scene);

/* The settings of the scene; defaults where it gives none. */
CAIRN_API cairn_settings cairn_scene_settings(const cairn_scene *scene);

/* s: the end time; 1 when the scene gives none. */
CAIRN_API double cairn_scene_until(const cairn_scene *scene);

/* Groups of datasets that a run file can do without; or them together. */
typedef enum cairn_record
{
    CAIRN_RECORD_CONTACTS = 1,   /* contacts one by one; their number is always recorded */
    CAIRN_RECORD_VELOCITIES = 2, /* of bodies */
    CAIRN_RECORD_JOINTS = 4,     /* impulses, reactions and coordinates of joints; their works are always recorded */
} cairn_record;

/* What run files of a scene hold, and when they are written: the mapping `recording`. The fields are those of
 * cairn_recorder_options (cairn/run.h), with their defaults. */
typedef struct cairn_recording
{
    int every;
    double interval;
    unsigned leave_out;
    bool single;
    int compression;
    double checkpoint_interval, checkpoint_wall;
} cairn_recording;

CAIRN_API cairn_recording cairn_scene_recording(const cairn_scene *scene);

/* The title; "" when the scene gives none. It lives as long as the scene. */
CAIRN_API const char *cairn_scene_title(const cairn_scene *scene);

/* The text as it was read. Mesh files that its shapes name are written into it, so that it is complete by itself. Of an
 * imported robot: the scene file that it becomes; "" where it has something that scene files do not hold, which a note tells.
 * It lives as long as the scene. */
CAIRN_API const char *cairn_scene_text(const cairn_scene *scene);

/* --------------------------------------------------------------------------------------------- built-in scenes */

/* A scene that comes with the library. The texts are constants. */
typedef struct cairn_builtin
{
    /* Unique name, such as "bar-2". */
    const char *name;
    /* One line on what it shows. */
    const char *title;
    /* YAML, for cairn_scene_parse. */
    const char *text;
    /* Bytes of the text. */
    size_t length;
} cairn_builtin;

/* The number of built-in scenes, all examples of the papers among them. */
CAIRN_API int cairn_builtin_count(void);

/* Built-in scene `index`, from 0; empty texts for an index out of range. */
CAIRN_API cairn_builtin cairn_builtin_scene(int index);

/* The built-in scene with this name; NULL when there is none. */
CAIRN_API const cairn_builtin *cairn_builtin_find(const char *name);

/* The JSON Schema of scene files, as a constant text. */
CAIRN_API const char *cairn_scene_schema(void);

CAIRN_END_DECLS

#endif
