/* From sums of coordinates and lengths to couplings. */
#include "base/number_text.h"
#include "import/robot.h"

#include <math.h>
#include <string.h>

/* The attachments of a rope that runs through sites. */
static const cairn_attachment *rope_points(crn_robot *robot, const struct crn_sum_term *term)
{
    cairn_attachment *points = crn_import_allocate(robot->import, (size_t)term->site_count * sizeof *points);
    for (int i = 0; points && i < term->site_count; ++i)
    {
        const crn_link_site *site = &robot->sites[term->sites[i]];
        crn_link_frame body = crn_robot_body_of(robot, site->link, &points[i].body);
        crn_link_frame world = crn_link_frame_compose(&robot->links[site->link].world, &site->frame);
        crn_link_frame local = crn_link_frame_relative(&body, &world);
        memcpy(points[i].point, local.x, sizeof local.x);
    }
    return points;
}

static cairn_coupling_term *make_terms(crn_robot *robot, const crn_link_sum *sum)
{
    cairn_coupling_term *terms = crn_import_allocate(robot->import, (size_t)sum->term_count * sizeof *terms);
    for (int i = 0; terms && i < sum->term_count; ++i)
    {
        const struct crn_sum_term *term = &sum->terms[i];
        terms[i] = (cairn_coupling_term){.factor = term->factor};
        if (term->sites)
        {
            terms[i].points = rope_points(robot, term);
            terms[i].point_count = term->site_count;
            continue;
        }
        const crn_link_joint *j = &robot->links[term->link].joints[term->joint];
        if (!j->coordinate || (j->kind != CRN_AXIS_HINGE && j->kind != CRN_AXIS_SLIDE))
        {
            crn_import_problem(robot->import, sum->place, "joint '%.80s' has no single coordinate to add up", j->name);
            return NULL;
        }
        terms[i].joint = j->made;
        terms[i].coordinate = j->coordinate;
    }
    return robot->import->no_memory ? NULL : terms;
}

static bool acts(const cairn_coordinate_options *o)
{
    return isfinite(o->lower) || isfinite(o->upper) || o->stiffness > 0 || o->damping > 0 || o->friction > 0 ||
           o->rotor_inertia > 0 || o->drive != CAIRN_DRIVE_NONE;
}

const char *crn_robot_free_name(crn_robot *robot, const crn_xml *place, const char *name)
{
    if (cairn_model_find_joint(robot->model, name).id == 0)
        return name;
    const char *made = crn_import_text(robot->import, "%s (%s)", name, place->name);
    crn_import_note(robot->import, place, "there is a joint '%.80s' too; <%.40s> is called '%.80s'", name, place->name,
                    made);
    return made;
}

const char *crn_robot_assembles(crn_robot *robot)
{
    robot->assemble = true;
    return robot->added ? "the scene must begin with 'initial: assemble'" : "the scene begins with joints put together";
}

/* What is not where it is held, or not in its range, is put there when a simulation begins. */
static void check_begin(crn_robot *robot, const crn_link_sum *sum)
{
    double begin = crn_sum_value(robot, sum), lower = sum->hold ? sum->value : sum->acting.lower;
    double missed = fmax(lower - begin, begin - (sum->hold ? sum->value : sum->acting.upper));
    if (!(missed > 1e-9))
        return;
    crn_import_note(robot->import, sum->place,
                    "'%.80s' would begin at %.6g, off by %.3g; %s", sum->name,
                    begin, missed, crn_robot_assembles(robot));
}

static void act(crn_robot *robot, const crn_link_sum *sum)
{
    cairn_coordinate_options acting = sum->acting;
    double zero = crn_sum_zero(robot, sum);
    crn_number_chars rest;
    acting.lower -= zero;
    acting.upper -= zero;
    if (acting.stiffness > 0)
    {
        rest = crn_number_text(sum->rest - zero);
        acting.rest.expression = rest.text;
    }
    crn_import_pass(robot->import, sum->place, cairn_model_set_coordinate(robot->model, sum->made, "value", &acting));
}

static void build_sum(crn_robot *robot, crn_link_sum *sum)
{
    crn_import *import = robot->import;
    cairn_coupling_options o = cairn_coupling_default();
    if (!sum->hold && !acts(&sum->acting))
    {
        crn_import_note(import, sum->place, "nothing acts along '%.80s'; it is left out", sum->name);
        return;
    }
    sum->name = o.name = crn_robot_free_name(robot, sum->place, sum->name);
    o.terms = make_terms(robot, sum);
    o.term_count = sum->term_count;
    o.hold = sum->hold;
    if (!o.terms)
        return;
    crn_number_chars value = crn_number_text(sum->value - crn_sum_zero(robot, sum));
    if (sum->hold)
        o.value.expression = value.text;
    check_begin(robot, sum);
    if (crn_import_pass(import, sum->place, cairn_model_add_coupling(robot->model, &o, &sum->made)) && !sum->hold)
        act(robot, sum);
}

void crn_robot_build_sums(crn_robot *robot)
{
    for (int i = 0; i < robot->sum_count && robot->import->problem_count == 0; ++i)
        build_sum(robot, &robot->sums[i]);
}
