/* Paths in robot files: relative to the file, absolute, file://, or package://NAME/REST, where NAME is a ROS package: a folder of that
 * name above the file, beside one of those, or in the folder that the user names. */
#include "import/reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_readable(const char *path)
{
    return access(path, R_OK) == 0;
}

/* REST of the package NAME at or in `folder`; NULL: it is not there. */
static const char *in_folder(crn_import *import, const char *folder, const char *name, size_t length, const char *rest)
{
    const char *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
    const char *here = crn_import_text(import, "%s/%s", folder, rest);
    if (strlen(last) == length && !strncmp(last, name, length) && is_readable(here))
        return here;
    const char *inside = crn_import_text(import, "%s/%.*s/%s", folder, (int)length, name, rest);
    return is_readable(inside) ? inside : NULL;
}

static const char *find_package(crn_import *import, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return NULL;
    size_t length = (size_t)(slash - name);
    const char *found = NULL;
    if (import->options.packages)
        found = in_folder(import, import->options.packages, name, length, slash + 1);
    char *folder = found ? NULL : realpath(import->folder, NULL);
    while (folder && *folder && !found)
    {
        found = in_folder(import, folder, name, length, slash + 1);
        char *up = strrchr(folder, '/');
        *(up ? up : folder) = '\0';
    }
    free(folder);
    return found;
}

const char *crn_import_find_file(crn_import *import, const crn_xml *at, const char *folder, const char *name)
{
    static const char PACKAGE[] = "package://", FILE_URL[] = "file://";
    const char *path = NULL;
    if (!import->folder)
    {
        crn_import_problem(import, at, "file '%.200s': other files are not read from a text", name);
        return NULL;
    }
    if (!strncmp(name, PACKAGE, sizeof PACKAGE - 1))
        path = find_package(import, name + sizeof PACKAGE - 1);
    else if (!strncmp(name, FILE_URL, sizeof FILE_URL - 1))
        path = name + sizeof FILE_URL - 1;
    else if (*name == '/')
        path = name;
    else if (folder && *folder == '/')
        path = crn_import_text(import, "%s/%s", folder, name);
    else
        path = crn_import_text(import, "%s/%s%s%s", import->folder, folder ? folder : "", folder ? "/" : "", name);
    if (path && is_readable(path))
        return path;
    crn_import_problem(import, at, "file '%.200s' is not there, or cannot be read", name);
    return NULL;
}
