/* Couplings: `terms: [{joint: left, coordinate: angle, factor: 2}, {bodies: [world, hook], points: [[0, 3], [0, 0]]}]`, the value at
 * which their sum is held, and what acts on it. */
#include "scene/build/build.h"
#include "scene/tables.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The joint of a term. True when it is in the model. */
static bool read_joint(crn_reader *reader, const crn_term_record *record, cairn_coupling_term *term)
{
    reader->field = "joint";
    bool known = crn_find(reader, &reader->joints, "joint", record->joint.node) != NULL;
    reader->field = NULL;
    if (!known || !reader->model)
        return false;
    term->joint = cairn_model_find_joint(reader->model, record->joint.text);
    term->coordinate = record->coordinate.node ? record->coordinate.text : NULL;
    return term->joint.id != 0;
}

/* The points of a rope. They live until the document is freed. True when all their bodies are in the model. */
static bool read_rope(crn_reader *reader, const crn_term_record *record, cairn_coupling_term *term)
{
    const crn_node *list = record->bodies.node;
    int count = list->kind == CRN_LIST ? list->count : 0, i = 0;
    size_t bytes = sizeof(double) * (size_t)reader->dimension;
    if (count < 2)
        return crn_problem_at(reader, list, "bodies: expected a list of 2 names or more, found %s",
                              crn_describe(list).text);
    if (record->points.node && record->points.count != count)
        return crn_problem_at(reader, record->points.node, "points: expected one per body, %d of them, found %s", count,
                              crn_describe(record->points.node).text);
    cairn_attachment *points = crn_reader_memory(reader, (size_t)count * sizeof *points);
    bool built = reader->model && points, fine = points != NULL;
    reader->field = "bodies";
    for (const crn_node *name = list->first; name && fine; name = name->next, ++i)
    {
        const char *text;
        fine = crn_read_text(reader, name, &text) && crn_find_body(reader, name, true, &points[i].body, &built);
        if (record->points.node)
            memcpy(points[i].point, record->points.values + i * reader->dimension, bytes);
    }
    reader->field = NULL;
    term->points = points;
    term->point_count = count;
    return fine && built;
}

static bool read_term(crn_reader *reader, const crn_node *node, cairn_coupling_term *term)
{
    crn_term_record record;
    *term = (cairn_coupling_term){.factor = 1.0};
    if (!crn_read_object(reader, &crn_term_object, node, &record))
        return false;
    if ((record.joint.node != NULL) == (record.bodies.node != NULL))
        return crn_problem_at(reader, node, "a term needs either 'joint' or 'bodies'");
    if (record.joint.node ? record.points.node != NULL : record.coordinate.node != NULL)
        return crn_problem_at(reader, node, "a term with '%s' has no '%s'", record.joint.node ? "joint" : "bodies",
                              record.joint.node ? "points" : "coordinate");
    if (record.factor.node)
        term->factor = record.factor.value;
    return record.joint.node ? read_joint(reader, &record, term) : read_rope(reader, &record, term);
}

/* All terms of a list. True when everything that they name is in the model. */
static bool read_terms(crn_reader *reader, const crn_node *list, cairn_coupling_options *options)
{
    if (list->kind != CRN_LIST || list->count == 0)
        return crn_problem_at(reader, list, "terms: expected a list of terms, found %s", crn_describe(list).text);
    cairn_coupling_term *terms = crn_reader_memory(reader, (size_t)list->count * sizeof *terms);
    bool built = terms != NULL;
    for (const crn_node *node = list->first; terms && node; node = node->next)
        built = read_term(reader, node, &terms[options->term_count++]) && built;
    options->terms = terms;
    return built;
}

/* Whether something acts on the value. */
static bool is_acted_on(const crn_coordinate_record *acts)
{
    return acts->lower.node || acts->upper.node || acts->friction.node || acts->stiffness.node || acts->damping.node ||
           acts->rotor_inertia.node ||           acts->drive.node;
}

static void check_acts(crn_reader *reader, const crn_coordinate_record *acts)
{
    if (acts->restitution.node && !acts->lower.node && !acts->upper.node)
        crn_problem_at(reader, acts->restitution.node, "restitution: there is no 'lower' or 'upper' to bounce at");
    if (acts->rest.node && !acts->stiffness.node)
        crn_problem_at(reader, acts->rest.node, "rest: there is no 'stiffness' of a spring");
}

void crn_build_coupling(crn_reader *reader, const crn_node *node)
{
    crn_coupling_record record;
    double *tables[3] = {NULL};
    cairn_joint made;
    cairn_coupling_options options = cairn_coupling_default();
    cairn_coordinate_options acts = cairn_coordinate_default();
    int before = crn_problem_total(reader);
    crn_read_object(reader, &crn_coupling_object, node, &record);
    crn_register(reader, &reader->joints, "joint or coupling", &record.name, 0);
    bool built = record.terms.node && read_terms(reader, record.terms.node, &options);
    crn_read_signal(reader, "value", record.value.node, &tables[2], &options.value);
    crn_parse_coordinate(reader, &record.acts, tables, &acts);
    check_acts(reader, &record.acts);
    options.name = record.name.text;
    options.hold = record.value.node || !is_acted_on(&record.acts);
    if (record.weight.node)
        options.weight = record.weight.value;
    if (built && crn_problem_total(reader) == before &&
        crn_pass_on(reader, node, cairn_model_add_coupling(reader->model, &options, &made)) &&
        is_acted_on(&record.acts))
        crn_pass_on(reader, node, cairn_model_set_coordinate(reader->model, made, "value", &acts));
    for (int i = 0; i < 3; ++i)
        free(tables[i]);
}
