#include "import/mesh_library.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

bool crn_mesh_library_wants(const char *path)
{
    const char *dot = strrchr(path, '.');
    static const char *const ENDINGS[] = {".dae", ".gltf", ".glb", ".ply", ".3ds"};
    for (size_t i = 0; dot && i < sizeof ENDINGS / sizeof ENDINGS[0]; ++i)
        if (!strcasecmp(dot, ENDINGS[i]))
            return true;
    return false;
}

static cairn_status begin(const char *path, crn_mesh_file *out)
{
    *out = (crn_mesh_file){.facets = true};
    snprintf(out->name, sizeof out->name, "%s", path);
    return CAIRN_OK;
}

static cairn_status missing(crn_mesh_file *out, const char *why)
{
    crn_mesh_file_fail(out, 0, "is in a format that is read through the library assimp, %s", why);
    return CAIRN_UNSUPPORTED;
}

#ifdef CAIRN_ASSIMP

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>
#include <dlfcn.h>

/* The functions that are used, with the types of the headers. */
typedef struct library
{
    unsigned (*version)(void);
    struct aiPropertyStore *(*create_store)(void);
    void (*release_store)(struct aiPropertyStore *);
    void (*set_integer)(struct aiPropertyStore *, const char *, int);
    const struct aiScene *(*import)(const char *, unsigned, unsigned, const char *, const struct aiPropertyStore *);
    const char *(*error)(void);
    void (*release)(const struct aiScene *);
} library;

/* The library stays open: it has state of its own. Its structures are those of version 5. */
static bool open_library(library *out)
{
    void *handle = dlopen("libassimp.so.5", RTLD_NOW | RTLD_LOCAL);
    const struct
    {
        const char *name;
        void *place;
    } wanted[] = {{"aiGetVersionMajor", &out->version},
                  {"aiCreatePropertyStore", &out->create_store},
                  {"aiReleasePropertyStore", &out->release_store},
                  {"aiSetImportPropertyInteger", &out->set_integer},
                  {"aiImportFileFromMemoryWithProperties", &out->import},
                  {"aiGetErrorString", &out->error},
                  {"aiReleaseImport", &out->release}};
    for (size_t i = 0; handle && i < sizeof wanted / sizeof wanted[0]; ++i)
    {
        void *found = dlsym(handle, wanted[i].name);
        if (!found)
            return false;
        memcpy(wanted[i].place, &found, sizeof found);
    }
    return handle && out->version() == 5;
}

/* One part, whose vertices follow those that are there. Faces that are no triangles are lines and points. */
static cairn_status add_mesh(crn_mesh_file *file, const struct aiMesh *mesh)
{
    int first = file->vertex_count;
    for (unsigned i = 0; i < mesh->mNumVertices; ++i)
    {
        const struct aiVector3D *v = &mesh->mVertices[i];
        CRN_TRY(crn_mesh_file_add_vertex(file, (double[3]){v->x, v->y, v->z}));
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
    {
        const struct aiFace *face = &mesh->mFaces[i];
        int corners[3];
        if (face->mNumIndices != 3)
            continue;
        for (int k = 0; k < 3; ++k)
        {
            if (face->mIndices[k] >= mesh->mNumVertices)
                return crn_mesh_file_fail(file, 0, "triangle %u has a vertex that is not there", i + 1);
            corners[k] = first + (int)face->mIndices[k];
        }
        CRN_TRY(crn_mesh_file_add_triangle(file, corners, file->triangle_count + 1));
    }
    return CAIRN_OK;
}

static cairn_status take_scene(crn_mesh_file *file, const struct aiScene *scene)
{
    for (unsigned i = 0; i < scene->mNumMeshes; ++i)
        CRN_TRY(add_mesh(file, scene->mMeshes[i]));
    for (int i = 0; i < 3 * file->vertex_count; ++i)
        if (!(file->vertices[i] - file->vertices[i] == 0))
            return crn_mesh_file_fail(file, 0, "a vertex is not finite");
    return file->triangle_count > 0 ? crn_mesh_file_join(file) : crn_mesh_file_fail(file, 0, "has no triangles");
}

cairn_status crn_mesh_library_parse(const char *path, const char *bytes, size_t length, crn_mesh_file *out)
{
    library l;
    CRN_TRY(begin(path, out));
    if (!open_library(&l))
        return missing(out, "which is not installed (Debian: libassimp5)");
    struct aiPropertyStore *store = l.create_store();
    if (!store)
        return CAIRN_NO_MEMORY;
    /* Robots are written in their own axes, whatever the file calls up. */
    l.set_integer(store, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
    const struct aiScene *scene =
        l.import(bytes, (unsigned)length,
                 aiProcess_Triangulate | aiProcess_PreTransformVertices | aiProcess_ValidateDataStructure,
                 strrchr(path, '.') + 1, store);
    cairn_status status = scene ? take_scene(out, scene) : crn_mesh_file_fail(out, 0, "%.200s", l.error());
    if (scene)
        l.release(scene);
    l.release_store(store);
    return status;
}

#else

cairn_status crn_mesh_library_parse(const char *path, const char *bytes, size_t length, crn_mesh_file *out)
{
    (void)bytes, (void)length;
    CRN_TRY(begin(path, out));
    return missing(out, "without which this program was built");
}

#endif
