/* Files named by shapes. They are read from the folder of the scene file, or from the scene's own `files`, which holds their
 * contents as texts. Files read from the folder are written into the scene's text as `files`, so that a run file can be read
 * without the folder. */
#ifndef CRN_SCENE_FILES_H
#define CRN_SCENE_FILES_H

#include "model/shape/mesh_file.h"
#include "scene/reader.h"

typedef struct crn_scene_file
{
    const char *name; /* as shapes write it */
    bool heights;     /* read as heights, else as triangles */
    bool right;       /* it could be read; if not, that is a problem of the reader */
    bool outside;     /* from the folder */
    crn_mesh_file mesh;
    crn_height_file field;
    struct crn_scene_file *next;
} crn_scene_file;

/* Note the scene's `files` (NULL: none). */
void crn_note_files(crn_reader *reader, const crn_node *files);

/* The contents of the file that `node` names; NULL with a problem when it cannot be read. */
const crn_scene_file *crn_find_file(crn_reader *reader, const crn_node *node, bool heights);

/* Write the files that were read from the folder into the text. */
void crn_bundle_files(crn_reader *reader, char **text, size_t length);

void crn_files_free(crn_reader *reader);

#endif
