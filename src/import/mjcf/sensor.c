/* MJCF: sensors, as names for quantities (docs/quantities.md). What differs from the quantity is noted: vectors are along the axes of the
 * body or the world where MuJoCo turns them into the site's, and coordinates count from the pose as written. */
#include "import/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

typedef struct sensor_word
{
    const char *word, *attribute; /* that names what is measured; NULL: none */
    crn_sensor_kind kind;
    const char *words;
} sensor_word;

static const sensor_word WORDS[] = {
    {"jointpos", "joint", CRN_SENSE_JOINT, ""},
    {"jointvel", "joint", CRN_SENSE_JOINT, ".rate"},
    {"jointactuatorfrc", "joint", CRN_SENSE_JOINT, ".drive"},
    {"tendonpos", "tendon", CRN_SENSE_SUM, ""},
    {"tendonvel", "tendon", CRN_SENSE_SUM, ".rate"},
    {"tendonactuatorfrc", "tendon", CRN_SENSE_SUM, ".drive"},
    {"accelerometer", "site", CRN_SENSE_POINT, "accelerometer"},
    {"gyro", "site", CRN_SENSE_BODY, ".omega"},
    {"touch", "site", CRN_SENSE_BODY, ".contact_force.magnitude"},
    {"force", "site", CRN_SENSE_LOAD, ".force"},
    {"torque", "site", CRN_SENSE_LOAD, ".moment"},
    {"framepos", "objname", CRN_SENSE_POINT, "point"},
    {"framelinvel", "objname", CRN_SENSE_BODY, ".velocity"},
    {"clock", NULL, CRN_SENSE_PLAIN, "time"},
    {"e_potential", NULL, CRN_SENSE_PLAIN, "energy.potential"},
    {"e_kinetic", NULL, CRN_SENSE_PLAIN, "energy.kinetic"},
};

/* Actuators are measured by what they act on, where they act on it one to one. */
static const sensor_word ACTUATOR_WORDS[] = {{"actuatorpos", NULL, CRN_SENSE_JOINT, ""},
                                             {"actuatorvel", NULL, CRN_SENSE_JOINT, ".rate"},
                                             {"actuatorfrc", NULL, CRN_SENSE_JOINT, ".drive"}};

static const sensor_word *find_word(const sensor_word *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; ++i)
        if (!strcmp(words[i].word, word))
            return &words[i];
    return NULL;
}

static bool note_left_out(crn_mjcf *m, const crn_xml *element, const char *why)
{
    crn_import_note(m->import, element, "<%.40s>: %s; it is left out", element->name, why);
    return false;
}

/* ------------------------------------------------------------------------------------------------ what is measured */

static bool on_joint(crn_mjcf *m, const crn_xml *element, const char *name, crn_link_sensor *out)
{
    if (!crn_robot_find_joint(m->robot, name, &out->link, &out->joint))
        return crn_import_problem(m->import, element, "there is no joint '%.80s'", name);
    const crn_link_joint *joint = &m->robot->links[out->link].joints[out->joint];
    if (joint->kind != CRN_AXIS_HINGE && joint->kind != CRN_AXIS_SLIDE)
        return note_left_out(m, element, "the joint has no single coordinate");
    if (joint->zero != 0 && !strcmp(out->words, ""))
        crn_import_note(m->import, element, "<%.40s> counts from the pose as written: %.6g less than in the file",
                        element->name, joint->zero);
    return true;
}

static bool on_tendon(crn_mjcf *m, const crn_xml *element, const char *name, crn_link_sensor *out)
{
    for (int i = 0; i < m->robot->sum_count; ++i)
        if (!m->robot->sums[i].hold && !strcmp(m->robot->sums[i].name, name))
        {
            out->sum = i;
            return true;
        }
    return note_left_out(m, element, "its tendon was left out or is not there");
}

static crn_xml *find_actuator(crn_mjcf *m, const char *name)
{
    for (crn_xml *s = crn_xml_child(m->root, "actuator"); s; s = crn_xml_again(s))
        for (crn_xml *e = s->first; e; e = e->next)
            if (crn_xml_peek(e, "name") && !strcmp(crn_xml_peek(e, "name"), name))
                return e;
    return NULL;
}

static bool on_actuator(crn_mjcf *m, crn_xml *element, crn_link_sensor *out)
{
    const char *name = crn_import_required(m->import, element, "actuator");
    crn_xml *actuator = name ? find_actuator(m, name) : NULL;
    double gear[6] = {1};
    if (name && !actuator)
        return crn_import_problem(m->import, element, "there is no actuator '%.80s'", name);
    if (!actuator)
        return false;
    crn_mjcf_item item = crn_mjcf_item_of(m, actuator, NULL);
    crn_mjcf_numbers(&item, "gear", 1, 6, gear);
    const char *joint = crn_xml_peek(actuator, "joint"), *tendon = crn_xml_peek(actuator, "tendon");
    if (gear[0] != 1)
        return note_left_out(m, element, "its actuator has a gear");
    if (joint)
        return on_joint(m, element, joint, out);
    out->kind = CRN_SENSE_SUM;
    return tendon ? on_tendon(m, element, tendon, out)
                  : note_left_out(m, element, "its actuator acts on something else than a joint or a tendon");
}

static bool is_turned(const crn_link_frame *frame)
{
    return fabs(frame->q[1]) + fabs(frame->q[2]) + fabs(frame->q[3]) > 1e-12;
}

static bool on_site(crn_mjcf *m, crn_xml *element, const char *attribute, crn_link_sensor *out)
{
    int found = crn_mjcf_find_site(m, element, attribute);
    if (found < 0)
        return false;
    out->link = m->robot->sites[found].link;
    out->frame = m->robot->sites[found].frame;
    return true;
}

/* An object of a frame sensor: body (its centre of mass), xbody (its frame), geom or site. */
static bool on_object(crn_mjcf *m, crn_xml *element, crn_link_sensor *out)
{
    const char *type = crn_import_required(m->import, element, "objtype");
    int shape;
    if (!type || !crn_import_required(m->import, element, "objname"))
        return false;
    if (crn_xml_peek(element, "refname"))
        return note_left_out(m, element, "a frame seen from another has no counterpart");
    if (!strcmp(type, "site"))
        return on_site(m, element, "objname", out);
    if (!strcmp(type, "geom"))
    {
        const char *name = crn_xml_get(element, "objname");
        if (!crn_robot_find_shape(m->robot, name, &out->link, &shape))
            return note_left_out(m, element, "its geometry was left out or is not there");
        out->frame = m->robot->links[out->link].shapes[shape].frame;
        return true;
    }
    if (strcmp(type, "body") != 0 && strcmp(type, "xbody") != 0)
        return note_left_out(m, element, "what it is mounted on has no counterpart");
    out->link = crn_mjcf_find_link(m, element, "objname");
    if (out->link < 0)
        return false;
    crn_link_mass own = crn_link_own_mass(&m->robot->links[out->link]);
    if (!strcmp(type, "body"))
        memcpy(out->frame.x, own.centre, sizeof own.centre);
    return true;
}

/* ------------------------------------------------------------------------------------------------------------ notes */

static void note_difference(crn_mjcf *m, const crn_xml *element, const crn_link_sensor *s)
{
    const char *says = NULL;
    if (s->kind == CRN_SENSE_LOAD)
        says = "measures the reaction of the joint that carries the body, at the joint and along the axes of the "
               "world, without what "
               "acts along its coordinates";
    else if (!strcmp(s->words, ".contact_force.magnitude"))
        says = "measures the force of all contacts of the body";
    else if (is_turned(&s->frame) && (!strcmp(s->words, "accelerometer") || !strcmp(s->words, ".omega")))
        says = "measures along the axes of the body, not of the site";
    if (says)
        crn_import_note(m->import, element, "<%.40s> %s", element->name, says);
}

/* The velocity of a body is that of its centre of mass. */
static bool is_centre(const crn_mjcf *m, const crn_link_sensor *s)
{
    crn_link_mass own = crn_link_own_mass(&m->robot->links[s->link]);
    double d[3];
    crn_sub3(own.centre, s->frame.x, d);
    return crn_norm3(d) < 1e-12;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

static bool find_measured(crn_mjcf *m, crn_xml *element, const sensor_word *word, crn_link_sensor *out)
{
    const char *name = word->attribute ? crn_import_required(m->import, element, word->attribute) : NULL;
    if (word->attribute && !name)
        return false;
    if (!word->attribute)
        return true;
    if (word->kind == CRN_SENSE_JOINT)
        return on_joint(m, element, name, out);
    if (word->kind == CRN_SENSE_SUM)
        return on_tendon(m, element, name, out);
    if (!strcmp(word->attribute, "objname"))
        return on_object(m, element, out) && (word->kind != CRN_SENSE_BODY || is_centre(m, out) ||
                                              note_left_out(m, element, "velocities are those of centres of mass"));
    return on_site(m, element, word->attribute, out);
}

static void read_sensor(crn_mjcf *m, crn_xml *element)
{
    const sensor_word *word = find_word(WORDS, sizeof WORDS / sizeof WORDS[0], element->name);
    const sensor_word *of_actuator =
        find_word(ACTUATOR_WORDS, sizeof ACTUATOR_WORDS / sizeof ACTUATOR_WORDS[0], element->name);
    element->used = word || of_actuator;
    if (!element->used)
        return;
    const char *name = crn_xml_get(element, "name");
    crn_link_sensor made = {.place = element, .frame = crn_link_frame_identity()};
    made.kind = word ? word->kind : of_actuator->kind;
    made.words = word ? word->words : of_actuator->words;
    made.name = name ? name : crn_import_text(m->import, "%s %d", element->name, m->robot->sensor_count + 1);
    if (word ? !find_measured(m, element, word, &made) : !on_actuator(m, element, &made))
        return;
    note_difference(m, element, &made);
    crn_link_sensor *kept = crn_robot_add_sensor(m->robot);
    if (kept)
        *kept = made;
}

void crn_mjcf_read_sensors(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "sensor"); s; s = crn_xml_again(s))
        for (crn_xml *e = s->first; e && m->import->problem_count == 0; e = e->next)
            read_sensor(m, e);
}
