/* MJCF: distances between points, as tendons through sites. The sites of joint j are called "joint j a" and so on.
 *
 *     rope              |x_b - x_a| <= L                       range 0 to L
 *     distance          |x_b - x_a| = L                        an equality of the tendon
 *     pulley            |x_a - p| + ratio |x_b - q| = L        likewise, with a divisor of 1/ratio
 *     linear spring     force along x_b - x_a                  stiffness, damping and springlength
 */
#include "export/mjcf.h"

bool crn_mjcf_is_path(const crn_joint *joint)
{
    return !joint->coupling && !crn_joint_gives_way(joint) &&
           (joint->kind == CAIRN_JOINT_ROPE || joint->kind == CAIRN_JOINT_DISTANCE ||
            joint->kind == CAIRN_JOINT_PULLEY);
}

static void name_site(char name[CRN_WRITER_NAME], const char *kind, const char *owner, const char *end)
{
    snprintf(name, CRN_WRITER_NAME, "%s %.250s %s", kind, owner, end);
}

static void put_site(crn_writer *w, const char *kind, const char *owner, const char *end, const double point[3])
{
    char name[CRN_WRITER_NAME];
    name_site(name, kind, owner, end);
    crn_element_open(w, "site");
    crn_attribute_text(w, "name", name);
    crn_attribute_numbers(w, "pos", point, 3);
    crn_element_close(w);
}

static void put_ends(crn_writer *w, int body, const char *kind, const char *name, const crn_attachment *a,
                     const crn_attachment *b)
{
    if (a->body == body)
        put_site(w, kind, name, "a", a->point);
    if (b->body == body)
        put_site(w, kind, name, "b", b->point);
}

void crn_mjcf_put_sites(crn_writer *w, int body)
{
    const cairn_model *model = w->model;
    for (size_t i = 0; i < model->joint_count; ++i)
    {
        const crn_joint *joint = &model->joints[i];
        if (!crn_mjcf_is_path(joint))
            continue;
        put_ends(w, body, "joint", joint->name, &joint->a, &joint->b);
        if (joint->kind == CAIRN_JOINT_PULLEY && body < 0)
        {
            put_site(w, "joint", joint->name, "over a", joint->over[0]);
            put_site(w, "joint", joint->name, "over b", joint->over[1]);
        }
    }
    for (size_t i = 0; i < model->spring_count; ++i)
        if (model->springs[i].kind == CAIRN_SPRING_LINEAR)
            put_ends(w, body, "spring", model->springs[i].name, &model->springs[i].a, &model->springs[i].b);
}

static void pass(crn_writer *w, const char *kind, const char *owner, const char *end)
{
    char name[CRN_WRITER_NAME];
    name_site(name, kind, owner, end);
    crn_element_open(w, "site");
    crn_attribute_text(w, "site", name);
    crn_element_close(w);
}

static void open_tendon(crn_writer *w, crn_mjcf_section *section, const char *kind, const char *name)
{
    char full[CRN_WRITER_NAME];
    snprintf(full, sizeof full, "%s %.250s", kind, name);
    crn_section_begin(w, section);
    crn_element_open(w, "spatial");
    crn_attribute_text(w, "name", full);
}

static void put_path(crn_writer *w, crn_mjcf_section *section, const crn_joint *joint)
{
    const double range[2] = {0, joint->length};
    open_tendon(w, section, "joint", joint->name);
    if (joint->kind == CAIRN_JOINT_ROPE)
        crn_attribute_numbers(w, "range", range, 2);
    pass(w, "joint", joint->name, "a");
    if (joint->kind == CAIRN_JOINT_PULLEY)
    {
        pass(w, "joint", joint->name, "over a");
        crn_element_open(w, "pulley");
        crn_attribute_number(w, "divisor", 1 / joint->number[0]);
        crn_element_close(w);
        pass(w, "joint", joint->name, "over b");
    }
    pass(w, "joint", joint->name, "b");
    crn_element_close(w);
}

static void put_spring(crn_writer *w, crn_mjcf_section *section, const crn_spring *spring)
{
    if (spring->kind != CAIRN_SPRING_LINEAR)
    {
        if (!crn_spring_is_of_hinge(w, spring))
            crn_writer_note(w, "spring '%.80s' (angular) is not about the axis of a hinge of the tree: not written",
                            spring->name);
        return;
    }
    open_tendon(w, section, "spring", spring->name);
    crn_attribute_amount(w, "stiffness", spring->stiffness);
    crn_attribute_amount(w, "damping", spring->damping);
    crn_attribute_number(w, "springlength", spring->rest);
    pass(w, "spring", spring->name, "a");
    pass(w, "spring", spring->name, "b");
    crn_element_close(w);
}

/* ---------------------------------------------------------------------------------------------------------- lengths */

static double distance(const double a[3], const double b[3])
{
    double d[3];
    crn_sub3(a, b, d);
    return crn_norm3(d);
}

double crn_mjcf_path_length(const crn_writer *w, const crn_joint *joint)
{
    crn_joint_place place = crn_start_place(w, joint);
    return joint->kind == CAIRN_JOINT_PULLEY
               ? distance(place.x[0], joint->over[0]) + joint->number[0] * distance(place.x[1], joint->over[1])
               : distance(place.x[0], place.x[1]);
}

void crn_mjcf_put_paths(crn_writer *w, crn_mjcf_section *section)
{
    for (size_t i = 0; i < w->model->joint_count; ++i)
        if (crn_mjcf_is_path(&w->model->joints[i]))
            put_path(w, section, &w->model->joints[i]);
    for (size_t i = 0; i < w->model->spring_count; ++i)
        put_spring(w, section, &w->model->springs[i]);
}
