/* Scene files: YAML or JSON in, a model and settings out. The format: docs/scene-file.md, schema/scene.schema.json. */
#ifndef CAIRN_SCENE_H
#define CAIRN_SCENE_H

#include "cairn/simulation.h"

CAIRN_BEGIN_DECLS

typedef struct cairn_scene cairn_scene;

/* A value for a name of the scene's `parameters`, as on the command line: --set mu=0.3 */
typedef struct cairn_parameter
{
    const char *name;
    const char *value; /* a number or a constant expression */
} cairn_parameter;

/* Read a scene. All errors are reported at once, as messages with file, line and column. `file` is the name used in
 * messages. Files that shapes name lie beside the scene file; a text alone can only name those in its own `files`. CAIRN_INVALID for a wrong scene, CAIRN_IO for an unreadable file. */
CAIRN_API cairn_status cairn_scene_load(cairn_context *context, const char *path, const cairn_parameter *parameters,
                                        int parameter_count, cairn_scene **out);
CAIRN_API cairn_status cairn_scene_parse(cairn_context *context, const char *file, const char *text, size_t length,
                                         const cairn_parameter *parameters, int parameter_count, cairn_scene **out);
CAIRN_API void cairn_scene_destroy(cairn_scene *scene);

CAIRN_API const cairn_model *cairn_scene_model(const cairn_scene *scene);
CAIRN_API cairn_settings cairn_scene_settings(const cairn_scene *scene);
CAIRN_API double cairn_scene_until(const cairn_scene *scene);      /* s: end time; default 1 */
CAIRN_API const char *cairn_scene_title(const cairn_scene *scene); /* "" when not given */
/* The file as read; where its shapes name mesh files, these are written into it, so that it is complete. */
CAIRN_API const char *cairn_scene_text(const cairn_scene *scene);

/* The built-in scenes, every example of the papers among them. */
typedef struct cairn_builtin
{
    const char *name;
    const char *title;
    const char *text; /* YAML */
    size_t length;
} cairn_builtin;

CAIRN_API int cairn_builtin_count(void);
CAIRN_API cairn_builtin cairn_builtin_scene(int index);
CAIRN_API const cairn_builtin *cairn_builtin_find(const char *name); /* NULL when there is none */

/* The JSON Schema of scene files, as text. */
CAIRN_API const char *cairn_scene_schema(void);

CAIRN_END_DECLS

#endif
