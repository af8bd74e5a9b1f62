/* Simulations of grains that no process has all of (src/step/device/device_grains.c): ranks make them, and process 0 has a recipe. All that it says must be to the bit what it says where the model has them, for any
 * number of ranks: single bodies, energies, reports, and after somebody needed all of them, in whatever way, the rest. */
#include "cairn/cairn.h"
#include "cairn/ranks.h"

#include "model/model.h"
#include "support/check.h"
#include "support/led_ranks.h"
#include "support/touching.h"

#include <stdlib.h>
#include <string.h>

enum
{
    GRAINS = 700,
    DUST = 250, /* of these */
    BODIES = GRAINS + 3,
    BATCHES = 6,
    CONTACTS = 6000
};

/* Why all grains are needed after the third batch. */
typedef enum reason
{
    NOBODY,
    CONTACT_LIST,
    SAVED_STATE,
    NEW_BODY,
    FAILED_BATCH,
    FREEDOMS,
    STATISTIC,
    CLONE,
    NEEDS
} reason;

/* What there is beside the grains. */
typedef enum setting
{
    BALLS,  /* and half-spaces */
    SHAPES, /* a box with a capsule, hills, and a plate that turns; grains have groups of their own */
    SOLIDS, /* the same, and grains are boxes and cylinders */
    ROLLS   /* half-spaces alone, and rolling friction: no shape but the grains' has a number before them */
} setting;

/* What process 0 says after each batch, and of the state at the end. */
typedef struct told
{
    cairn_body_state state[BATCHES][BODIES];
    double speed[BATCHES], mass; /* m/s of a grain; kg of all */
    cairn_energy energy[BATCHES];
    cairn_step_report report[BATCHES];
    int64_t rebuilds, cuts, ghosts;
    cairn_contact one[BATCHES][CONTACTS]; /* contacts, one after the other */
    int ones[BATCHES];
    cairn_contact contact[CONTACTS]; /* all at the end */
    int contacts;
    cairn_state *end;
} told;

typedef struct course
{
    bool is_made; /* the model has the grains from the start */
    bool audit;
    bool resumes; /* before that, another simulation goes on from a checkpoint */
    setting where;
    reason need;
    told *out;
    int failures;
} course;

static void expect(course *run, bool good, const char *what)
{
    if (!good)
        print_error("%s\n", what);
    run->failures += !good;
}

static bool is_good(course *run, cairn_context *context, cairn_status status)
{
    expect(run, status == CAIRN_OK, status ? cairn_context_last_message(context) : "");
    return status == CAIRN_OK;
}

static cairn_status add_body(cairn_model *model, const char *name, cairn_shape_kind kind, double x, double z,
                             const char *way)
{
    cairn_body_options body = cairn_body_default();
    cairn_shape_options shape = cairn_shape_default(kind);
    cairn_body made;
    cairn_shape part;
    body.name = name;
    body.kind = way ? CAIRN_DRIVEN : CAIRN_FIXED;
    body.motion_position[2] = way;
    body.position[0] = x;
    body.position[2] = z;
    shape.radius = 0.02;
    shape.normal[2] = 1;
    cairn_status status = cairn_model_add_body(model, &body, &made);
    return status ? status : cairn_model_add_shape(model, made, &shape, &part);
}

static cairn_status add_shape(cairn_model *model, cairn_body body, cairn_shape_kind kind, double x, double z)
{
    static const double HILLS[] = {-0.2, -0.1, -0.01, 0.2, -0.1, 0.01, 0.2, 0.1, -0.01, -0.2, 0.1, 0.012};
    static const int TRIANGLES[] = {0, 1, 2, 0, 2, 3};
    cairn_shape_options shape = cairn_shape_default(kind);
    cairn_shape made;
    shape.radius = 0.008;
    shape.length = 0.04;
    shape.size[0] = shape.size[1] = 0.03;
    shape.size[2] = 0.006;
    shape.position[0] = x;
    shape.position[2] = z;
    if (kind == CAIRN_MESH)
    {
        shape.vertices = HILLS;
        shape.vertex_count = 4;
        shape.triangles = TRIANGLES;
        shape.triangle_count = 2;
    }
    return cairn_model_add_shape(model, body, &shape, &made);
}

/* The same number of bodies as of the other settings. */
static cairn_status add_shapes(cairn_model *model)
{
    cairn_body_options hills = cairn_body_default(), stone = hills, plate = hills;
    cairn_body body;
    hills.name = "floor";
    stone.name = "stone";
    plate.name = "base";
    hills.kind = stone.kind = CAIRN_FIXED;
    plate.kind = CAIRN_DRIVEN;
    plate.motion_angle = "2*t";
    plate.motion_position[2] = "0.05 + 0.1*t";
    plate.position[0] = -0.02;
    stone.position[0] = 0.02;
    stone.position[2] = 0.05;
    stone.orientation[0] = 0.8;
    stone.orientation[1] = 0.6;
    cairn_status status = cairn_model_add_body(model, &hills, &body);
    status = status ? status : add_shape(model, body, CAIRN_MESH, 0, 0);
    status = status ? status : add_shape(model, body, CAIRN_HALF_SPACE, 0, -0.05);
    status = status ? status : cairn_model_add_body(model, &stone, &body);
    status = status ? status : add_shape(model, body, CAIRN_BOX, 0, 0);
    status = status ? status : add_shape(model, body, CAIRN_CAPSULE, 0.01, 0.01);
    status = status ? status : cairn_model_add_body(model, &plate, &body);
    return status ? status : add_shape(model, body, CAIRN_BOX, 0, 0);
}

static cairn_status add_others(cairn_model *model, setting where)
{
    if (where == SHAPES || where == SOLIDS)
        return add_shapes(model);
    cairn_status status = add_body(model, "floor", CAIRN_HALF_SPACE, 0, 0, "0.05*t");
    status = status ? status
                    : add_body(model, "stone", where == BALLS ? CAIRN_SPHERE : CAIRN_HALF_SPACE, 0.01,
                               where == BALLS ? 0.03 : -0.1, NULL);
    return status ? status : add_body(model, "base", CAIRN_HALF_SPACE, 0, -1, NULL);
}

/* Grains of many sizes around a stone, on a floor that rises, and others of another material in the rest of the same box. */
static cairn_status build(cairn_model *model, setting where)
{
    cairn_population_options sand = cairn_population_default(), dust;
    cairn_material_options rough = cairn_material_default();
    cairn_shape_options brick = cairn_shape_default(CAIRN_BOX), roll = cairn_shape_default(CAIRN_CYLINDER);
    int index;
    brick.size[0] = 2;
    brick.size[1] = brick.size[2] = 1;
    brick.orientation[0] = 0.8;
    brick.orientation[1] = 0.6;
    roll.radius = 0.002;
    roll.height = 0.006;
    roll.position[0] = 0.001; /* it is moved to its centre of mass */
    sand.name = "sand";
    sand.count = GRAINS - DUST;
    sand.sizes = (cairn_sizes){.kind = CAIRN_SIZES_UNIFORM, .least = 0.003, .most = 0.006};
    sand.density = 2500;
    sand.packing = CAIRN_PACKING_LATTICE;
    sand.spacing = 0.013;
    sand.jitter = 0.8;
    sand.region.size[0] = 0.11;
    sand.region.size[1] = 0.09;
    sand.region.size[2] = 0.5;
    sand.region.position[2] = 0.25;
    sand.velocity[0] = 0.2;
    sand.angular_velocity[1] = 3;
    rough.name = "rough";
    rough.friction = 0.7;
    rough.rolling_friction = where == ROLLS ? 2e-4 : 0;
    dust = sand;
    dust.name = "dust";
    dust.count = DUST;
    dust.sizes = (cairn_sizes){.mean = 0.0025};
    dust.density = 1500;
    dust.jitter = 0;
    dust.spacing = 0.006;
    dust.velocity[2] = -0.3;
    dust.groups = where == SHAPES ? 2 : 1;
    if (where == SOLIDS)
    {
        sand.shapes = &brick;
        dust.shapes = &roll;
        sand.shape_count = dust.shape_count = 1;
        sand.sizes = (cairn_sizes){.mean = 0.0035};
        dust.sizes = (cairn_sizes){.mean = 0};
        dust.spacing = 0;
        dust.jitter = 0.5;
        sand.angular_velocity[1] = dust.angular_velocity[1] = 0;
        dust.region.position[2] = 0.9;
    }
    cairn_status status = add_others(model, where);
    status = status ? status : cairn_model_add_material(model, &rough, &dust.material);
    status = status ? status : cairn_model_add_population(model, &sand, &index);
    return status ? status : cairn_model_add_population(model, &dust, &index);
}

static void read_quantity(course *run, cairn_context *context, const cairn_simulation *simulation, const char *name,
                          double *out)
{
    cairn_quantity quantity;
    if (is_good(run, context, cairn_quantity_find(context, cairn_simulation_model(simulation), name, &quantity)))
        is_good(run, context, cairn_quantity_value(simulation, &quantity, out));
}

static void tell(course *run, cairn_context *context, cairn_simulation *simulation, int batch)
{
    const cairn_model *model = cairn_simulation_model(simulation);
    told *out = run->out;
    for (int i = 0; i < BODIES; ++i)
    {
        int body = batch % 2 == 0 ? i : 11 * i % BODIES;
        out->state[batch][body] = cairn_simulation_body(simulation, cairn_model_body(model, body));
    }
    out->ones[batch] = batch > 0 ? cairn_simulation_contact_count(simulation) : 0;
    expect(run, out->ones[batch] <= CONTACTS, "contacts are not more than expected");
    for (int i = 0; i < out->ones[batch]; ++i)
        out->one[batch][i] = cairn_simulation_contact(simulation, i);
    read_quantity(run, context, simulation, "sand[17].speed", &out->speed[batch]);
    out->energy[batch] = cairn_simulation_energy(simulation);
    out->report[batch] = *cairn_simulation_report(simulation);
}

/* Gravity so large that places are no numbers: the batch fails, and nothing has happened. */
static void overshoot(course *run, cairn_context *context, cairn_simulation *simulation)
{
    const double huge[3] = {0, 0, 1e200}, usual[3] = {0, 0, -9.81};
    is_good(run, context, cairn_simulation_set_gravity(simulation, huge));
    expect(run, cairn_simulation_steps(simulation, 3) != CAIRN_OK, "steps under such a gravity are none");
    is_good(run, context, cairn_simulation_set_gravity(simulation, usual));
}

static void list_contacts(course *run, cairn_context *context, cairn_simulation *simulation)
{
    const cairn_contact *contacts;
    if (!is_good(run, context, cairn_simulation_contacts(simulation, &contacts, &run->out->contacts)))
        return;
    expect(run, run->out->contacts > 30 && run->out->contacts <= CONTACTS, "contacts are as many as expected");
    memcpy(run->out->contact, contacts, (size_t)run->out->contacts * sizeof *contacts);
}

static void ask_for_all(course *run, cairn_context *context, cairn_model *model, cairn_simulation *simulation)
{
    cairn_state *state = NULL;
    cairn_freedoms freedoms;
    cairn_simulation *clone = NULL;
    if (run->need == CONTACT_LIST)
        list_contacts(run, context, simulation);
    else if (run->need == SAVED_STATE && is_good(run, context, cairn_simulation_save(simulation, &state)))
        is_good(run, context, cairn_simulation_restore(simulation, state));
    else if (run->need == NEW_BODY)
        is_good(run, context, add_body(model, "far", CAIRN_SPHERE, 9, 9, NULL));
    else if (run->need == FAILED_BATCH)
        overshoot(run, context, simulation);
    else if (run->need == FREEDOMS && is_good(run, context, cairn_simulation_freedoms(simulation, &freedoms, NULL)))
        expect(run, freedoms.degrees == 6 * GRAINS, "grains move freely");
    else if (run->need == CLONE && is_good(run, context, cairn_simulation_clone(simulation, context, &clone)))
        expect(run, cairn_simulation_time(clone) == cairn_simulation_time(simulation), "a clone is where it was");
    else if (run->need == STATISTIC)
        read_quantity(run, context, simulation, "grains.mass", &run->out->mass);
    cairn_state_destroy(state);
    cairn_simulation_destroy(clone);
}

static void write_checkpoint(course *run, cairn_context *context, cairn_simulation *simulation)
{
    cairn_recorder *recorder = NULL;
    if (is_good(run, context, cairn_recorder_create(context, "unmade.h5", simulation, NULL, &recorder)))
    {
        is_good(run, context, cairn_recorder_checkpoint(recorder, simulation, NULL, 0));
        is_good(run, context, cairn_recorder_close(recorder, "done"));
    }
}

/* What process 0 says of a restored state before a step is taken: it is still in the file. */
static void tell_restored(course *run, cairn_context *context, cairn_simulation *simulation, const cairn_state *saved)
{
    told *before = run->out, *again = calloc(1, sizeof *again);
    cairn_state *state = NULL;
    size_t size[2], ones = sizeof *again->one[2] * (size_t)before->ones[2];
    run->out = again;
    tell(run, context, simulation, 2);
    expect(run, !memcmp(again->state[2], before->state[2], sizeof again->state[2]), "bodies are where they were");
    expect(run, again->speed[2] == before->speed[2] && again->ones[2] == before->ones[2], "so are other things");
    expect(run, !memcmp(again->one[2], before->one[2], ones), "and contacts");
    run->out = before;
    if (is_good(run, context, cairn_simulation_save(simulation, &state)))
    {
        const void *a = cairn_state_bytes(saved, &size[0]), *b = cairn_state_bytes(state, &size[1]);
        expect(run, size[0] == size[1] && !memcmp(a, b, size[0]), "the state that is saved at once");
    }
    cairn_state_destroy(state);
    free(again);
}

/* Another simulation goes on from a checkpoint, which is written once more, in the place of the one that it goes on from. */
static void resume(course *run, cairn_context *context, const cairn_model *model, cairn_simulation **simulation)
{
    cairn_settings settings = *cairn_simulation_settings(*simulation);
    cairn_checkpoint *checkpoint = NULL;
    cairn_state *saved = NULL;
    write_checkpoint(run, context, *simulation);
    is_good(run, context, cairn_simulation_save(*simulation, &saved));
    cairn_simulation_destroy(*simulation);
    *simulation = NULL;
    if (saved && is_good(run, context, cairn_checkpoint_open(context, "unmade.h5", &checkpoint)) &&
        is_good(run, context, cairn_simulation_create(context, model, &settings, simulation)) &&
        is_good(run, context, cairn_simulation_restore(*simulation, cairn_checkpoint_state(checkpoint))))
    {
        cairn_checkpoint_close(checkpoint);
        checkpoint = NULL;
        tell_restored(run, context, *simulation, saved);
        write_checkpoint(run, context, *simulation);
        expect(run, (model->unmade.count == 0) == (run->is_made || run->where != BALLS), "no grain is made to resume");
    }
    cairn_checkpoint_close(checkpoint);
    cairn_state_destroy(saved);
}

/* Whether grains are made on the way. Few contacts of a state are listed from the start. Among other shapes, a run that resumes has grains. */
static bool needs_them(const course *run)
{
    if (run->resumes && run->where != BALLS)
        return true;
    return run->need != NOBODY && !(run->resumes && run->need == CONTACT_LIST);
}

static void take_steps(course *run, cairn_context *context, cairn_model *model, cairn_simulation **made)
{
    cairn_simulation *simulation = *made;
    for (int batch = 0; batch < BATCHES; ++batch)
    {
        bool is_over = run->is_made || (needs_them(run) && batch > 2);
        expect(run, (model->unmade.count == 0) == is_over, "grains are in the model where they are needed");
        if (batch > 0)
            is_good(run, context, cairn_simulation_steps(simulation, 12));
        tell(run, context, simulation, batch);
        if (batch == 2 && run->resumes)
        {
            resume(run, context, model, made);
            simulation = *made;
        }
        if (!simulation)
            return;
        if (batch == 2)
            ask_for_all(run, context, model, simulation);
    }
    const cairn_ranks_tally tally = cairn_simulation_ranks(simulation);
    run->out->rebuilds = tally.rebuilds;
    run->out->cuts = tally.cuts;
    run->out->ghosts = tally.ghosts;
    is_good(run, context, cairn_simulation_save(simulation, &run->out->end));
    expect(run, (model->unmade.count == 0) == (run->is_made || needs_them(run)), "no grain is made for a state");
    list_contacts(run, context, simulation);
}

static void lead(cairn_context *context, cairn_ranks *ranks, void *data)
{
    course *run = data;
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_settings settings = touching_settings();
    settings.reproducible = true;
    settings.audit = run->audit;
    settings.audit_every = 2;
    if (is_good(run, context, cairn_context_join(context, ranks)) &&
        is_good(run, context, cairn_model_create(context, 3, &model)) &&
        is_good(run, context, build(model, run->where)))
    {
        if (run->is_made)
            expect(run, cairn_model_body_mass(model, cairn_model_body(model, BODIES - 1)) > 0,
                   "grains weigh something");
        if (is_good(run, context, cairn_simulation_create(context, model, &settings, &simulation)))
            take_steps(run, context, model, &simulation);
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
}

static told *run_with(int ranks, course run)
{
    run.out = calloc(1, sizeof *run.out);
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = lead, .data = &run}, ranks, 120), 0);
    assert_int_equal(run.failures, 0);
    return run.out;
}

static void destroy(told *one)
{
    cairn_state_destroy(one->end);
    free(one);
}

static void compare_contacts(const cairn_contact *here, const cairn_contact *there, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const cairn_contact *a = &here[i], *b = &there[i];
        assert_true(a->identity == b->identity && a->a.id == b->a.id && a->b.id == b->b.id);
        assert_true(a->gap == b->gap && a->friction == b->friction);
        assert_memory_equal(a->impulse, b->impulse, sizeof a->impulse);
        assert_memory_equal(a->point, b->point, sizeof a->point);
        assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
        assert_memory_equal(a->normal, b->normal, sizeof a->normal);
    }
}

static void compare(const told *here, const told *there)
{
    size_t size[2];
    const void *x = cairn_state_bytes(here->end, &size[0]), *y = cairn_state_bytes(there->end, &size[1]);
    assert_memory_equal(here->state, there->state, sizeof here->state);
    assert_memory_equal(here->energy, there->energy, sizeof here->energy);
    for (int i = 0; i < BATCHES; ++i)
    {
        const cairn_step_report *a = &here->report[i], *b = &there->report[i];
        assert_true(a->step == b->step && a->time == b->time && a->contacts == b->contacts);
        assert_true(a->penetration == b->penetration && a->physics.audited == b->physics.audited);
        assert_int_equal(a->physics.violations, b->physics.violations);
        assert_true(a->solver.certificate.natural_map == b->solver.certificate.natural_map);
    }
    assert_memory_equal(here->speed, there->speed, sizeof here->speed);
    assert_true(here->mass == there->mass);
    assert_int_equal(here->contacts, there->contacts);
    compare_contacts(here->contact, there->contact, here->contacts);
    assert_memory_equal(here->ones, there->ones, sizeof here->ones);
    for (int i = 0; i < BATCHES; ++i)
        compare_contacts(here->one[i], there->one[i], here->ones[i]);
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(x, y, size[0]);
}

/* The same number of ranks has the same domains, too. Two and four ranks are for the long suite. */
static void check(course how)
{
    static const int RANKS[] = {1, 2, 3, 4, 8};
    course as_made = how, whole;
    as_made.is_made = true;
    /* Against the run that was not interrupted; but after a failed batch, a state still has what the ranks have lost. */
    whole = as_made;
    whole.resumes = how.resumes && how.need == FAILED_BATCH;
    told *one = run_with(1, whole);
    assert_true(one->ones[BATCHES - 1] > 100 && one->speed[0] > 0.1);
    assert_true((one->mass > 0) == (how.need == STATISTIC));
    assert_true(one->state[BATCHES - 1][BODIES - 1].position[2] < one->state[0][BODIES - 1].position[2]);
    for (size_t i = how.need == NOBODY || TAKES_ALL ? 0 : 2; i < sizeof RANKS / sizeof RANKS[0];
         i += how.need == NOBODY && getenv("CAIRN_LONG") ? 1 : 2)
    {
        told *made = run_with(RANKS[i], as_made);
        told *unmade = run_with(RANKS[i], how);
        compare(one, unmade);
        compare(made, unmade);
        assert_true(made->rebuilds == unmade->rebuilds && made->cuts == unmade->cuts && made->ghosts == unmade->ghosts);
        destroy(made);
        destroy(unmade);
    }
    destroy(one);
}

static void test_nobody_needs_them(void **unused)
{
    (void)unused;
    check((course){.audit = false});
    check((course){.audit = true});
}

/* Runs that resume say what the run says that was not interrupted. */
static void test_nobody_needs_them_to_resume(void **unused)
{
    (void)unused;
    check((course){.resumes = true});
    check((course){.resumes = true, .audit = true});
}

static void test_they_are_needed_on_the_way(void **unused)
{
    (void)unused;
    for (reason need = CONTACT_LIST; need < NEEDS; ++need)
        check((course){.need = need, .audit = need == NEW_BODY});
}

static void test_they_are_needed_before_a_step(void **unused)
{
    (void)unused;
    for (reason need = CONTACT_LIST; need < NEEDS; ++need)
        check((course){.need = need, .audit = need == NEW_BODY, .resumes = true});
}

static void test_among_shapes(void **unused)
{
    (void)unused;
    check((course){.where = SHAPES, .audit = true});
    check((course){.where = SHAPES, .resumes = true});
    check((course){.where = ROLLS, .audit = true});
    check((course){.where = SOLIDS, .audit = true});
    check((course){.where = SOLIDS, .resumes = true, .audit = true});
    check((course){.where = SOLIDS, .need = CONTACT_LIST});
    check((course){.where = SOLIDS, .need = FAILED_BATCH});
    check((course){.where = SHAPES, .need = CONTACT_LIST});
    check((course){.where = SHAPES, .need = NEW_BODY, .audit = true});
    check((course){.where = ROLLS, .need = FAILED_BATCH});
}

/* ------------------------------------------------------------------------------------------------------------ run files */

/* Many grains, whose run file is written a part at a time. */
typedef struct recorded
{
    const char *path;
    bool is_made, leaves_out;
    int failures;
} recorded;

enum
{
    SIDE = 24,
    LAYERS = 10,
    MANY = SIDE * SIDE * LAYERS + 1
};

static void record(cairn_context *context, cairn_ranks *ranks, void *data)
{
    recorded *to = data;
    course run = {.failures = 0};
    cairn_model *model = NULL;
    cairn_simulation *simulation = NULL;
    cairn_recorder *recorder = NULL;
    cairn_recorder_options options = cairn_recorder_default();
    cairn_settings settings = touching_settings();
    settings.reproducible = true;
    options.leave_out = to->leaves_out ? CAIRN_RECORD_CONTACTS | CAIRN_RECORD_VELOCITIES : 0;
    if (is_good(&run, context, cairn_context_join(context, ranks)) &&
        is_good(&run, context, cairn_model_create(context, 3, &model)) &&
        is_good(&run, context, touching_build(model, SIDE, LAYERS)))
    {
        if (to->is_made)
            expect(&run, cairn_model_body_mass(model, cairn_model_body(model, MANY - 1)) > 0, "grains weigh something");
        if (is_good(&run, context, cairn_simulation_create(context, model, &settings, &simulation)) &&
            is_good(&run, context, cairn_recorder_create(context, to->path, simulation, &options, &recorder)))
            for (int i = 0; i < 2; ++i)
                if (is_good(&run, context, cairn_simulation_steps(simulation, 3)))
                    is_good(&run, context, cairn_recorder_write(recorder));
        is_good(&run, context, cairn_recorder_close(recorder, "done"));
        expect(&run, (model->unmade.count == 0) == to->is_made, "no grain is made for a run file");
    }
    cairn_simulation_destroy(simulation);
    cairn_model_destroy(model);
    to->failures = run.failures;
}

static cairn_run *record_with(cairn_context *context, int ranks, recorded to)
{
    cairn_run *run;
    assert_int_equal(led_ranks_run(&(led_ranks){.lead = record, .data = &to}, ranks, 120), 0);
    assert_int_equal(to.failures, 0);
    assert_int_equal(cairn_run_open(context, to.path, &run), CAIRN_OK);
    assert_int_equal(cairn_run_body_count(run), MANY);
    assert_int_equal(cairn_run_frame_count(run), 3);
    return run;
}

static void compare_frames(cairn_run *here, cairn_run *there, int frame, bool has_contacts)
{
    cairn_body_state *x = calloc(2 * (size_t)MANY, sizeof *x), *y = x + MANY;
    const cairn_contact *a, *b;
    int count[2] = {0};
    assert_int_equal(cairn_run_read_frame(here, frame, x), CAIRN_OK);
    assert_int_equal(cairn_run_read_frame(there, frame, y), CAIRN_OK);
    assert_memory_equal(x, y, (size_t)MANY * sizeof *x);
    if (has_contacts)
    {
        assert_int_equal(cairn_run_read_contacts(here, frame, &a, &count[0]), CAIRN_OK);
        assert_int_equal(cairn_run_read_contacts(there, frame, &b, &count[1]), CAIRN_OK);
        assert_int_equal(count[0], count[1]);
        assert_true(frame == 0 || count[0] > 2 * MANY);
        compare_contacts(a, b, count[0]);
    }
    free(x);
}

static void check_run_files(int ranks, bool leaves_out)
{
    cairn_context *context = cairn_context_create();
    cairn_run *here = record_with(context, 1, (recorded){"made.h5", true, leaves_out, 0});
    cairn_run *there = record_with(context, ranks, (recorded){"unmade.h5", false, leaves_out, 0});
    for (int i = 0; i < MANY; ++i)
    {
        assert_string_equal(cairn_run_body_name(here, i), cairn_run_body_name(there, i));
        assert_true(cairn_run_body_mass(here, i) == cairn_run_body_mass(there, i));
        assert_true(cairn_run_body_radius(here, i) == cairn_run_body_radius(there, i));
    }
    assert_string_equal(cairn_run_body_name(there, MANY - 1), "sand[5759]");
    assert_true(cairn_run_body_mass(there, MANY - 1) > 0 && cairn_run_body_radius(there, MANY - 1) == 0.005);
    for (int frame = 0; frame < 3; ++frame)
        compare_frames(here, there, frame, !leaves_out);
    cairn_run_close(here);
    cairn_run_close(there);
    cairn_context_destroy(context);
}

static void test_run_files(void **unused)
{
    (void)unused;
    check_run_files(3, false);
    check_run_files(2, true);
}

int main(void)
{
    setenv("CAIRN_PROCESSOR_LIBRARY", CAIRN_BUILD_DIR "/libcairn_processor.so", 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nobody_needs_them),
                                       cmocka_unit_test(test_they_are_needed_on_the_way),
                                       cmocka_unit_test(test_nobody_needs_them_to_resume),
                                       cmocka_unit_test(test_they_are_needed_before_a_step),
                                       cmocka_unit_test(test_among_shapes),
                                       cmocka_unit_test(test_run_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
