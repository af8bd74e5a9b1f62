/* MJCF: geometry. Sizes are halves. A geometry that belongs to no contact type is only looked at, but has mass where the body's mass comes
 * from its geometry. */
#include "import/mjcf/mjcf.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------------------ sizes */

typedef struct geom_word
{
    const char *word;
    cairn_shape_kind kind;
    int sizes;
    int along; /* the size that a fromto gives; -1: it has none */
} geom_word;

static const geom_word WORDS[] = {
    {"sphere", CAIRN_SPHERE, 1, -1},    {"capsule", CAIRN_CAPSULE, 2, 1},
    {"cylinder", CAIRN_CYLINDER, 2, 1}, {"ellipsoid", CAIRN_ELLIPSOID, 3, 2},
    {"box", CAIRN_BOX, 3, 2},           {"plane", CAIRN_HALF_SPACE, 0, -1},
    {"mesh", CAIRN_HULL, 0, -1},        {"hfield", CAIRN_HEIGHT_FIELD, 0, -1},
};

static const geom_word *find_word(const char *type)
{
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; ++i)
        if (!strcmp(type, WORDS[i].word))
            return &WORDS[i];
    return NULL;
}

static void set_sizes(cairn_shape_options *o, const double size[3])
{
    o->radius = size[0];
    o->length = o->height = 2 * size[1];
    for (int i = 0; i < 3; ++i)
    {
        o->radii[i] = size[i];
        o->size[i] = 2 * size[i];
    }
    o->normal[0] = o->normal[1] = 0;
    o->normal[2] = 1;
}

/* A geometry from one point to another: its middle, its z axis and the size along it. */
static bool read_ends(const crn_mjcf_item *item, const geom_word *word, crn_link_frame *frame, double size[3])
{
    double ends[6], d[3];
    if (word->along < 0 || !crn_mjcf_numbers(item, "fromto", 6, 6, ends))
        return false;
    crn_sub3(ends, ends + 3, d);
    if (!(crn_norm3(d) > 0))
        return crn_import_problem(item->mjcf->import, item->element, "the two points of fromto coincide");
    for (int i = 0; i < 3; ++i)
        frame->x[i] = 0.5 * (ends[i] + ends[i + 3]);
    crn_turn_z_to(d, frame->q);
    if (word->along == 2)
        size[1] = size[0];
    size[word->along] = 0.5 * crn_norm3(d);
    return true;
}

static bool read_size(const crn_mjcf_item *item, const geom_word *word, crn_link_shape *shape)
{
    crn_mjcf *m = item->mjcf;
    double size[3] = {0};
    int count = crn_mjcf_numbers(item, "size", 1, 3, size);
    bool ends = read_ends(item, word, &shape->frame, size);
    if (!ends)
        shape->frame = crn_mjcf_frame(item);
    for (int i = 0; i < word->sizes; ++i)
        if (!(size[i] > 0) || (!ends && i >= count))
            return crn_import_problem(m->import, item->element, "a %s needs %d positive number%s as its size",
                                      word->word, word->sizes, word->sizes == 1 ? "" : "s");
    shape->options = cairn_shape_default(word->kind);
    set_sizes(&shape->options, size);
    return true;
}

/* --------------------------------------------------------------------------------------------------------- surfaces */

static bool read_bits(const crn_mjcf_item *item, const char *name, unsigned *out)
{
    double value = 1;
    crn_mjcf_number(item, name, &value);
    if (!(value >= INT_MIN && value <= UINT_MAX) || value != floor(value))
        return crn_import_problem(item->mjcf->import, item->element, "%s: expected a whole number of 32 bits, found %g",
                                  name, value);
    *out = (unsigned)(long long)value;
    return true;
}

/* Whether a pair of <contact> names the geometry. */
static bool is_paired(crn_mjcf *m, const char *name)
{
    for (crn_xml *s = name ? crn_xml_child(m->root, "contact") : NULL; s; s = crn_xml_again(s))
        for (crn_xml *p = crn_xml_child(s, "pair"); p; p = crn_xml_again(p))
        {
            const char *a = crn_xml_peek(p, "geom1"), *b = crn_xml_peek(p, "geom2");
            if ((a && !strcmp(a, name)) || (b && !strcmp(b, name)))
                return true;
        }
    return false;
}

/* Of two surfaces the higher priority counts, and else the larger friction: see crn_surface. */
static void read_surface(const crn_mjcf_item *item, crn_link_shape *shape)
{
    crn_mjcf *m = item->mjcf;
    double friction[3] = {1, 0.005, 0.0001}, condim = 3, priority = 0;
    crn_mjcf_numbers(item, "friction", 1, 3, friction);
    crn_mjcf_number(item, "condim", &condim);
    crn_mjcf_number(item, "priority", &priority);
    if (friction[0] < 0)
        crn_import_problem(m->import, item->element, "friction must not be negative, found %g", friction[0]);
    if (!(fabs(priority) <= 1e6))
        crn_import_problem(m->import, item->element, "priority is too large: %g", priority);
    if (m->import->problem_count > 0)
        return;
    if (!read_bits(item, "contype", &shape->type) || !read_bits(item, "conaffinity", &shape->affinity))
        return;
    if (m->no_contact)
        shape->type = shape->affinity = 0;
    shape->collides = shape->type != 0 || shape->affinity != 0 ||
                      (!m->no_contact && is_paired(m, crn_xml_peek(item->element, "name")));
    if (shape->collides && condim > 3)
        crn_import_note(m->import, item->element, "friction against rolling and spinning (condim %g) is left out",
                        condim);
    if (!shape->collides)
        crn_import_note(m->import, item->element, "<geom> touches nothing and is only looked at: it is left out");
    shape->surface = crn_robot_surface(m->robot, condim == 1 ? 0 : friction[0], (int)priority, NULL);
}

static void set_mass(const crn_mjcf_item *item, crn_link_shape *shape)
{
    double density = 1000, mass = -1, group = 0;
    crn_mjcf_number(item, "group", &group);
    if (group < item->mjcf->group_range[0] || group > item->mjcf->group_range[1])
    {
        shape->mass = (crn_link_mass){0};
        return;
    }
    crn_mjcf_amount(item, "density", &density);
    crn_mjcf_amount(item, "mass", &mass);
    if (shape->options.kind != CAIRN_HULL && shape->options.kind != CAIRN_MESH)
        crn_shape_mass(&shape->options, 1, &shape->mass);
    double factor = mass >= 0 && shape->mass.mass > 0 ? mass / shape->mass.mass : density;
    shape->mass.mass *= factor;
    for (int i = 0; i < 9; ++i)
        shape->mass.inertia[i] *= factor;
}

void crn_mjcf_read_geom(crn_mjcf *m, crn_xml *element, const crn_xml *class, int link, const crn_link_frame *in)
{
    crn_mjcf_item item = crn_mjcf_item_of(m, element, class);
    const char *type = crn_mjcf_text(&item, "type");
    const geom_word *word = find_word(type ? type : "sphere");
    crn_link_shape shape = {.place = element, .surface = -1};
    crn_xml_get(element, "name");
    if (!word)
    {
        crn_import_note(m->import, element, "<geom> of type '%.40s' has no counterpart and is left out", type);
        return;
    }
    bool is_mesh = !strcmp(word->word, "mesh");
    if (!is_mesh && crn_mjcf_text(&item, "mesh"))
    {
        crn_import_note(m->import, element, "a %s that is fitted to a mesh has no counterpart and is left out",
                        word->word);
        return;
    }
    if (!read_size(&item, word, &shape) || (is_mesh && !crn_mjcf_read_mesh(&item, &shape)))
        return;
    if (word->kind == CAIRN_HEIGHT_FIELD && !crn_mjcf_read_heights(&item, &shape))
        return;
    read_surface(&item, &shape);
    set_mass(&item, &shape);
    shape.frame = crn_link_frame_compose(in, &shape.frame);
    crn_link_shape *made = crn_link_add_shape(m->robot, &m->robot->links[link]);
    if (made)
        *made = shape;
}
