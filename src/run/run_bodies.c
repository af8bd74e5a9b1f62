/* What a run file says of bodies once: names, masses and radii. Of many bodies it is written a part at a time, in the transaction of the first frame. */
#include "model/model.h"
#include "run/run_hdf5.h"
#include "run/run_recorder.h"
#include "step/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char NAMES[] = "/bodies/names", MASS[] = "/bodies/mass", RADIUS[] = "/bodies/radius";

enum
{
    FEW = 1 << 10 /* bodies whose facts are put into the file when it is made */
};

static int count_bodies(const cairn_recorder *recorder)
{
    return cairn_model_body_count(cairn_simulation_model(recorder->simulation));
}

/* Bytes of the longest name, with the 0 behind it. */
static size_t name_size(const cairn_model *model)
{
    size_t size = crn_unmade_name_size(model);
    for (size_t i = 0; i < model->body_count; ++i)
        size = strlen(model->bodies[i].name) + 1 > size ? strlen(model->bodies[i].name) + 1 : size;
    return size;
}

static void write_names(const cairn_model *model, int first, int count, size_t size, char *table)
{
    memset(table, 0, (size_t)count * size);
    for (int i = 0; i < count; ++i)
        if (first + i < (int)model->body_count)
            memcpy(table + (size_t)i * size, model->bodies[first + i].name, strlen(model->bodies[first + i].name));
        else
            (void)crn_unmade_write_name(model, first + i, table + (size_t)i * size, size);
}

static void weigh(const cairn_simulation *s, int body, double *mass, double *radius)
{
    const cairn_model *model = cairn_simulation_model(s);
    const crn_body *of = &model->bodies[body];
    *mass = cairn_model_body_mass(model, cairn_model_body(model, body));
    *radius = 0;
    for (int i = of->shape_begin; i < of->shape_end; ++i)
        if (model->shapes[i].body == body)
            *radius = fmax(*radius, model->shapes[i].bound);
}

static void weigh_all(const cairn_simulation *s, int first, int count, double *mass, double *radius)
{
    int made = (int)cairn_simulation_model(s)->body_count, own = made - first < count ? made - first : count;
    own = own < 0 ? 0 : own;
    for (int i = 0; i < own; ++i)
        weigh(s, first + i, &mass[i], &radius[i]);
    if (own < count)
        crn_grains_weigh(s, first + own, count - own, mass + own, radius + own);
}

/* Room for a part of the bodies. */
typedef struct part
{
    size_t size; /* of a name */
    char *names;
    double *mass, *radius;
} part;

static bool open_part(part *p, const cairn_recorder *recorder, int count)
{
    *p = (part){.size = name_size(cairn_simulation_model(recorder->simulation))};
    p->names = malloc((size_t)count * p->size + 1);
    p->mass = malloc(2 * (size_t)count * sizeof *p->mass + 1);
    p->radius = p->mass ? p->mass + count : NULL;
    return p->names && p->mass;
}

static void close_part(part *p)
{
    free(p->names);
    free(p->mass);
}

static void fill_part(part *p, const cairn_recorder *recorder, int first, int count)
{
    write_names(cairn_simulation_model(recorder->simulation), first, count, p->size, p->names);
    weigh_all(recorder->simulation, first, count, p->mass, p->radius);
}

bool crn_run_create_bodies(hid_t file, const cairn_recorder *recorder)
{
    int count = count_bodies(recorder);
    bool are_few = count <= FEW;
    part p;
    bool good = open_part(&p, recorder, are_few ? count : 1);
    if (good && are_few)
        fill_part(&p, recorder, 0, count);
    good = good && (count == 0 || (crn_run_put_table(file, NAMES, are_few ? p.names : NULL, p.size, count,
                                                     "names, in the order of the second axis") &&
                                   crn_run_put_numbers(file, MASS, are_few ? p.mass : NULL, count, "kg",
                                                       "mass; 0 for bodies that are not dynamic") &&
                                   crn_run_put_numbers(file, RADIUS, are_few ? p.radius : NULL, count, "m",
                                                       "of the ball about the centre of mass that holds all "
                                                       "shapes; of a sphere its own")));
    close_part(&p);
    return good;
}

cairn_status crn_run_put_bodies(cairn_recorder *recorder)
{
    int bodies = count_bodies(recorder);
    part p;
    if (bodies <= FEW)
        return CAIRN_OK;
    cairn_status status = open_part(&p, recorder, CRN_RUN_TOGETHER) ? CAIRN_OK : crn_run_recorder_full(recorder);
    for (int i = 0; i < bodies && !status; i += CRN_RUN_TOGETHER)
    {
        int count = bodies - i < CRN_RUN_TOGETHER ? bodies - i : CRN_RUN_TOGETHER;
        fill_part(&p, recorder, i, count);
        status = crn_run_file_put_items(recorder, NAMES, i, count, p.names);
        status = status ? status : crn_run_file_put_items(recorder, MASS, i, count, p.mass);
        status = status ? status : crn_run_file_put_items(recorder, RADIUS, i, count, p.radius);
    }
    close_part(&p);
    return status;
}
