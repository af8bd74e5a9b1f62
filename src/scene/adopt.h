/* Scenes that are not read from a scene file, and robots in scenes that are. */
#ifndef CRN_SCENE_ADOPT_H
#define CRN_SCENE_ADOPT_H

#include "cairn/import.h"
#include "cairn/quantity.h"
#include "cairn/scene.h"

/* Make a scene of a model, which from now on belongs to it, even on failure. The sensors are copied. Its text is empty. CAIRN_OK or
 * CAIRN_NO_MEMORY. */
cairn_status crn_scene_adopt(cairn_context *context, cairn_model *model, const cairn_settings *settings,
                             const char *title, const cairn_sensor *sensors, int sensor_count, cairn_scene **out);

/* Make the scene, written out as a scene file, its text. CAIRN_INVALID, with a message in the context of the model, for what a
 * scene file cannot say; the text then stays as it was. */
cairn_status crn_scene_write_text(cairn_scene *scene);

/* The part of a path before its last '/', or "."; the caller frees it. NULL: memory ran out. */
char *crn_folder_of(const char *path);

#endif
