/* Data that tools/embed.cmake writes into the build tree. */
#ifndef CRN_SCENE_BUILTIN_H
#define CRN_SCENE_BUILTIN_H

#include "cairn/scene.h"

extern const cairn_builtin crn_builtin_scenes[]; /* one more than the count, since an array cannot be empty */
extern const int crn_builtin_scene_count;
extern const unsigned char crn_schema_bytes[]; /* ends with NUL */

#endif
