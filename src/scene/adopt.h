/* Scenes that are not read from a scene file, and robots in scenes that are. */
#ifndef CRN_SCENE_ADOPT_H
#define CRN_SCENE_ADOPT_H

#include "cairn/import.h"

/* Make a scene of a model, which from now on belongs to it, even on failure. Its text is empty. CAIRN_OK or CAIRN_NO_MEMORY. */
cairn_status crn_scene_adopt(cairn_context *context, cairn_model *model, const cairn_settings *settings,
                             const char *title, cairn_scene **out);

/* The part of a path before its last '/', or "."; the caller frees it. NULL: memory ran out. */
char *crn_folder_of(const char *path);

#endif
