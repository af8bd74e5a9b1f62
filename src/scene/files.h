/* Files that shapes name: read from the folder of the scene file, or from the scene's own `files`, which keeps their contents as
 * texts. A scene whose files were read from its folder is made complete: its text gets them as `files`, so that what a run
 * keeps can be read when the folder is gone. */
#ifndef CRN_SCENE_FILES_H
#define CRN_SCENE_FILES_H

#include "model/shape/mesh_file.h"
#include "scene/reader.h"

typedef struct crn_scene_file
{
    const char *name; /* as shapes write it */
    bool heights;     /* read as heights, else as triangles */
    bool right;       /* it could be read; if not, that was said */
    bool outside;     /* from the folder */
    crn_mesh_file mesh;
    crn_height_file field;
    struct crn_scene_file *next;
} crn_scene_file;

/* Note the scene's `files` (NULL: none). */
void crn_note_files(crn_reader *reader, const crn_node *files);

/* The contents of a file that `node` names; NULL when they cannot be had, which is a problem of the reader. */
const crn_scene_file *crn_find_file(crn_reader *reader, const crn_node *node, bool heights);

/* Write the files that were read from the folder into the text. */
void crn_bundle_files(crn_reader *reader, char **text, size_t length);

void crn_files_free(crn_reader *reader);

#endif
