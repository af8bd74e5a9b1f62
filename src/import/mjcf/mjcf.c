/* MJCF: included files, and the compiler's options. */
#include "import/mjcf/mjcf.h"

#include "base/file.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------------------------------- inclusion */

static bool note_file(crn_mjcf *m, const crn_xml *at, const char *path)
{
    for (int i = 0; i < m->file_count; ++i)
        if (!strcmp(m->files[i], path))
            return crn_import_problem(m->import, at, "file '%.200s' is included a second time", path);
    if (crn_reserve_all(&m->import->memory, CRN_ARRAY(m->files, m->file_count + 1)))
    {
        m->import->no_memory = true;
        return false;
    }
    m->files[m->file_count++] = path;
    return true;
}

/* The tree of an included file; NULL after a problem. Its own path is compared, so that a circle is found by whatever name. */
static crn_xml *load_included(crn_mjcf *m, crn_xml *at)
{
    crn_import *import = m->import;
    const char *name = crn_import_required(import, at, "file");
    const char *path = name ? crn_import_find_file(import, at, NULL, name) : NULL;
    char *real = path ? realpath(path, NULL) : NULL, *text = NULL;
    const char *kept = real ? crn_import_text(import, "%s", real) : NULL;
    size_t length = 0;
    crn_xml *root = NULL;
    free(real);
    if (!kept || !note_file(m, at, kept))
        return NULL;
    if (crn_import_pass(import, at,
                        crn_file_read(import->scratch, path, CRN_FILE_REGULAR, CRN_XML_BYTES, &text, &length)))
    {
        cairn_status status = crn_xml_parse(import->context, &import->memory, path, text, length, &root);
        import->problem_count += status == CAIRN_INVALID;
        import->no_memory = import->no_memory || status == CAIRN_NO_MEMORY;
    }
    free(text);
    return root;
}

/* Put what is in included files in place of the elements that include them. */
static void include(crn_mjcf *m, crn_xml *parent)
{
    crn_xml **place = &parent->first;
    while (*place && m->import->problem_count == 0 && !m->import->no_memory)
    {
        crn_xml *child = *place;
        if (strcmp(child->name, "include") != 0)
        {
            include(m, child);
            place = &child->next;
            continue;
        }
        crn_xml *root = load_included(m, child);
        if (!root)
            return;
        for (crn_xml *c = root->first; c; c = c->next)
            c->parent = parent;
        if (root->last)
            root->last->next = child->next;
        *place = root->first ? root->first : child->next;
    }
}

/* ---------------------------------------------------------------------------------------------------------- options */

double crn_mjcf_angle(const crn_mjcf *m, double angle)
{
    return m->radians ? angle : angle * (3.14159265358979323846 / 180);
}

static void read_mass_options(crn_mjcf *m, const crn_mjcf_item *item)
{
    double range[2];
    crn_mjcf_amount(item, "boundmass", &m->least_mass);
    crn_mjcf_amount(item, "boundinertia", &m->least_inertia);
    crn_mjcf_number(item, "settotalmass", &m->total_mass);
    m->balance = crn_mjcf_flag(item, "balanceinertia", m->balance);
    if (crn_mjcf_numbers(item, "inertiagrouprange", 2, 2, range))
        for (int i = 0; i < 2; ++i)
            m->group_range[i] = (int)fmin(fmax(range[i], -1e6), 1e6);
}

/* What is switched off. Other flags are listed as not used. */
static void read_flags(crn_mjcf *m, crn_xml *flags)
{
    const char *gravity = crn_xml_get(flags, "gravity"), *contact = crn_xml_get(flags, "contact");
    if (gravity && !strcmp(gravity, "disable"))
        memset(m->robot->gravity, 0, sizeof m->robot->gravity);
    m->no_contact = m->no_contact || (contact && !strcmp(contact, "disable"));
}

static void read_compiler(crn_mjcf *m, crn_xml *element)
{
    crn_mjcf_item item = {m, element, NULL};
    const char *angle = crn_mjcf_text(&item, "angle"), *sequence = crn_mjcf_text(&item, "eulerseq");
    const char *assets = crn_mjcf_text(&item, "assetdir"), *meshes = crn_mjcf_text(&item, "meshdir");
    const char *inertia = crn_mjcf_text(&item, "inertiafromgeom"), *coordinate = crn_mjcf_text(&item, "coordinate");
    if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
        crn_import_problem(m->import, element, "angle: expected radian or degree, found '%.40s'", angle);
    else if (angle)
        m->radians = !strcmp(angle, "radian");
    if (sequence && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3))
        crn_import_problem(m->import, element, "eulerseq: expected three of x, y, z, X, Y and Z, found '%.40s'",
                           sequence);
    else if (sequence)
        memcpy(m->sequence, sequence, 4);
    if (coordinate && strcmp(coordinate, "local") != 0)
        crn_import_problem(m->import, element,
                           "coordinate: only local coordinates are read, as in MuJoCo itself; found '%.40s'",
                           coordinate);
    if (meshes || assets)
        m->meshdir = meshes ? meshes : assets;
    if (inertia)
        m->from_geoms = !strcmp(inertia, "true") ? 1 : !strcmp(inertia, "false") ? -1 : 0;
    read_mass_options(m, &item);
    /* Bodies without a joint are part of their parent's, and what is only looked at is left out, in any case. */
    crn_mjcf_flag(&item, "fusestatic", false);
    crn_mjcf_flag(&item, "discardvisual", false);
    m->strip_paths = crn_mjcf_flag(&item, "strippath", m->strip_paths);
    m->no_autolimits = !crn_mjcf_flag(&item, "autolimits", !m->no_autolimits);
}

static void read_options(crn_mjcf *m)
{
    for (crn_xml *e = crn_xml_child(m->root, "compiler"); e; e = crn_xml_again(e))
        read_compiler(m, e);
    for (crn_xml *e = crn_xml_child(m->root, "option"); e; e = crn_xml_again(e))
    {
        crn_import_numbers(m->import, e, "gravity", 3, 3, m->robot->gravity);
        if (crn_import_number(m->import, e, "timestep", &m->robot->step) && !(m->robot->step > 0))
            crn_import_problem(m->import, e, "timestep must be positive, found %g", m->robot->step);
        for (crn_xml *f = crn_xml_child(e, "flag"); f; f = crn_xml_again(f))
            read_flags(m, f);
    }
}

void crn_read_mjcf(crn_robot *robot, crn_xml *root)
{
    crn_mjcf m = {.robot = robot, .import = robot->import, .root = root, .sequence = "xyz", .group_range = {0, 5}};
    root->used = true;
    robot->title = crn_xml_get(root, "model");
    robot->world_collides = true;
    robot->step = 0.002;
    if (m.import->folder)
    {
        char *real = realpath(m.import->file, NULL);
        note_file(&m, root, real ? crn_import_text(m.import, "%s", real) : m.import->file);
        free(real);
    }
    include(&m, root);
    if (m.import->problem_count > 0 || m.import->no_memory)
        return;
    read_options(&m);
    crn_mjcf_collect_defaults(&m, root);
    static void (*const PARTS[])(crn_mjcf *) = {crn_mjcf_read_bodies,   crn_mjcf_read_relations, crn_mjcf_read_tendons,
                                                crn_mjcf_read_contacts, crn_mjcf_read_actuators, crn_mjcf_read_sensors,
                                                crn_mjcf_read_keyframe};
    for (size_t i = 0; i < sizeof PARTS / sizeof PARTS[0]; ++i)
        if (m.import->problem_count == 0 && !m.import->no_memory)
            PARTS[i](&m);
}
