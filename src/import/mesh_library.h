/* Meshes in formats that Cairn does not read itself (COLLADA, glTF, PLY, 3DS), through assimp (https://www.assimp.org, BSD): a library of C++
 * that is larger than this one, and starts slowly. It is therefore opened when the first such mesh is met, where it is installed. */
#ifndef CRN_IMPORT_MESH_LIBRARY_H
#define CRN_IMPORT_MESH_LIBRARY_H

#include "model/shape/mesh_file.h"

/* Whether a file with this name is one for the library. */
bool crn_mesh_library_wants(const char *path);

/* As crn_mesh_file_parse, with all parts of the file in one mesh, in metres, and along the axes in which they are written. CAIRN_UNSUPPORTED,
 * with out->error, where the library is not there. */
cairn_status crn_mesh_library_parse(const char *path, const char *bytes, size_t length, crn_mesh_file *out);

#endif
